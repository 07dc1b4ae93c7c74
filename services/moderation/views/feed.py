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
    Sanction,
    SanctionsAdjusted,
)
from services.moderation.record.state import CARRIED_OUT, RecordState
from services.moderation.views.standing import Standing, as_reply
from shared.eventstore.port import OutboxItem

_SILENT = (EffectAcknowledged, AppealOpened, AppealWithdrawn, AppealDecided, PlayerErased)
"""Events that change no standing."""

_Later = (
    SanctionsAdjusted
    | IpBanLifted
    | IpBanReimposed
    | EffectAcknowledged
    | IncidentOverturned
    | IncidentReassessed
    | AdjustmentReverted
    | IncidentReinstated
)

_encode = msgspec.json.Encoder().encode


def outbox_items(player_id: str, events: Sequence[RecordEvent], after: RecordState, standing: Standing, *, first: int) -> tuple[OutboxItem, ...]:
    """The integration events of these events of one player, which are number `first` and on of the request; last of all the new standing.

    `after` is the record with them. Every item says in `notify` whether the player is told of it: not of a silent incident, nor of what becomes of it
    (I-18). The standing's says whether anything that changed it may be told.
    """
    told = [(index, kind, data) for index, event in enumerate(events) for kind, data in _told(event, player_id, after)]
    items = [OutboxItem(type=kind, player_id=player_id, data=_encode(data), event=first + index) for index, kind, data in told]
    if any(not isinstance(event, _SILENT) for event in events):
        notify = any(data["notify"] for _, kind, data in told if not kind.startswith("appeal."))
        standing_data = {name: value for name, value in as_reply(standing).items() if name != "as_of"} | {"notify": notify}
        items.append(OutboxItem(type="standing.changed", player_id=player_id, data=_encode(standing_data), event=first + len(events) - 1))
    return tuple(items)


def _told(event: RecordEvent, player_id: str, after: RecordState) -> Iterator[tuple[str, dict[str, Any]]]:
    match event:
        case IncidentDecided():
            yield "incident.decided", _incident(event.incident_id, event.at, event.sanctions, event.strike, notify=event.notify)
            yield from _orders(event.incident_id, event.sanctions, notify=event.notify)
            if event.extension is not None:
                notify = event.notify and _notify(after, event.extension.incident_id)
                yield _changed(event.extension.incident_id, "extended", event.at, notify=notify, ends_at=event.extension.ends_at)
        case IncidentImported():
            yield "incident.decided", {**_incident(event.incident_id, event.at, event.sanctions, event.strike, notify=True), "imported": True}
        case LinkedIpBanImposed() if event.main_player_id == player_id:
            sanctions = [_sanction(sanction) for sanction in event.sanctions]
            yield _changed(event.incident_id, "ip_ban_imposed", event.at, notify=event.notify, sanctions=sanctions)
        case AltBanned() | LinkedIpBanImposed():
            yield "incident.decided", _incident(event.incident_id, event.at, event.sanctions, None, notify=event.notify)
        case AppealOpened() | AppealWithdrawn() | AppealDecided():
            yield from _appeal(event)
        case ProxyBanned() | ProxyBanReimposed():
            yield _changed(None, "proxy_banned", event.at, notify=True)
        case ProxyBanLifted() | ProxyLiftReinstated():
            yield _changed(None, "proxy_ban_lifted", event.at, notify=True)
        case PlayerErased():
            return  # nothing that the game acts on
        case _:
            yield from _became(event, after, notify=_notify(after, event.incident_id))


