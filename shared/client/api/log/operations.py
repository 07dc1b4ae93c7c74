"""The operations of `log`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.log.replies import ConsistencyProof, Entries, InclusionProof, KeyReply
from shared.client.options import ReadOptions
from shared.client.transport import Transport


class LogOperations:
    """The operations of `log`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def get_checkpoint(self, **options: Unpack[ReadOptions]) -> bytes:
        """The signed head of the log.

        A C2SP checkpoint: origin, size and root, signed with Ed25519. It covers an event at most a second after it was recorded. For game_server,
        admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.content("GET", "/v1/log/checkpoint", options=options)

    async def get_consistency(self, *, from_size: int, to: int | None = None, **options: Unpack[ReadOptions]) -> ConsistencyProof:
        """Proof that the log only grew.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", "/v1/log/proofs/consistency", ConsistencyProof, query={"from": from_size, "to": to}, options=options)

    async def get_entries(self, *, after: int = 0, limit: int = 50, **options: Unpack[ReadOptions]) -> Entries:
        """The log in order.

        Each event as the leaf that it is in the tree; `after` is the position behind which to go on. Personal fields stay sealed. For auditor.
        """
        return await self.transport.fetch("GET", "/v1/log/entries", Entries, query={"after": after, "limit": limit}, options=options)

    async def get_inclusion(self, *, position: int, size: int | None = None, **options: Unpack[ReadOptions]) -> InclusionProof:
        """Proof that an event is in the log.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch(
            "GET", "/v1/log/proofs/inclusion", InclusionProof, query={"position": position, "size": size}, options=options
        )

    async def get_key(self, **options: Unpack[ReadOptions]) -> KeyReply:
        """The key that signs the log.

        Keep it: a copy of your own is worth more than asking the log that you want to check. For game_server, admin, senior_admin, head_admin,
        auditor.
        """
        return await self.transport.fetch("GET", "/v1/log/key", KeyReply, options=options)
