"""What other systems are told: `tournament.penalty` when one is given, absorbed or moved; nothing that a judge wrote."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.moderation.tournaments.events import PenaltyAbsorbed, PenaltyGiven, PenaltyMoved, TournamentEvent
from services.moderation.tournaments.state import TournamentState
from services.moderation.tournaments.view import effect_view
from shared.eventstore.port import OutboxItem

_encode = msgspec.json.Encoder().encode


def penalty_items(state: TournamentState, events: Sequence[TournamentEvent]) -> tuple[OutboxItem, ...]:
    """The integration events of these events; `state` is the tournament after them."""
    items = []
    for number, event in enumerate(events):
        if not isinstance(event, PenaltyGiven | PenaltyAbsorbed | PenaltyMoved):
            continue
        given = state.penalties[event.penalty_id]
        what = {PenaltyGiven: "given", PenaltyAbsorbed: "absorbed", PenaltyMoved: "moved"}[type(event)]
        data = {
            "tournament_id": state.tournament_id,
            "penalty_id": given.penalty_id,
            "person_id": given.person_id,
            "what": what,
            "infraction": given.infraction,
            "penalty": given.penalty,
            "round": given.round,
            "absorbed": given.absorbed,
            "applies_to": given.applies_to,
            "effects": [effect_view(effect) for effect in given.effects],
            "at": event.at,
        }
        items.append(OutboxItem(type="tournament.penalty", player_id=given.person_id, data=_encode(data), event=number))
    return tuple(items)