def _became(event: _Later, after: RecordState, *, notify: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """What became of an incident after it was decided."""
    match event:
        case SanctionsAdjusted():
            sanctions = [_sanction(sanction) for sanction in event.after]
            yield _changed(event.incident_id, "adjusted", event.at, notify=notify, sanctions=sanctions)
            known = {sanction.sanction_id for sanction in event.before}
            yield from _orders(event.incident_id, tuple(s for s in event.after if s.sanction_id not in known), notify=notify)
        case IpBanLifted():
            yield _changed(event.incident_id, "ip_ban_lifted", event.at, notify=notify)
        case IpBanReimposed():
            yield _changed(event.incident_id, "ip_ban_reimposed", event.at, notify=notify)
        case EffectAcknowledged():
            yield _changed(event.incident_id, "carried_out", event.at, notify=notify, effect=event.effect)
        case IncidentOverturned():
            yield _changed(event.incident_id, "overturned", event.at, notify=notify, sanctions=[])
            for ban in event.restored:
                told = notify and _notify(after, ban.incident_id)
                yield _changed(ban.incident_id, "extension_withdrawn", event.at, notify=told, ends_at=ban.ends_at)
        case IncidentReassessed():
            sanctions = [_sanction(sanction) for sanction in event.sanctions_after]
            yield _changed(event.incident_id, "reassessed", event.at, notify=notify, sanctions=sanctions)
        case AdjustmentReverted() | IncidentReinstated():
            yield from _put_back(event, notify=notify)
        case _:
            assert_never(event)


def _put_back(event: AdjustmentReverted | IncidentReinstated, *, notify: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a rollback takes back, and what its reversal puts back; effects that are to be carried out again are ordered again."""
    change = "adjustment_reverted" if isinstance(event, AdjustmentReverted) else "reinstated"
    active = tuple(held.sanction for held in event.restored.sanctions if held.state == "active" and not event.restored.overturned)
    yield _changed(event.incident_id, change, event.at, notify=notify, sanctions=[_sanction(sanction) for sanction in active])
    standing = {sanction.sanction_id for sanction in event.sanctions_before} if isinstance(event, AdjustmentReverted) else set()
    yield from _orders(event.incident_id, tuple(sanction for sanction in active if sanction.sanction_id not in standing), notify=notify)


def _appeal(event: AppealOpened | AppealWithdrawn | AppealDecided) -> Iterator[tuple[str, dict[str, Any]]]:
    """An appeal is the player's own, so they hear of it, also where it is about a ban of a silent incident."""
    if isinstance(event, AppealOpened):
        target = {"incident_id": event.incident_id, "adjustment_id": event.target.adjustment_id, "network_ban_id": event.target.network_ban_id}
        yield "appeal.opened", {"appeal_id": event.appeal_id, **target, "at": event.at, "notify": True}
    elif isinstance(event, AppealDecided):
        yield "appeal.decided", {"appeal_id": event.appeal_id, "outcome": event.outcome, "at": event.at, "notify": True}


def _notify(after: RecordState, incident_id: str) -> bool:
    return after.incidents[incident_id].notify


def _changed(incident_id: str | None, change: str, at: datetime, *, notify: bool, **more: Any) -> tuple[str, dict[str, Any]]:
    return "sanction.changed", {"incident_id": incident_id, "change": change, **more, "at": at, "notify": notify}


def _incident(incident_id: str, at: datetime, sanctions: tuple[Sanction, ...], strike: int | None, *, notify: bool) -> dict[str, Any]:
    return {
        "incident_id": incident_id,
        "decided_at": at,
        "strike": None if strike is None else {"number": strike},
        "sanctions": [_sanction(sanction) for sanction in sanctions],
        "notify": notify,
    }


def _orders(incident_id: str, sanctions: tuple[Sanction, ...], *, notify: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for sanction in sanctions:
        if sanction.kind in CARRIED_OUT:
            yield "effect.ordered", {"incident_id": incident_id, "sanction_id": sanction.sanction_id, "effect": sanction.kind, "notify": notify}


def _sanction(sanction: Sanction) -> dict[str, Any]:
    view: dict[str, Any] = {"sanction_id": sanction.sanction_id, "kind": sanction.kind, "starts_at": sanction.starts_at, "ends_at": sanction.ends_at}
    return view if sanction.days is None else {**view, "days": sanction.days}
