"""Short ways to say what happens on a call."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from services.calls.calls import commands as ask
from services.calls.calls import events as did
from services.calls.calls.commands import Staff
from services.calls.calls.decider import CallDecider
from services.calls.calls.state import CallState
from tests.support.scenario import Scenario

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
LEASE = timedelta(seconds=120)
CALL, DECISION, DUEL = "c1", "d1", "duel-1"
P1, P2, WATCHER = "p1", "p2", "w1"
ADMIN = Staff(staff_id="admin-1", role="admin", player_id="own-admin-1")
ADMIN_B = Staff(staff_id="admin-2", role="admin", player_id="own-admin-2")
SENIOR = Staff(staff_id="senior-1", role="senior_admin", player_id="own-senior-1")
SENIOR_B = Staff(staff_id="senior-2", role="senior_admin", player_id="own-senior-2")
HEAD = Staff(staff_id="head-1", role="head_admin", player_id="own-head-1")

CallScenario = Scenario[ask.CallCommand, CallState, did.CallEvent]
CALLS: CallScenario = Scenario(CallDecider())


def later(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def press(caller: str = P1, category: str = "ruling-question", **kw: Any) -> ask.PressButton:
    """The button, in the duel of p1 and p2."""
    said: dict[str, Any] = {
        "call_id": CALL, "caller_id": caller, "category": category, "origin": "duel", "at": T0, "words": did.ProblemWords(message="Please help."),
        "duel_id": DUEL, "players": (P1, P2), "ruling_authority": "TCG", **kw,
    }  # fmt: skip
    return ask.PressButton(**said)


def opened(caller: str = P1, category: str = "ruling-question", *, participant: bool = True, **kw: Any) -> did.CallOpened:
    """What it leads to."""
    said: dict[str, Any] = {
        "call_id": CALL, "duel_id": DUEL, "players": (P1, P2), "ruling_authority": "TCG", "subject": caller, "category": category, "origin": "duel",
        "participant": participant, "at": T0, "words": did.ProblemWords(message="Please help."), **kw,
    }  # fmt: skip
    return did.CallOpened(**said)


def joined(caller: str = P2, category: str = "harassment", *, participant: bool = True) -> did.ProblemAdded:
    words = did.ProblemWords(message="Please help.")
    return did.ProblemAdded(subject=caller, category=category, origin="duel", participant=participant, at=T0, words=words)


def taken(by: Staff = ADMIN, *, at: datetime = T0, previous: str | None = None) -> did.CallTaken:
    return did.CallTaken(staff_id=by.staff_id, role=by.role, lease_until=at + LEASE, at=at, previous=previous)


def take(by: Staff = ADMIN, at: datetime = T0) -> ask.Take:
    return ask.Take(by=by, at=at, lease=LEASE)


def released(by: Staff = ADMIN) -> did.CallReleased:
    return did.CallReleased(staff_id=by.staff_id, at=T0)


def ruled(by: Staff = ADMIN, decision_id: str = DECISION) -> did.DecisionMade:
    return did.DecisionMade(
        decision_id=decision_id, kind="ruling", staff_id=by.staff_id, role=by.role, subject=P1, at=T0, ruling_authority="TCG",
        sources=("official_ruling",), words=did.Words(text="It resolves."),
    )  # fmt: skip


def decide(by: Staff = ADMIN, kind: str = "ruling", **kw: Any) -> ask.Decide:
    said: dict[str, Any] = {
        "decision_id": DECISION, "kind": kind, "by": by, "at": T0, "words": did.Words(text="It resolves."), "sources": ("official_ruling",), **kw,
    }  # fmt: skip
    return ask.Decide(**said)


def appealed(decision_id: str = DECISION) -> did.DecisionAppealed:
    return did.DecisionAppealed(decision_id=decision_id, player_id=P2, at=T0)


def appeal(player: str = P2, decision_id: str = DECISION) -> ask.AppealDecision:
    return ask.AppealDecision(decision_id=decision_id, player_id=player, at=T0)


def verdict(by: Staff = SENIOR, outcome: str = "upheld") -> ask.DecideCallAppeal:
    return ask.DecideCallAppeal(outcome=outcome, by=by, at=T0, lease=LEASE, words=did.Words(text="It stands."))


def appeal_decided(by: Staff = SENIOR, outcome: str = "upheld") -> did.CallAppealDecided:
    return did.CallAppealDecided(
        decision_id=DECISION, outcome=outcome, staff_id=by.staff_id, role=by.role, subject=P1, lease_until=T0 + LEASE, at=T0,
        words=did.Words(text="It stands."),
    )  # fmt: skip


def resolve(by: Staff = ADMIN) -> ask.Resolve:
    return ask.Resolve(by=by, at=T0, words=did.Words(text="Done."))


def resolved(by: Staff = ADMIN) -> did.CallResolved:
    return did.CallResolved(staff_id=by.staff_id, subject=P1, misuse=False, at=T0, words=did.Words(text="Done."))


def withdrawn(caller: str = P1) -> did.ProblemsWithdrawn:
    return did.ProblemsWithdrawn(caller_id=caller, at=T0)
