"""Samples of calls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from services.calls.calls import events
from tests.golden.files import Sample

_AT: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_LEASE: Final = _AT + timedelta(seconds=120)
_CALL: Final = "019ad000-0000-7000-8000-000000000010"
_DECISION: Final = "019ad000-0000-7000-8000-000000000011"
_INCIDENT: Final = "019ad000-0000-7000-8000-000000000012"
_APPEAL: Final = "019ad000-0000-7000-8000-000000000013"

_EVENTS: Final[tuple[object, ...]] = (
    events.CallOpened(
        call_id=_CALL,
        duel_id="d1",
        players=("p1", "p2"),
        ruling_authority="TCG",
        subject="p1",
        category="afk",
        origin="duel",
        participant=True,
        at=_AT,
        words=events.ProblemWords(message="They don't move.", history_ref="history/1", chat_ref="chat/1"),
    ),
    events.ProblemAdded(
        subject="p9", category="harassment", origin="lobby", participant=False, at=_AT, words=events.ProblemWords(message="Look at the chat.")
    ),
    events.ProblemsWithdrawn(caller_id="p9", at=_AT),
    events.PresenceNoted(player_id="p2", presence="disconnected", at=_AT),
    events.CallTaken(staff_id="admin-1", role="admin", lease_until=_LEASE, at=_AT),
    events.LeaseRenewed(staff_id="admin-1", lease_until=_LEASE, at=_AT),
    events.IdleNoted(player_id="p2", idle_since=_AT - timedelta(minutes=4), seen_at=_AT, at=_AT),
    events.PlayerPrompted(player_id="p2", staff_id="admin-1", prompted_at=_AT, at=_AT),
    events.PlayerReplied(player_id="p2", replied_at=_AT, at=_AT),
    events.CategoryCorrected(staff_id="admin-1", before="afk", category="slow-play", at=_AT),
    events.DecisionMade(
        decision_id=_DECISION,
        kind="penalty",
        staff_id="admin-1",
        role="admin",
        subject="p2",
        at=_AT,
        sources=("duel_history",),
        incident_id=_INCIDENT,
        player_id="p2",
        words=events.Words(text="Slow play.", refs=("history/1",)),
    ),
    events.PlayResumed(staff_id="admin-1", at=_AT),
    events.DecisionAppealed(decision_id=_DECISION, player_id="p2", at=_AT, record_appeal_id=_APPEAL),
    events.CallAppealDecided(
        decision_id=_DECISION,
        outcome="upheld",
        staff_id="senior-1",
        role="senior_admin",
        subject="p2",
        lease_until=_LEASE,
        at=_AT,
        words=events.Words(text="It stands."),
    ),
    events.CallReleased(staff_id="senior-1", at=_AT),
    events.CallTaken(staff_id="admin-2", role="admin", lease_until=_LEASE, at=_AT, previous="senior-1"),
    events.CallResolved(
        staff_id="admin-2", subject="p1", misuse=True, at=_AT, charged="p1", incident_id=_INCIDENT, words=events.Words(text="Nothing was wrong.")
    ),
    events.CallCancelled(at=_AT),
)
SAMPLES: Final = tuple(Sample(event=event, stream=f"call-{_CALL}", version=version) for version, event in enumerate(_EVENTS, 1))
