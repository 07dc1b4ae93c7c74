"""A referral as the API shows it, and its row in the list."""

from __future__ import annotations

from typing import Any

import msgspec

from services.moderation.referrals.events import ReferralEvent
from services.moderation.referrals.state import INITIAL, ReferralState, evolve
from shared.commands import StreamChange
from shared.eventstore.port import TableWrite

_encode = msgspec.json.Encoder().encode


def stream_of(referral_id: str) -> str:
    """The stream of a referral."""
    return f"referral-{referral_id}"


def change_of(referral_id: str, person_id: str, before: ReferralState, events: tuple[ReferralEvent, ...]) -> StreamChange:
    """The new events; words are sealed under the key of the person whom they are about."""
    return StreamChange(stream=stream_of(referral_id), expected_version=before.version, events=events, subject=person_id)


def folded(events: tuple[ReferralEvent, ...], state: ReferralState = INITIAL) -> ReferralState:
    """The referral after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def referral_view(state: ReferralState, *, words: bool = False) -> dict[str, Any]:
    """The referral; with `words` the reason of its end, as far as it can be read still."""
    opened, closed = state.opened, state.closed
    if opened is None:
        raise ValueError("no referral")
    view: dict[str, Any] = {
        "referral_id": opened.referral_id,
        "state": state.state,
        "tournament_id": opened.tournament_id,
        "penalty_id": opened.penalty_id,
        "person_id": opened.person_id,
        "infraction": opened.infraction,
        "penalty": opened.penalty,
        "referred_by": opened.by,
        "opened_at": opened.at,
        "closed_by": closed.by if closed else None,
        "closed_at": closed.at if closed else None,
        "incident_id": closed.incident_id if closed else None,
        "version": state.version,
    }
    return {**view, "reason": closed.words.reason if closed and closed.words else None} if words else view


def referral_row(state: ReferralState) -> TableWrite:
    """The row of the list; nothing personal but the person's id."""
    view = referral_view(state)
    row = (view["referral_id"], view["person_id"], view["state"], view["opened_at"], state.version, _encode(view))
    return TableWrite(table="referrals", row=row)
