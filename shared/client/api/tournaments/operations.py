"""The operations of `tournaments`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.common.replies import Tournament
from shared.client.api.tournaments.bodies import PersonBody, RoundBody, StandingsBody, TableBody, TournamentBody
from shared.client.api.tournaments.replies import PersonReply, Sheet, Standings, StandingsReply, Table, TableReply, TournamentReply
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.transport import Transport, segment


class TournamentsOperations:
    """The operations of `tournaments`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def begin_round(self, tournament_id: str, body: RoundBody, **options: Unpack[VersionedOptions]) -> TournamentReply:
        """Pair a round.

        The round before ends: who was to report by then (I-82) and did not is dropped. Nobody dropped or disqualified is paired. For admin,
        senior_admin, head_admin. Problems of its own: not_found, head_judge_required, person_disqualified, not_applicable, invalid_transition.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/rounds", TournamentReply, command=True, body=body, options=options
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

        A dropped player who is entered again is back in; who was paired stays a player. Who is to be disqualified is entered first (I-79). For admin,
        senior_admin, head_admin. Problems of its own: not_found, head_judge_required, person_disqualified, not_applicable.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/people", PersonReply, command=True, body=body, options=options
        )

    async def get_guide(self, **options: Unpack[ReadOptions]) -> Table:
        """The penalty guide: every cell with what it rests on, and every rule that is cited.

        For game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch("GET", "/v1/penalty-guide", Table, options=options)

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

    async def report_latecomer(self, tournament_id: str, person_id: str, **options: Unpack[VersionedOptions]) -> PersonReply:
        """A latecomer reported before the end of the round.

        So they stay in, whatever their tardiness in this round cost (I-82). For admin, senior_admin, head_admin. Problems of its own: not_found,
        not_a_judge, conflict_of_interest, person_disqualified.
        """
        return await self.transport.fetch(
            "POST", f"/v1/tournaments/{segment(tournament_id)}/people/{segment(person_id)}/reported", PersonReply, command=True, options=options
        )
