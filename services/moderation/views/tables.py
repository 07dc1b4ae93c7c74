"""The projection tables written in the transaction of the events: what guards the game is never behind the log."""

from __future__ import annotations

import msgspec

from services.moderation.views.standing import StandingFacts, row_facts
from shared.eventstore.port import Slot, TableWrite

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(StandingFacts).decode


def standing_write(player_id: str, facts: StandingFacts, version: int) -> TableWrite:
    """The player's standing after these events."""
    body = _encode(row_facts(facts))
    return TableWrite(table="standing", row=(player_id, version, Slot.LAST_POSITION, body))


def read_facts(body: bytes) -> StandingFacts:
    """The facts in a row of `standing`."""
    return _decode(body)
