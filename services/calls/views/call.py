"""A call as the API shows it. Without `personal` nothing that people wrote is in it: such views are kept under idempotency keys and in tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from services.calls.calls.afk import MAJOR, MINOR, Seen, Stop, assess
from services.calls.calls.events import (
    CallAppealDecided,
    CallCancelled,
    CallEvent,
    CallOpened,
    CallResolved,
    CallTaken,
    DecisionAppealed,
    DecisionMade,
    IdleNoted,
    PlayerPrompted,
    PlayerReplied,
    PresenceNoted,
    ProblemAdded,
    ProblemsWithdrawn,
)
from services.calls.calls.repository import LoadedCall
from services.calls.calls.transitions import OPEN
from services.calls.rooms.state import RoomState

STALE_AFTER = timedelta(minutes=5)
"""A call that waits as long as this is pointed out to staff; it waits on from when it was opened, whatever its category became."""


def call_view(call: LoadedCall, room: RoomState | None, *, personal: bool) -> dict[str, Any]:
    """The call; `queue_position`, `estimated_wait_seconds` and `stale` are for the caller to set, since others and time move them."""
    state = call.state
    opened = next(event for event in call.events if isinstance(event, CallOpened))
    problems = _problems(call.events, personal=personal)
    return {
        "call_id": state.call_id,
        "state": state.state,
        "category": state.category,
        "duel_id": state.duel_id,
        "origin": opened.origin,
        "caller_id": state.first_caller,
        "players": list(state.players),
        "ruling_authority": state.ruling_authority,
        "opened_at": state.opened_at,
        "pauses": state.pauses,
        "problems": [problem for problem in problems if problem["withdrawn_at"] is None],
        "withdrawn_problems": [problem for problem in problems if problem["withdrawn_at"] is not None],
        "taken_by": state.taker,
        "lease_until": state.lease_until,
        "takes": [
            {"staff_id": event.staff_id, "at": event.at, "taken_over_from": event.previous} for event in call.events if isinstance(event, CallTaken)
        ],
        "presence": [{"player_id": e.player_id, "event": e.presence, "at": e.at} for e in call.events if isinstance(e, PresenceNoted)],
        "afk": afk_view(call.events, room),
        "decisions": _decisions(call.events, personal=personal),
        **_end(call.events, personal=personal),
        "queue_position": None,
        "estimated_wait_seconds": None,
        "stale": False,
        "version": state.version,
    }


def is_stale(state: str, opened_at: datetime | None, now: datetime) -> bool:
    """Whether the call has waited so long that staff should see it."""
    return state == OPEN and opened_at is not None and now - opened_at >= STALE_AFTER


def _problems(events: Iterable[CallEvent], *, personal: bool) -> list[dict[str, Any]]:
    problems: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event, CallOpened | ProblemAdded):
            words = event.words if personal else None
            context = None if words is None else {"history_ref": words.history_ref, "chat_ref": words.chat_ref}
            problems.append(
                {
                    "caller_id": event.subject,
                    "category": event.category,
                    "origin": event.origin,
                    "participant": event.participant,
                    "at": event.at,
                    "withdrawn_at": None,
                    "message": None if words is None else words.message,
                    "context": context,
                }
            )
        elif isinstance(event, ProblemsWithdrawn):
            for problem in problems:
                if problem["caller_id"] == event.caller_id and problem["withdrawn_at"] is None:
                    problem["withdrawn_at"] = event.at
    return problems


def _decisions(events: Iterable[CallEvent], *, personal: bool) -> list[dict[str, Any]]:
    decisions: dict[str, dict[str, Any]] = {}
    for event in events:
        if isinstance(event, DecisionMade):
            decisions[event.decision_id] = _decision(event, personal=personal)
        elif isinstance(event, DecisionAppealed):
            appeal = {"player_id": event.player_id, "at": event.at, "outcome": None, "decided_by": None, "decided_at": None, "text": None}
            decisions[event.decision_id]["appeal"] = {**appeal, "incident_appeal_id": event.record_appeal_id}
        elif isinstance(event, CallAppealDecided):
            text = event.words.text if personal and event.words is not None else None
            decided = {"outcome": event.outcome, "decided_by": event.staff_id, "decided_at": event.at, "text": text}
            decisions[event.decision_id]["appeal"] |= decided
    return list(decisions.values())


def _decision(event: DecisionMade, *, personal: bool) -> dict[str, Any]:
    words = event.words if personal else None
    refs = words.refs if words is not None else ()
    return {
        "decision_id": event.decision_id,
        "kind": event.kind,
        "decided_by": event.staff_id,
        "at": event.at,
        "text": None if words is None else words.text,
        "ruling_authority": event.ruling_authority,
        "sources": [{"kind": kind, "ref": refs[index] if index < len(refs) else None} for index, kind in enumerate(event.sources)],
        "possible_in_paper": event.possible_in_paper,
        "from_history": event.from_history,
        "incident_id": event.incident_id,
        "player_id": event.player_id,
        "appeal": None,
    }


def _end(events: Sequence[CallEvent], *, personal: bool) -> dict[str, Any]:
    last = events[-1]
    closed_at = last.at if isinstance(last, CallResolved | CallCancelled) else None
    resolved = last if isinstance(last, CallResolved) else None
    words = resolved.words if resolved is not None and personal else None
    return {
        "closed_at": closed_at,
        "summary": None if words is None else words.text,
        "misuse": None if resolved is None else resolved.misuse,
        "misuse_incident_id": None if resolved is None else resolved.incident_id,
    }


def afk_view(events: Iterable[CallEvent], room: RoomState | None) -> dict[str, Any]:
    """What the records of idleness suggest (I-50), for each player and, as `suggests`, for the one who was away most."""
    records: dict[str, list[Seen]] = {}
    for event in events:
        if isinstance(event, IdleNoted):
            records.setdefault(event.player_id, []).append(Seen(kind="idle", at=event.seen_at, since=event.idle_since))
        elif isinstance(event, PlayerPrompted):
            records.setdefault(event.player_id, []).append(Seen(kind="prompt", at=event.prompted_at))
        elif isinstance(event, PlayerReplied):
            records.setdefault(event.player_id, []).append(Seen(kind="reply", at=event.replied_at))
    stops = [Stop(since=pause.since, until=pause.until) for pause in room.pauses] if room is not None else []
    found = {player_id: assess(seen, stops) for player_id, seen in records.items()}
    suggestions = {finding.suggests for finding in found.values()}
    players = [
        {"player_id": player_id, "idle_seconds": finding.idle.total_seconds(), "suggests": finding.suggests} for player_id, finding in found.items()
    ]
    return {"suggests": MAJOR if MAJOR in suggestions else MINOR if MINOR in suggestions else None, "players": players}
