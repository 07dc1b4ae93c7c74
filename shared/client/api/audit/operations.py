"""The operations of `audit`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Unpack

from shared.client.api.audit.bodies import WhatIfBody
from shared.client.api.audit.replies import DiffReply, Explanation, HistoryItem, HistoryPage, Read, ReadsPage, ReplayItem, ReplayPage, WhatIfReply
from shared.client.options import ReadOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class AuditOperations:
    """The operations of `audit`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def explain(self, incident_id: str, *, player_id: str | None = None, **options: Unpack[ReadOptions]) -> Explanation:
        """Why the sanctions are what they are.

        Who of the staff and auditors reads this is recorded. For admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch(
            "GET", f"/v1/incidents/{segment(incident_id)}/explanation", Explanation, query={"player_id": player_id}, options=options
        )

    async def get_diff(self, player_id: str, *, start: str, end: str, **options: Unpack[ReadOptions]) -> DiffReply:
        """The standing at two points compared.

        For admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch(
            "GET", f"/v1/players/{segment(player_id)}/diff", DiffReply, query={"from": start, "to": end}, options=options
        )

    def get_history(self, player_id: str, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[HistoryItem]:
        """Every event of a player, oldest first.

        Who of the staff and auditors reads this is recorded. For admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, f"/v1/players/{segment(player_id)}/history", {"limit": limit}, HistoryPage, options)

    def get_replay(self, player_id: str, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[ReplayItem]:
        """The record step by step.

        Every event with the standing after it, at the moment of its decision, and what it changed. Who of the staff and auditors reads this is
        recorded. For admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, f"/v1/players/{segment(player_id)}/replay", {"limit": limit}, ReplayPage, options)

    def list_reads(
        self, *, limit: int = 50, reader: str | None = None, player_id: str | None = None, start: datetime | None = None, end: datetime | None = None,
        **options: Unpack[ReadOptions]
    ) -> Paged[Read]:
        """Who read what of whom, the newest first.

        Every read of evidence, histories, replays, explanations and appeals by staff and auditors; recorded before the data was sent. For head_admin,
        auditor.
        """
        return Paged(
            self.transport, "/v1/reads", {"limit": limit, "reader": reader, "player_id": player_id, "from": start, "to": end}, ReadsPage, options
        )

    async def what_if(self, player_id: str, body: WhatIfBody, **options: Unpack[ReadOptions]) -> WhatIfReply:
        """The standing as it would be.

        Without some incidents, later ones read again; or with every incident read under another policy version. Records nothing. For senior_admin,
        head_admin, auditor.
        """
        return await self.transport.fetch("POST", f"/v1/players/{segment(player_id)}/what-if", WhatIfReply, body=body, options=options)
