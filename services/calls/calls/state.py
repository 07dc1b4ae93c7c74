"""A call as its rules see it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never

from services.calls.calls.events import (
    CallAppealDecided,
    CallCancelled,
    CallEvent,
    CallOpened,
    CallReleased,
    CallResolved,
    CallTaken,
    CategoryCorrected,
    DecisionAppealed,
    DecisionMade,
    IdleNoted,
    LeaseRenewed,
    PlayerPrompted,
    PlayerReplied,
    PlayResumed,
    PresenceNoted,
    ProblemAdded,
    ProblemsWithdrawn,
)
from services.calls.calls.transitions import APPEALED, CANCELLED, CLOSED, OPEN, RESOLVED, TAKEN

LEFT = frozenset({"quit", "disconnected", "conceded"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A caller's problem; a withdrawn one no longer keeps the call."""

    caller_id: str
    category: str
    participant: bool
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision on the call; `final` once its appeal has been decided."""

    decision_id: str
    kind: str
    staff_id: str
    subject: str
    incident_id: str | None = None
    player_id: str | None = None
    record_appeal_id: str | None = None
    final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallState:
    """`version` counts the call's events, 0: no such call. `gone` are players who left; `takers` everybody who ever had the call.

    `first_taken_at` ends the waiting time; `resumed`: the taker let the players go on; `appealed` is the decision under appeal.
    """

    version: int = 0
    call_id: str = ""
    state: str = OPEN
    duel_id: str | None = None
    players: tuple[str, ...] = ()
    ruling_authority: str | None = None
    category: str = ""
    problems: tuple[Problem, ...] = ()
    opened_at: datetime | None = None
    first_taken_at: datetime | None = None
    taker: str | None = None
    takers: frozenset[str] = frozenset()
    lease_until: datetime | None = None
    resumed: bool = False
    gone: frozenset[str] = frozenset()
    decisions: dict[str, Decision] = field(default_factory=dict)
    appealed: str | None = None
    last_at: datetime | None = None

    @property
    def exists(self) -> bool:
        """Whether it was ever opened."""
        return self.version > 0

    @property
    def live(self) -> bool:
        """Whether it has not ended."""
        return self.exists and self.state not in CLOSED

    @property
    def standing(self) -> tuple[Problem, ...]:
        """The problems that nobody took back."""
        return tuple(problem for problem in self.problems if not problem.withdrawn)

    @property
    def callers(self) -> frozenset[str]:
        """Everybody who ever called."""
        return frozenset(problem.caller_id for problem in self.problems)

    @property
    def first_caller(self) -> str:
        """Who opened it."""
        return self.problems[0].caller_id

    @property
    def pauses(self) -> bool:
        """Whether the duel stands still for it (I-43): nobody has it, a participant's problem stands, and somebody is there to pause for (I-44)."""
        waiting = self.live and self.taker is None and any(problem.participant for problem in self.standing)
        return waiting and not self.gone.issuperset(self.players)

    @property
    def admin(self) -> str | None:
        """Whom the duel is under (I-50)."""
        return self.taker if self.live and not self.resumed else None

    def moment(self, at: datetime) -> datetime:
        """`at`, but never before what is recorded already."""
        return at if self.last_at is None else max(at, self.last_at)


INITIAL = CallState()


def evolve(state: CallState, event: CallEvent) -> CallState:
    """The call after the event."""
    state = replace(state, version=state.version + 1, last_at=event.at)
    match event:
        case CallOpened():
            return _opened(state, event)
        case ProblemAdded():
            return replace(state, problems=(*state.problems, _problem(event)))
        case ProblemsWithdrawn():
            return _withdrawn(state, event)
        case CallCancelled():
            return replace(state, state=CANCELLED)
        case CallTaken():
            taken = replace(state, state=TAKEN, first_taken_at=state.first_taken_at or event.at)
            return _taken(taken, event.staff_id, event.lease_until)
        case LeaseRenewed():
            return replace(state, lease_until=event.lease_until)
        case CallReleased():
            return replace(state, state=OPEN, taker=None, lease_until=None, resumed=False)
        case PresenceNoted():
            return replace(state, gone=state.gone | {event.player_id} if event.presence in LEFT else state.gone - {event.player_id})
        case IdleNoted() | PlayerPrompted() | PlayerReplied():
            return state
        case CategoryCorrected():
            return replace(state, category=event.category)
        case DecisionMade():
            return replace(state, decisions={**state.decisions, event.decision_id: _decision(event)})
        case DecisionAppealed():
            return _appealed(state, event)
        case CallAppealDecided():
            return _appeal_decided(state, event)
        case PlayResumed():
            return replace(state, resumed=True)
        case CallResolved():
            return replace(state, state=RESOLVED, lease_until=None)
        case _:
            assert_never(event)


def _problem(event: CallOpened | ProblemAdded) -> Problem:
    return Problem(caller_id=event.subject, category=event.category, participant=event.participant)


def _opened(state: CallState, event: CallOpened) -> CallState:
    return replace(
        state,
        call_id=event.call_id,
        duel_id=event.duel_id,
        players=event.players,
        ruling_authority=event.ruling_authority,
        category=event.category,
        problems=(_problem(event),),
        opened_at=event.at,
    )


def _withdrawn(state: CallState, event: ProblemsWithdrawn) -> CallState:
    problems = tuple(replace(p, withdrawn=True) if p.caller_id == event.caller_id else p for p in state.problems)
    return replace(state, problems=problems)


def _taken(state: CallState, staff_id: str, lease_until: datetime) -> CallState:
    return replace(state, taker=staff_id, takers=state.takers | {staff_id}, lease_until=lease_until, resumed=False)


def _decision(event: DecisionMade) -> Decision:
    return Decision(
        decision_id=event.decision_id,
        kind=event.kind,
        staff_id=event.staff_id,
        subject=event.subject,
        incident_id=event.incident_id,
        player_id=event.player_id,
    )


def _appealed(state: CallState, event: DecisionAppealed) -> CallState:
    decision = replace(state.decisions[event.decision_id], record_appeal_id=event.record_appeal_id)
    return replace(state, state=APPEALED, appealed=event.decision_id, decisions={**state.decisions, event.decision_id: decision})


def _appeal_decided(state: CallState, event: CallAppealDecided) -> CallState:
    decision = replace(state.decisions[event.decision_id], final=True)
    decided = replace(state, state=TAKEN, appealed=None, decisions={**state.decisions, event.decision_id: decision})
    return _taken(decided, event.staff_id, event.lease_until)
