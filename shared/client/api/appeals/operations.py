"""The operations of `appeals`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal, Unpack

from shared.client.api.appeals.bodies import AppealBody, DecisionBody, PreviewBody, WithdrawBody
from shared.client.api.appeals.replies import Appeal, AppealItem, AppealPage, AppealReply, DecisionReply, PreviewReply
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class AppealsOperations:
    """The operations of `appeals`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def decide(self, appeal_id: str, body: DecisionBody, *, dry_run: bool = False, **options: Unpack[VersionedOptions]) -> DecisionReply:
        """Decide an appeal, for good.

        On the version that the preview gave; `stale_version` when the record changed since (I-35). For senior_admin, head_admin. Problems of its own:
        conflict_of_interest, senior_admin_required, already_decided, duration_too_long, discretion_out_of_range, discretion_not_allowed,
        stale_version.
        """
        return await self.transport.fetch(
            "POST", f"/v1/appeals/{segment(appeal_id)}/decision", DecisionReply, command=True, body=body, query={"dry_run": dry_run or None},
            options=options
        )

    async def get_appeal(self, appeal_id: str, **options: Unpack[ReadOptions]) -> Appeal:
        """One appeal with its words.

        The game server sees what the player may: not who decided, nor the reason for staff. Who of the staff and auditors reads this is recorded. For
        game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch("GET", f"/v1/appeals/{segment(appeal_id)}", Appeal, options=options)

    def list_appeals(
        self, *, limit: int = 50, state: Literal["decided", "open", "withdrawn"] | None = None, **options: Unpack[ReadOptions]
    ) -> Paged[AppealItem]:
        """The appeals, oldest first.

        For game_server, admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, "/v1/appeals", {"limit": limit, "state": state}, AppealPage, options)

    async def open_appeal(self, body: AppealBody, **options: Unpack[VersionedOptions]) -> AppealReply:
        """File a player's appeal.

        Of an incident's decision, an adjustment, or a ban of a network. Nobody can reject the filing; bans keep running (I-30, I-36). For
        game_server. Problems of its own: appeal_exists, decision_final, incident_overturned, not_found, not_the_subject.
        """
        return await self.transport.fetch("POST", "/v1/appeals", AppealReply, command=True, body=body, options=options)

    async def preview(self, appeal_id: str, body: PreviewBody, **options: Unpack[ReadOptions]) -> PreviewReply:
        """See what a decision would do.

        The standing before and after, every change, later incidents read again, what is kept, what can't be undone. Records nothing. For
        senior_admin, head_admin. Problems of its own: conflict_of_interest, senior_admin_required, already_decided, duration_too_long,
        discretion_out_of_range, discretion_not_allowed.
        """
        return await self.transport.fetch("POST", f"/v1/appeals/{segment(appeal_id)}/preview", PreviewReply, body=body, options=options)

    async def withdraw(self, appeal_id: str, body: WithdrawBody, **options: Unpack[VersionedOptions]) -> AppealReply:
        """Take an appeal back for its player.

        For game_server. Problems of its own: not_the_subject, already_decided.
        """
        return await self.transport.fetch("POST", f"/v1/appeals/{segment(appeal_id)}/withdraw", AppealReply, command=True, body=body, options=options)
