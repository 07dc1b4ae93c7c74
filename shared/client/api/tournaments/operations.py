"""The operations of `tournaments`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.tournaments.bodies import (
    PenaltyBody,
    PersonBody,
    RoundBody,
    StandingsBody,
    TableBody,
    TardinessBody,
    TournamentBody,
    TriggerBody,
)
from shared.client.api.tournaments.replies import (
    Duty,
    DutyPage,
    DutyReply,
    Penalty,
    PenaltyReply,
    Person,
    PersonReply,
    ReferredReply,
    Report,
    Sheet,
    Standings,
    StandingsReply,
    Table,
    TableReply,
    Tardiness,
    Tournament,
    TournamentReply,
    TriggerAdvice,
)
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class TournamentsOperations:
    """The operations of `tournaments`."""

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

    async def begin_round(self, tournament_id: str, body: RoundBody, **options: Unpack[VersionedOptions]) -> TournamentReply:
        """Pair a round.

        The round before ends: who was to report by then (I-82) and did not is dropped. Nobody dropped or disqualified is paired. For admin,
        senior_admin, head_admin. Problems of its own: not_found, head_judge_required, person_disqualified, not_applicable, invalid_transition.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/rounds", TournamentReply, command=True, body=body, options=options
        )

    async def discharge_duty(self, tournament_id: str, duty_id: str, **options: Unpack[VersionedOptions]) -> DutyReply:
        """A report was made.

        By a judge; to the investigations manager the head judge reports. For admin, senior_admin, head_admin. Problems of its own: not_found,
        not_a_judge, head_judge_required.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/duties/{segment(duty_id)}/discharge", DutyReply, command=True, options=options
        )

    async def drop_person(self, tournament_id: str, person_id: str, **options: Unpack[VersionedOptions]) -> PersonReply:
        """A player leaves.

        They are not paired any more; penalties still fall on them (I-74). For admin, senior_admin, head_admin. Problems of its own: not_found,
        head_judge_required, not_applicable.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/people/{segment(person_id)}/drop", PersonReply, command=True, options=options
        )

    async def enter_person(self, tournament_id: str, body: PersonBody, **options: Unpack[VersionedOptions]) -> PersonReply:
        """Enter a player or a spectator.

        A dropped player who is entered again is back in. Who is to be disqualified is entered first (I-79). For admin, senior_admin, head_admin.
        Problems of its own: not_found, head_judge_required, person_disqualified.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/people", PersonReply, command=True, body=body, options=options
        )

    async def get_guide(self, **options: Unpack[ReadOptions]) -> Table:
        """The penalty guide: every cell with what it rests on, and every rule that is cited.

        For game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch("GET", "/v1/penalty-guide", Table, options=options)

    async def get_penalty(self, tournament_id: str, penalty_id: str, **options: Unpack[ReadOptions]) -> Penalty:
        """One penalty explained.

        Who of the staff and auditors reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor. Problems of its own:
        not_found.
        """
        return await self.transport.fetch(
            "GET", f"/v1/tournaments/{segment(tournament_id)}/penalties/{segment(penalty_id)}", Penalty, options=options
        )

    async def get_person(self, tournament_id: str, person_id: str, **options: Unpack[ReadOptions]) -> Person:
        """Somebody at the tournament, with their penalties explained.

        Who of the staff and auditors reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor. Problems of its own:
        not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}/people/{segment(person_id)}", Person, options=options)

    async def get_report(self, tournament_id: str, **options: Unpack[ReadOptions]) -> Report:
        """The event's report.

        Penalties from Warning up, deviations with their reasons, disqualifications, and what is still to be reported. Who of the staff and auditors
        reads this is recorded. For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}/report", Report, options=options)

    async def get_sheet(self, tournament_id: str, number: str, **options: Unpack[ReadOptions]) -> Sheet:
        """What the scorekeeper enters for a round.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}/rounds/{segment(number)}/sheet", Sheet, options=options)

    async def get_standings(self, tournament_id: str, **options: Unpack[ReadOptions]) -> Standings:
        """The standings with disqualifications applied.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}/standings", Standings, options=options)

    async def get_table(self, tournament_id: str, **options: Unpack[ReadOptions]) -> Table:
        """The tournament's table: the guide with the organiser's cells.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}/policy", Table, options=options)

    async def get_tournament(self, tournament_id: str, **options: Unpack[ReadOptions]) -> Tournament:
        """One tournament with its rounds.

        For game_server, admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/tournaments/{segment(tournament_id)}", Tournament, options=options)

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

    async def put_standings(self, tournament_id: str, body: StandingsBody, **options: Unpack[VersionedOptions]) -> StandingsReply:
        """The order as the scorekeeper has it, and the cut.

        Who advances is settled when the cut is made: the first of the order who are still in. Nobody joins them later (I-79). For admin,
        senior_admin, head_admin. Problems of its own: not_found, head_judge_required.
        """
        return await self.transport.fetch(
            "PUT", f"/v1/tournaments/{segment(tournament_id)}/standings", StandingsReply, command=True, body=body, options=options
        )

    async def put_table(self, tournament_id: str, body: TableBody, **options: Unpack[VersionedOptions]) -> TableReply:
        """The organiser's own table.

        Replaces cells that the guide marks as assumed (I-70). Penalties given before stay as they are. For head_admin. Problems of its own:
        not_found, unknown_infraction, not_applicable.
        """
        return await self.transport.fetch(
            "PUT", f"/v1/tournaments/{segment(tournament_id)}/policy", TableReply, command=True, body=body, options=options
        )

    async def put_tournament(self, tournament_id: str, body: TournamentBody, **options: Unpack[VersionedOptions]) -> TournamentReply:
        """Set a tournament up, or change it.

        Its judges are members of staff, named by id; the site's levels give nobody a judge's powers. Penalties given before a change stay as they
        are. For head_admin.
        """
        return await self.transport.fetch(
            "PUT", f"/v1/tournaments/{segment(tournament_id)}", TournamentReply, command=True, body=body, options=options
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

    async def report_latecomer(self, tournament_id: str, person_id: str, **options: Unpack[VersionedOptions]) -> PersonReply:
        """A latecomer reported before the end of the round.

        So they stay in, whatever their tardiness in this round cost (I-82). For admin, senior_admin, head_admin. Problems of its own: not_found,
        not_a_judge, person_disqualified.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/people/{segment(person_id)}/reported", PersonReply, command=True, options=options
        )
