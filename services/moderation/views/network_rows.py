"""The rows by which an access check finds barred networks: one per network that an active IP ban covers, gone as soon as it is lifted (N07)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from services.moderation.record.entries import Incident
from services.moderation.record.events import (
    AltBanned,
    EffectAcknowledged,
    IncidentDecided,
    IncidentImported,
    LinkedIpBanImposed,
    ProxyBanLifted,
    ProxyBanned,
    RecordEvent,
)
from services.moderation.record.state import RecordState
from shared.eventstore.port import TableWrite

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveIpBan:
    """An IP ban in force on an account's networks; its sanction id is its network ban id."""

    network_ban_id: str
    incident_id: str
    networks: tuple[str, ...]
    starts_at: datetime


def active_ip_bans(incidents: Iterable[Incident]) -> dict[str, ActiveIpBan]:
    """The IP bans in force of these incidents, by network ban id."""
    return {
        held.sanction.sanction_id: ActiveIpBan(
            network_ban_id=held.sanction.sanction_id,
            incident_id=incident.incident_id,
            networks=held.sanction.networks,
            starts_at=held.sanction.starts_at,
        )
        for incident in incidents
        if incident.in_force
        for held in incident.sanctions
        if held.sanction.kind == "ip_ban" and held.state == "active"
    }


def may_bar(event: RecordEvent) -> bool:
    """Whether an IP ban may have begun or ended with this event; most did not, and that is seen without the record."""
    match event:
        case IncidentDecided() | IncidentImported() | AltBanned() | LinkedIpBanImposed():
            return any(sanction.kind == "ip_ban" for sanction in event.sanctions)
        case EffectAcknowledged():
            return event.effect == "ip_ban"
        case ProxyBanned() | ProxyBanLifted():
            return False
        case _:
            return True


def network_writes(player_id: str, before: RecordState, after: RecordState) -> tuple[TableWrite, ...]:
    """What changes in the tables of barred networks between two states of a record."""
    if before.incidents is after.incidents:
        return ()
    held = before.incidents.get
    changed = [incident_id for incident_id, incident in after.incidents.items() if held(incident_id) is not incident]
    old = active_ip_bans([before.incidents[incident_id] for incident_id in changed if incident_id in before.incidents])
    new = active_ip_bans([after.incidents[incident_id] for incident_id in changed])
    if old.keys() == new.keys():
        return ()
    return (
        *(write for ban_id, ban in old.items() if ban_id not in new for write in _gone(player_id, ban, after)),
        *(write for ban_id, ban in new.items() if ban_id not in old for write in _there(player_id, ban, after)),
    )


def _there(player_id: str, ban: ActiveIpBan, after: RecordState) -> Iterator[TableWrite]:
    for network in ban.networks:
        yield TableWrite(table="network_bans", row=(bytes.fromhex(network), ban.network_ban_id, player_id, ban.incident_id, None))
    yield _listed(player_id, ban, after, lifted=False)


def _gone(player_id: str, ban: ActiveIpBan, after: RecordState) -> Iterator[TableWrite]:
    for network in ban.networks:
        yield TableWrite(table="network_bans", row=(bytes.fromhex(network), ban.network_ban_id), delete=True)
    yield _listed(player_id, ban, after, lifted=True)


def _listed(player_id: str, ban: ActiveIpBan, after: RecordState, *, lifted: bool) -> TableWrite:
    body: dict[str, Any] = {
        "network_ban_id": ban.network_ban_id,
        "source": "incident",
        "incident_id": ban.incident_id,
        "player_id": player_id,
        "networks": len(ban.networks),
        "created_at": ban.starts_at,
        "ends_at": None,
        "state": "lifted" if lifted else "active",
    }
    return TableWrite(table="network_ban_list", row=(ban.network_ban_id, after.version, ban.starts_at, _encode(body)))


