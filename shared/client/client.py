"""The client of the API: `Client` and what it is made with."""

from __future__ import annotations

import ssl
from types import TracebackType
from typing import Self

import httpx

from shared.client.api import Resources
from shared.client.retries import Retries
from shared.client.transport import Transport

DEFAULT_TIMEOUT_SECONDS = 10.0


class Client(Resources):
    """A typed asynchronous client of one service, for one token: `client.RESOURCE.OPERATION(...)`.

        async with Client("https://moderation.example", token) as client:
            standing = await client.standing.get_standing("p1")

    Every command gets an idempotency key that is kept over all its tries, so a lost answer never doubles it. 429, 502 to 504 and lost connections are
    tried again within `retries`. A "no" raises `Problem`, no answer `Unreachable`. `acting_staff` names the member of staff for whom a game server
    acts. `timeout` is in seconds and bounds one try. `verify` is the TLS context of a certificate authority of your own. Proxies of the environment
    are not used: they would see the token. One client serves any number of tasks of one event loop.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        acting_staff: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        retries: Retries | None = None,
        verify: ssl.SSLContext | bool = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Accept": "application/json, application/problem+json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, verify=verify, transport=transport, trust_env=False)
        super().__init__(Transport(http, retries=retries or Retries(), acting_staff=acting_staff))

    def acting(self, staff_id: str) -> Resources:
        """The same client for another member of staff; it shares the connections and is closed with this one."""
        return Resources(self.transport.acting(staff_id))

    async def aclose(self) -> None:
        """Close the connections."""
        await self.transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()
