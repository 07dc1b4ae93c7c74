"""What becomes of a command on a tournament: one function a command, in the files that it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.moderation.tournaments import closing, setup
from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.events import TournamentEvent
from services.moderation.tournaments.penalising import give_penalty
from services.moderation.tournaments.state import INITIAL, TournamentState
from services.moderation.tournaments.state import evolve as evolve_tournament


class TournamentDecider:
    """The decider of a tournament."""

    def initial(self) -> TournamentState:
        """No tournament."""
        return INITIAL

    def decide(self, command: ask.TournamentCommand, state: TournamentState) -> Sequence[TournamentEvent]:
        """The events that the command causes; none when it is so already. Raises a `Refusal`."""
        return decide(command, state)

    def evolve(self, state: TournamentState, event: TournamentEvent) -> TournamentState:
        """The tournament after the event."""
        return evolve_tournament(state, event)


def decide(command: ask.TournamentCommand, state: TournamentState) -> Sequence[TournamentEvent]:
    """Dispatch to the command's own rule."""
    match command:
        case ask.SetTournament():
            return setup.set_tournament(command, state)
        case ask.SetTable():
            return setup.set_table(command, state)
        case ask.EnterPerson():
            return setup.enter_person(command, state)
        case ask.DropPerson():
            return setup.drop_person(command, state)
        case ask.ReportLatecomer():
            return setup.report_latecomer(command, state)
        case ask.BeginRound():
            return setup.begin_round(command, state)
        case ask.GivePenalty():
            return give_penalty(command, state)
        case ask.DischargeDuty():
            return closing.discharge_duty(command, state)
        case ask.PutStandings():
            return closing.put_standings(command, state)
        case ask.ReferPenalty():
            return closing.refer_penalty(command, state)
        case _:
            assert_never(command)
