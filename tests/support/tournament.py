"""Short ways to say what happens at a tournament: its setting-up, offenses, and what came of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from services.moderation.policy.guide import packaged_guide
from services.moderation.policy.penalties import PenaltyGuide
from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.decider import TournamentDecider
from services.moderation.tournaments.events import PenaltyGiven, TournamentEvent
from services.moderation.tournaments.state import TournamentState
from shared.refusal import Refusal
from tests.support.scenario import Scenario

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
GUIDE: PenaltyGuide = packaged_guide()
ORGANISER = ask.Official(staff_id="head-1", role="head_admin", player_id="head-1-player")
HEAD_JUDGE = ask.Official(staff_id="senior-1", role="senior_admin", player_id="senior-1-player")
JUDGE = ask.Official(staff_id="admin-1", role="admin", player_id="admin-1-player")
STRANGER = ask.Official(staff_id="admin-2", role="admin", player_id="admin-2-player")
PLAYERS = ("a", "b", "c", "d")
_numbers = itertools.count(1)

Past = Scenario[ask.TournamentCommand, TournamentState, TournamentEvent]
NEW: Past = Scenario(TournamentDecider())
"""A tournament that nobody has set up."""


def new_id() -> str:
    """An id that nothing else has."""
    return f"id-{next(_numbers):06}"


def setting(**fields: Any) -> ask.SetTournament:
    """Set the tournament up: competitive, matches of three games, decklists."""
    plain: dict[str, Any] = {
        "tournament_id": "t1", "rel": "competitive", "games_per_match": 3, "decklists": True, "scoring_version": "3.0",
        "head_judge_id": HEAD_JUDGE.staff_id, "judge_ids": (JUDGE.staff_id,), "tardiness_grace_seconds": 0, "by": ORGANISER, "at": T0,
    }  # fmt: skip
    return ask.SetTournament(**{**plain, **fields})


def entering(person_id: str, kind: str = "player", by: ask.Official = ORGANISER) -> ask.EnterPerson:
    return ask.EnterPerson(person_id=person_id, kind=kind, by=by, at=T0)


def pairing(number: int, *pairings: tuple[str, ...], stage: str = "swiss", games: int | None = None, **fields: Any) -> ask.BeginRound:
    """Pair a round that began already."""
    pairs = pairings or (("a", "b"), ("c", "d"))
    plain: dict[str, Any] = {"starts_at": T0, "by": ORGANISER, "at": T0 + timedelta(hours=number)}
    return ask.BeginRound(number=number, stage=stage, games_per_match=games, pairings=pairs, **{**plain, **fields})


def offense(infraction: str, person_id: str = "a", **fields: Any) -> ask.GivePenalty:
    """An offense in round 1, game 1, before the head judge; parts of the situation by their names."""
    said = {name: fields.pop(name) for name in tuple(fields) if name in ask.Situation.__dataclass_fields__}
    plain: dict[str, Any] = {
        "penalty_id": new_id(), "round": 1, "game": 1, "guide": GUIDE, "by": HEAD_JUDGE, "at": T0 + timedelta(hours=9),
        "ids": tuple(new_id() for _ in range(40)), "opponents_noticed": True, "situation": ask.Situation(**said),
    }  # fmt: skip
    return ask.GivePenalty(person_id=person_id, infraction=infraction, **{**plain, **fields})


@dataclass(slots=True)
class Event:
    """A tournament on which commands are carried out one after another."""

    past: Past

    @property
    def state(self) -> TournamentState:
        return self.past.state()

    def do(self, command: ask.TournamentCommand) -> tuple[TournamentEvent, ...]:
        happened = self.past.when(command).happens()
        self.past = self.past.given(*happened)
        return happened

    def give(self, infraction: str, person_id: str = "a", **fields: Any) -> PenaltyGiven:
        """Penalise an offense; what was given."""
        given = self.do(offense(infraction, person_id, **fields))[0]
        assert isinstance(given, PenaltyGiven)
        return given

    def next_round(self, *pairings: tuple[str, ...], **fields: Any) -> int:
        number = self.state.current_round + 1
        self.do(pairing(number, *pairings, **fields))
        return number

    def refused(self, command: ask.TournamentCommand, code: str) -> Refusal:
        return self.past.when(command).refused(code)

    def now(self, penalty_id: str) -> Any:
        """The penalty as it stands now."""
        return self.state.penalties[penalty_id]


def organised(*, rounds: int = 1, stage: str = "swiss", players: tuple[str, ...] = PLAYERS, **fields: Any) -> Event:
    """A tournament with four players, `a` against `b` and `c` against `d` in each round."""
    event = Event(NEW)
    event.do(setting(**fields))
    for player in players:
        event.do(entering(player))
    for _ in range(rounds):
        event.next_round(stage=stage)
    return event


def effects(given: Any) -> list[tuple[str, str, int | None, int | None]]:
    """The effects as kind, person, round, game."""
    return [(effect.kind, effect.person_id, effect.round, effect.game) for effect in given.effects]


def kinds(given: Any) -> set[str]:
    return {effect.kind for effect in given.effects}


def told(given: PenaltyGiven) -> set[str]:
    return {duty.to for duty in given.duties}


def place(given: Any) -> tuple[int, int | None]:
    """The round and game that it is applied to."""
    assert given.applies_to is not None
    return given.applies_to.round, given.applies_to.game
