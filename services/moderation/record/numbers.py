"""The numbers of a player's strikes: 1, 2, 3 in the order they were recorded, over those that count now.

The number in an event is that of its own moment. Since then an earlier strike may have been taken away or given back, so what is shown is counted
anew: each number once, and the last one is the count of the standing (I-2). The column that an incident was read at is another fact and never
changes (I-20).
"""

from __future__ import annotations

from collections.abc import Mapping

from services.moderation.record.entries import Incident


def strike_numbers(incidents: Mapping[str, Incident]) -> dict[str, int]:
    """The number of each incident whose strike counts."""
    counting = [incident.incident_id for incident in incidents.values() if incident.strike is not None and incident.in_force]
    return {incident_id: number for number, incident_id in enumerate(counting, 1)}


def number_to_be(incidents: Mapping[str, Incident], incident_id: str) -> int:
    """The number of a strike that this incident has or is given back."""
    number = 1
    for incident in incidents.values():
        if incident.incident_id == incident_id:
            break
        number += incident.strike is not None and incident.in_force
    return number
