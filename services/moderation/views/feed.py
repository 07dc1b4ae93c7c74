"""What other systems are told of a record's events: integration events for the feed and the webhooks, free of personal data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, assert_never

import msgspec

from services.moderation.record.events import (
    AdjustmentReverted,
    AltBanned,
    AppealDecided,
    AppealOpened,
    AppealWithdrawn,
    EffectAcknowledged,
    IncidentDecided,
    IncidentImported,
    IncidentOverturned,
    IncidentReassessed,
    IncidentReinstated,
    IpBanLifted,
    IpBanReimposed,
    LinkedIpBanImposed,
    PlayerErased,
    ProxyBanLifted,
    ProxyBanned,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    RecordEvent,
    RollbackEvent,
    Sanction,
    SanctionsAdjusted,
)
from services.moderation.record.state import CARRIED_OUT
from services.moderation.views.standing import Standing, as_reply
from shared.eventstore.port import OutboxItem

_SILENT = (EffectAcknowledged, AppealOpened, AppealWithdrawn, AppealDecided, PlayerErased)
"""Events that change no standing."""

_encode = msgspec.json.Encoder().encode


def outbox_items(player_id: str, events: Sequence[RecordEvent], standing: Standing, *, first: int) -> tuple[OutboxItem, ...]:
    """The integration events of these events of one player, which are number `first` and on of the request; last of all the new standing."""
    items = [
        OutboxItem(type=kind, player_id=player_id, data=_encode(data), event=first + index)
        for index, event in enumerate(events)
        for kind, data in _told(event)
    ]
    if any(not isinstance(event, _SILENT) for event in events):
        standing_data = {name: value for name, value in as_reply(standing).items() if name != "as_of"}
        items.append(OutboxItem(type="standing.changed", player_id=player_id, data=_encode(standing_data), event=first + len(events) - 1))
    return tuple(items)


def _told(event: RecordEvent) -> Iterator[tuple[str, dict[str, Any]]]:
    match event:
        case IncidentDecided():
            yield "incident.decided", _incident(event.incident_id, event.at, event.sanctions, event.strike, notify=event.notify)
            yield from _orders(event.incident_id, event.sanctions)
            if event.extension is not None:
                yield "sanction.changed", {"incident_id": event.extension.incident_id, "change": "extended", "ends_at": event.extension.ends_at}
        case IncidentImported():
            yield "incident.decided", {**_incident(event.incident_id, event.at, event.sanctions, event.strike, notify=True), "imported": True}
        case AltBanned() | LinkedIpBanImposed():
            yield "incident.decided", _incident(event.incident_id, event.at, event.sanctions, None, notify=True)
        case SanctionsAdjusted():
            yield (
                "sanction.changed",
                {"incident_id": event.incident_id, "change": "adjusted", "sanctions": [_sanction(s) for s in event.after], "at": event.at},
            )
            known = {sanction.sanction_id for sanction in event.before}
            yield from _orders(event.incident_id, tuple(s for s in event.after if s.sanction_id not in known))
        case IpBanLifted():
            yield "sanction.changed", {"incident_id": event.incident_id, "change": "ip_ban_lifted", "at": event.at}
        case ProxyBanned():
            yield "sanction.changed", {"incident_id": None, "change": "proxy_banned", "at": event.at}
        case ProxyBanLifted():
            yield "sanction.changed", {"incident_id": None, "change": "proxy_ban_lifted", "at": event.at}
        case EffectAcknowledged():
            yield "sanction.changed", {"incident_id": event.incident_id, "change": "carried_out", "effect": event.effect, "at": event.at}
        case AppealOpened() | AppealWithdrawn() | AppealDecided():
            yield from _appeal(event)
        case IncidentOverturned():
            yield "sanction.changed", {"incident_id": event.incident_id, "change": "overturned", "sanctions": [], "at": event.at}
            for ban in event.restored:
                yield "sanction.changed", {"incident_id": ban.incident_id, "change": "extension_withdrawn", "ends_at": ban.ends_at, "at": event.at}
        case IncidentReassessed():
            sanctions = [_sanction(sanction) for sanction in event.sanctions_after]
            yield "sanction.changed", {"incident_id": event.incident_id, "change": "reassessed", "sanctions": sanctions, "at": event.at}
        case PlayerErased():
            return  # nothing that the game acts on
        case AdjustmentReverted() | IpBanReimposed() | ProxyBanReimposed() | IncidentReinstated() | ProxyLiftReinstated():
            yield from _rolled_back(event)
        case _:
            assert_never(event)


def _rolled_back(event: RollbackEvent) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a rollback takes back, and what its reversal puts back; effects that are to be carried out again are ordered again."""
    match event:
        case AdjustmentReverted() | IncidentReinstated():
            change = "adjustment_reverted" if isinstance(event, AdjustmentReverted) else "reinstated"
            active = tuple(held.sanction for held in event.restored.sanctions if held.state == "active" and not event.restored.overturned)
            sanctions = [_sanction(sanction) for sanction in active]
            yield "sanction.changed", {"incident_id": event.incident_id, "change": change, "sanctions": sanctions, "at": event.at}
            standing = {sanction.sanction_id for sanction in event.sanctions_before} if isinstance(event, AdjustmentReverted) else set()
            yield from _orders(event.incident_id, tuple(sanction for sanction in active if sanction.sanction_id not in standing))
        case IpBanReimposed():
            yield "sanction.changed", {"incident_id": event.incident_id, "change": "ip_ban_reimposed", "at": event.at}
        case ProxyBanReimposed():
            yield "sanction.changed", {"incident_id": None, "change": "proxy_banned", "at": event.at}
        case ProxyLiftReinstated():
            yield "sanction.changed", {"incident_id": None, "change": "proxy_ban_lifted", "at": event.at}
        case _:
            assert_never(event)


def _appeal(event: AppealOpened | AppealWithdrawn | AppealDecided) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(event, AppealOpened):
        target = {"incident_id": event.incident_id, "adjustment_id": event.target.adjustment_id, "network_ban_id": event.target.network_ban_id}
        yield "appeal.opened", {"appeal_id": event.appeal_id, **target, "at": event.at}
    elif isinstance(event, AppealDecided):
        yield "appeal.decided", {"appeal_id": event.appeal_id, "outcome": event.outcome, "at": event.at}


def _incident(incident_id: str, at: datetime, sanctions: tuple[Sanction, ...], strike: int | None, *, notify: bool) -> dict[str, Any]:
    return {
        "incident_id": incident_id,
        "decided_at": at,
        "strike": None if strike is None else {"number": strike},
        "sanctions": [_sanction(sanction) for sanction in sanctions],
        "notify": notify,
    }


def _orders(incident_id: str, sanctions: tuple[Sanction, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    for sanction in sanctions:
        if sanction.kind in CARRIED_OUT:
            yield "effect.ordered", {"incident_id": incident_id, "sanction_id": sanction.sanction_id, "effect": sanction.kind}


def _sanction(sanction: Sanction) -> dict[str, Any]:
    view: dict[str, Any] = {"sanction_id": sanction.sanction_id, "kind": sanction.kind, "starts_at": sanction.starts_at, "ends_at": sanction.ends_at}
    return view if sanction.days is None else {**view, "days": sanction.days}
