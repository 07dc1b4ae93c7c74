"""What happens meanwhile: who left, who is idle, who was asked and answered (I-44, I-50). None of it changes the call's state."""

from __future__ import annotations

from collections.abc import Sequence

from services.calls.calls.commands import NoteIdle, NotePresence, NotePrompt, NoteReply
from services.calls.calls.events import CallEvent, IdleNoted, PlayerPrompted, PlayerReplied, PresenceNoted
from services.calls.calls.guards import check_in_duel, check_possible, check_taker, past
from services.calls.calls.state import CallState
from shared.refusal import Refusal


def note_presence(command: NotePresence, state: CallState) -> Sequence[CallEvent]:
    """Record who left or came back; cancels nothing (I-44, Q02). Raises a `Refusal`: `call_closed`, `not_in_duel` for neither player nor caller."""
    check_possible("presence", state)
    check_in_duel(command.player_id, state, callers=True)
    return [PresenceNoted(player_id=command.player_id, presence=command.presence, at=state.moment(command.at))]


def note_idle(command: NoteIdle, state: CallState) -> Sequence[CallEvent]:
    """Record idleness that was seen.

    Raises a `Refusal`: `call_closed`, `not_in_duel`, `occurred_in_future`, `invalid_request` for an end before the start.
    """
    check_possible("idle", state)
    check_in_duel(command.player_id, state)
    seen_at = past(command.seen_at, command.at, "at")
    idle_since = past(command.idle_since, command.at, "idle_since")
    if idle_since > seen_at:
        raise Refusal("invalid_request", "Idleness is seen after it began.", field="idle_since")
    return [IdleNoted(player_id=command.player_id, idle_since=idle_since, seen_at=seen_at, at=state.moment(command.at))]


def note_prompt(command: NotePrompt, state: CallState) -> Sequence[CallEvent]:
    """Record that the taker asked. Raises a `Refusal`: `call_closed`, `invalid_transition`, `not_the_taker`, `not_in_duel`, `occurred_in_future`."""
    check_possible("prompts", state)
    check_taker(command.by, state)
    check_in_duel(command.player_id, state)
    prompted_at = past(command.prompted_at, command.at, "at")
    return [PlayerPrompted(player_id=command.player_id, staff_id=command.by.staff_id, prompted_at=prompted_at, at=state.moment(command.at))]


def note_reply(command: NoteReply, state: CallState) -> Sequence[CallEvent]:
    """Record an answer. Raises a `Refusal`: `call_closed`, `not_in_duel`, `occurred_in_future`."""
    check_possible("replies", state)
    check_in_duel(command.player_id, state)
    return [PlayerReplied(player_id=command.player_id, replied_at=past(command.replied_at, command.at, "at"), at=state.moment(command.at))]
