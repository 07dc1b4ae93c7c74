"""The operations of `audit`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.audit.replies import HistoryItem, HistoryPage
from shared.client.options import ReadOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class AuditOperations:
    """The operations of `audit`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    def get_history(self, player_id: str, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[HistoryItem]:
        """Every event of a player, oldest first.

        For admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, f"/v1/players/{segment(player_id)}/history", {"limit": limit}, HistoryPage, options)
