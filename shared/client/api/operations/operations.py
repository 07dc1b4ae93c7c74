"""The operations of `operations`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Any, Unpack

from shared.client.api.operations.replies import State
from shared.client.options import PublicOptions
from shared.client.transport import Transport


class OperationsOperations:
    """The operations of `operations`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def healthz(self, **options: Unpack[PublicOptions]) -> State:
        """Whether the process answers."""
        return await self.transport.fetch("GET", "/healthz", State, acts=False, options=options)

    async def metrics(self, **options: Unpack[PublicOptions]) -> bytes:
        """Metrics for Prometheus."""
        return await self.transport.content("GET", "/metrics", acts=False, options=options)

    async def openapi(self, **options: Unpack[PublicOptions]) -> dict[str, Any]:
        """This description."""
        return await self.transport.fetch("GET", "/openapi.json", dict[str, Any], acts=False, options=options)

    async def readyz(self, **options: Unpack[PublicOptions]) -> State:
        """Whether requests can be served."""
        return await self.transport.fetch("GET", "/readyz", State, acts=False, options=options)
