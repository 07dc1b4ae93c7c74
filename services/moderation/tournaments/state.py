"""A tournament as its rules see it. Nothing of any other tournament or of the site's record is in here (D 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar, assert_never

from services.moderation.policy.penalties import DISQUALIFICATION, WITHOUT_PRIZE, CellChange
from services.moderation.tournaments import events as happened
from services.moderation.tournaments.events import Application, Effect, TournamentEvent

PLAYER, SPECTATOR = "player", "spectator"
SWISS, ELIMINATION = "swiss", "elimination"
K = TypeVar("K")
V = TypeVar("V")
_DISQUALIFIED = frozenset({DISQUALIFICATION, WITHOUT_PRIZE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round; with `games` of 1 its matches are single games (D 30)."""

    number: int
    stage: str
    games: int
    pairings: tuple[tuple[str, ...], ...]
    starts_at: datetime

    def match_of(self, person_id: str) -> tuple[str, ...]:
        """Everybody in this person's match, none without one."""
        return next((pairing for pairing in self.pairings if person_id in pairing), ())

    def opponents_of(self, person_id: str) -> tuple[str, ...]:
        """The others in this person's match."""
        return tuple(other for other in self.match_of(person_id) if other != person_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody at the tournament. `dropped_in` is the round in which they left."""

    person_id: str
    kind: str
    dropped_in: int | None = None
    left_because: str | None = None
    disqualified: str | None = None

    @property
    def playing(self) -> bool:
        """Whether they may be paired."""
        return self.kind == PLAYER and self.dropped_in is None and self.disqualified is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A penalty as later ones see it."""

    penalty_id: str
    person_id: str
    reported: str
    infraction: str
    round: int
    game: int
    penalty: str | None
    absorbed: bool
    applies_to: Application | None
    effects: tuple[Effect, ...]
    cause: str | None
    referral_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwedDuty:
    """A report that is owed or was made."""

    duty_id: str
    kind: str
    to: str
    penalty_id: str
    person_id: str
    since: datetime
    discharged_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentState:
    """`version` counts the events, 0: no such tournament. Penalties and duties stand in the order in which they came."""

    version: int = 0
    tournament_id: str = ""
    rel: str = ""
    games_per_match: int = 3
    decklists: bool = False
    scoring_version: str = ""
    head_judge_id: str = ""
    judge_ids: tuple[str, ...] = ()
    grace_seconds: int = 0
    cells: tuple[CellChange, ...] = ()
    note: str | None = None
    rounds: Mapping[int, Round] = field(default_factory=dict)
    people: Mapping[str, Person] = field(default_factory=dict)
    penalties: Mapping[str, Given] = field(default_factory=dict)
    duties: Mapping[str, OwedDuty] = field(default_factory=dict)
    reported: frozenset[tuple[str, int]] = frozenset()
    order: tuple[str, ...] = ()
    cut: int | None = None
    advancing: tuple[str, ...] = ()
    last_at: datetime | None = None

    @property
    def exists(self) -> bool:
        """Whether it was ever set up."""
        return self.version > 0

    @property
    def current_round(self) -> int:
        """The number of the last round that was paired, 0 before the first."""
        return len(self.rounds)

    def moment(self, at: datetime) -> datetime:
        """`at`, but never before what is recorded already."""
        return at if self.last_at is None else max(at, self.last_at)

    def of_person(self, person_id: str) -> list[Given]:
        """The person's penalties that hold: neither absorbed nor without a penalty."""
        return [one for one in self.penalties.values() if one.person_id == person_id and not one.absorbed and one.penalty is not None]


INITIAL = TournamentState()


def evolve(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """The tournament after the event."""
    state = replace(state, version=state.version + 1, last_at=event.at)
    match event:
        case happened.TournamentSet():
            return _set(state, event)
        case happened.TableSet():
            return replace(state, cells=event.cells, note=event.note)
        case happened.PersonEntered():
            return _with_person(state, Person(person_id=event.person_id, kind=event.kind))
        case happened.PersonDropped():
            return _with_person(state, replace(state.people[event.person_id], dropped_in=event.round, left_because=event.because))
        case happened.LatecomerReported():
            return replace(state, reported=state.reported | {(event.person_id, event.round)})
        case happened.RoundBegan():
            began = Round(number=event.number, stage=event.stage, games=event.games_per_match, pairings=event.pairings, starts_at=event.starts_at)
            return replace(state, rounds={**state.rounds, event.number: began})
        case happened.PenaltyGiven():
            return _given(state, event)
        case happened.PenaltyAbsorbed():
            return _absorbed(state, event.penalty_id)
        case happened.PenaltyMoved():
            moved = replace(state.penalties[event.penalty_id], applies_to=event.applies_to, effects=event.effects)
            return replace(state, penalties=_put(state.penalties, moved.penalty_id, moved))
        case happened.DutyDischarged():
            done = replace(state.duties[event.duty_id], discharged_by=event.by)
            return replace(state, duties=_put(state.duties, done.duty_id, done))
        case happened.StandingsPut():
            return replace(state, order=event.order, cut=event.cut, advancing=event.advancing)
        case happened.PenaltyReferred():
            referred = replace(state.penalties[event.penalty_id], referral_id=event.referral_id)
            return replace(state, penalties=_put(state.penalties, referred.penalty_id, referred))
        case _:
            assert_never(event)


class _Owned(dict[K, V]):
    """A map that one fold alone holds and so may write to: copying it for every event would make a large event's fold quadratic."""


def _put(held: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    if isinstance(held, _Owned):
        held[key] = value
        return held
    return {**held, key: value}


def evolve_all(state: TournamentState, events: Iterable[TournamentEvent]) -> TournamentState:
    """The tournament after these events; `state` stays as it is."""
    state = replace(state, people=_Owned(state.people), penalties=_Owned(state.penalties), duties=_Owned(state.duties))
    for event in events:
        state = evolve(state, event)
    return replace(state, people=dict(state.people), penalties=dict(state.penalties), duties=dict(state.duties))


def _set(state: TournamentState, event: happened.TournamentSet) -> TournamentState:
    return replace(
        state,
        tournament_id=event.tournament_id,
        rel=event.rel,
        games_per_match=event.games_per_match,
        decklists=event.decklists,
        scoring_version=event.scoring_version,
        head_judge_id=event.head_judge_id,
        judge_ids=event.judge_ids,
        grace_seconds=event.tardiness_grace_seconds,
    )


def _with_person(state: TournamentState, person: Person) -> TournamentState:
    return replace(state, people=_put(state.people, person.person_id, person))


def _given(state: TournamentState, event: happened.PenaltyGiven) -> TournamentState:
    given = Given(
        penalty_id=event.penalty_id,
        person_id=event.person_id,
        reported=event.reported,
        infraction=event.infraction,
        round=event.round,
        game=event.game,
        penalty=event.penalty,
        absorbed=event.absorbed,
        applies_to=event.applies_to,
        effects=event.effects,
        cause=event.cause,
    )
    duties = state.duties
    for duty in event.duties:
        owed = OwedDuty(duty_id=duty.duty_id, kind=duty.kind, to=duty.to, penalty_id=event.penalty_id, person_id=event.person_id, since=event.at)
        duties = _put(duties, duty.duty_id, owed)
    state = replace(state, penalties=_put(state.penalties, given.penalty_id, given), duties=duties)
    if event.penalty in _DISQUALIFIED and not event.absorbed:
        person = state.people[event.person_id]
        return _with_person(state, replace(person, disqualified=event.penalty))
    return state


def _absorbed(state: TournamentState, penalty_id: str) -> TournamentState:
    absorbed = replace(state.penalties[penalty_id], absorbed=True, applies_to=None, effects=())
    kept = {key: duty for key, duty in state.duties.items() if duty.penalty_id != penalty_id or duty.discharged_by is not None}
    duties = _Owned(kept) if isinstance(state.duties, _Owned) else kept
    return replace(state, penalties=_put(state.penalties, penalty_id, absorbed), duties=duties)
