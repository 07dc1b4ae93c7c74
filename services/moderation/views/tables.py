"""The projection tables written in the transaction of the events: what guards the game is never behind the log."""

from __future__ import annotations

import msgspec

from services.moderation.record.state import RecordState
from services.moderation.views.standing import StandingFacts, facts_of, row_facts
from shared.eventstore.port import Slot, TableWrite

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StandingFacts).decode


def standing_write(player_id: str, state: RecordState) -> TableWrite:
    """The player's standing after these events."""
    body = _encode(row_facts(facts_of(state)))
    return TableWrite(table="standing", row=(player_id, state.version, Slot.LAST_POSITION, body))


def read_facts(body: bytes) -> StandingFacts:
    """The facts in a row of `standing`."""
    return _decode(body)
