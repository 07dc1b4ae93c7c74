"""The operations of `penalties`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.penalties.bodies import PenaltyBody, TardinessBody, TriggerBody
from shared.client.api.penalties.replies import (
    Duty,
    DutyPage,
    DutyReply,
    Penalty,
    PenaltyReply,
    PersonPenalties,
    ReferredReply,
    Report,
    Tardiness,
    TriggerAdvice,
)
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class PenaltiesOperations:
    """The operations of `penalties`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def advise_missed_trigger(self, tournament_id: str, body: TriggerBody, **options: Unpack[ReadOptions]) -> TriggerAdvice:
        """What to do about a missed trigger.

        A decision table (I-81); nothing is recorded. For admin, senior_admin, head_admin. Problems of its own: not_found.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/missed-trigger-advice", TriggerAdvice, body=body, options=options
        )

    async def advise_tardiness(self, tournament_id: str, body: TardinessBody, **options: Unpack[ReadOptions]) -> Tardiness:
        """What a tardiness costs.

        A decision table (I-82); nothing is recorded, the penalties are given as any other. For admin, senior_admin, head_admin. Problems of its own:
        not_found, occurred_in_future.
        """
        return await self.transport.fetch("POST", f"/v1/tournaments/{segment(tournament_id)}/tardiness", Tardiness, body=body, options=options)

    async def discharge_duty(self, tournament_id: str, duty_id: str, **options: Unpack[VersionedOptions]) -> DutyReply:
        """A report was made.

        By a judge; to the investigations manager the head judge reports. For admin, senior_admin, head_admin. Problems of its own: not_found,
        not_a_judge, head_judge_required, conflict_of_interest.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/duties/{segment(duty_id)}/discharge", DutyReply, command=True, options=options
        )

    async def get_penalty(self, tournament_id: str, penalty_id: str, **options: Unpack[ReadOptions]) -> Penalty:
        """One penalty explained.

        Who of the staff and auditors reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor. Problems of its own:
        not_found.
        """
        return await self.transport.fetch(
            "GET", f"/v1/tournaments/{segment(tournament_id)}/penalties/{segment(penalty_id)}", Penalty, options=options
        )

    async def get_person(self, tournament_id: str, person_id: str, **options: Unpack[ReadOptions]) -> PersonPenalties:
        """Somebody at the tournament, with their penalties explained.

        Who of the staff and auditors reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor. Problems of its own:
        not_found.
        """
        return await self.transport.fetch(
            "GET", f"/v1/tournaments/{segment(tournament_id)}/people/{segment(person_id)}", PersonPenalties, options=options
        )

    async def get_report(self, tournament_id: str, **options: Unpack[ReadOptions]) -> Report:
        """The event's report.

        Penalties from Warning up, deviations with their reasons, disqualifications, and what is still to be reported. Who of the staff and auditors
        reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}/report", Report, options=options)

    async def give_penalty(
        self, tournament_id: str, body: PenaltyBody, *, dry_run: bool = False, **options: Unpack[VersionedOptions]
    ) -> PenaltyReply:
        """Penalise an offense.

        By a judge of the tournament. The guide says what it costs; every step from the standard penalty cites its rule. Nothing but this tournament's
        own past counts (D 1), and the site's record gets no strike. For admin, senior_admin, head_admin. Problems of its own: not_found, not_a_judge,
        head_judge_required, conflict_of_interest, person_disqualified, unknown_infraction, upgrade_not_available, not_exceptional, not_applicable,
        charge_as_cheating.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/penalties", PenaltyReply, command=True, body=body, query={"dry_run": dry_run or None},
            options=options
        )

    def list_duties(self, tournament_id: str, *, limit: int = 50, discharged: bool = False, **options: Unpack[ReadOptions]) -> Paged[Duty]:
        """What is to be reported.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return Paged(
            self.transport, f"/v1/tournaments/{segment(tournament_id)}/duties", {"limit": limit, "discharged": discharged}, DutyPage, options
        )

    async def refer(self, tournament_id: str, penalty_id: str, **options: Unpack[VersionedOptions]) -> ReferredReply:
        """Refer a penalty to the site's admins.

        By the head judge, once. It adds no strike; the site's admins decide (`GET /v1/referrals`). For admin, senior_admin, head_admin. Problems of
        its own: not_found, not_a_judge, head_judge_required.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/penalties/{segment(penalty_id)}/referral", ReferredReply, command=True,
            options=options
        )
