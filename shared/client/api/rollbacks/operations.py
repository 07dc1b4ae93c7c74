"""The operations of `rollbacks`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.common.bodies import ReasonBody
from shared.client.api.rollbacks.bodies import RollbackBody
from shared.client.api.rollbacks.replies import ReversalReply, Rollback, RollbackItem, RollbackPage, RollbackReply
from shared.client.options import CommandOptions, ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class RollbacksOperations:
    """The operations of `rollbacks`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def get_rollback(self, rollback_id: str, **options: Unpack[ReadOptions]) -> Rollback:
        """One rollback as it is recorded.

        For head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/rollbacks/{segment(rollback_id)}", Rollback, options=options)

    def list_rollbacks(self, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[RollbackItem]:
        """The rollbacks, newest first.

        For head_admin, auditor.
        """
        return Paged(self.transport, "/v1/rollbacks", {"limit": limit}, RollbackPage, options)

    async def reverse(self, rollback_id: str, body: ReasonBody, *, dry_run: bool = False, **options: Unpack[VersionedOptions]) -> ReversalReply:
        """Reverse a rollback.

        What has not changed since is as it was before the rollback; the rest stays, and says why in `kept`. Once only. For head_admin. Problems of
        its own: conflict_of_interest, head_admin_required, invalid_transition, not_found.
        """
        return await self.transport.fetch(
            "POST", f"/v1/rollbacks/{segment(rollback_id)}/reverse", ReversalReply, command=True, body=body, query={"dry_run": dry_run or None},
            options=options
        )

    async def roll_back(self, staff_id: str, body: RollbackBody, *, dry_run: bool = False, **options: Unpack[CommandOptions]) -> RollbackReply:
        """Take back what one member of staff decided.

        In the given time, bounds included, as one batch: incidents are overturned and later ones read again, adjustments and lifts are taken back
        where they are still the latest. What stays says why in `kept`; decisions of appeals, and bans of networks, are only `listed`. With
        `dry_run=true` the same answer apart from ids and times, and nothing is recorded. Nobody rolls back their own decisions, nor any about their
        own player account. A batch holds at most 2000 decisions and 500 players. For head_admin. Problems of its own: conflict_of_interest,
        head_admin_required, not_found.
        """
        return await self.transport.fetch(
            "POST", f"/v1/staff/{segment(staff_id)}/rollback", RollbackReply, command=True, body=body, query={"dry_run": dry_run or None},
            options=options
        )
