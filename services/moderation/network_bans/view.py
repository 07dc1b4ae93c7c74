"""A ban of a network as the API shows it, and the rows by which access checks and the list find it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.moderation.network_bans.commands import IncidentBan
from services.moderation.network_bans.events import (
    AccountExempted,
    NetworkBanEvent,
    NetworkBanLifted,
    NetworkBanned,
    NetworkBanReimposed,
    NetworkLiftReinstated,
)
from services.moderation.network_bans.repository import stream_of
from services.moderation.network_bans.state import NetworkBanState, standing_of
from services.moderation.record.events import Words
from services.moderation.views.staff_decisions import network_decisions
from shared.eventstore.port import TableWrite

_encode = msgspec.json.Encoder().encode


def incident_ban(row: Mapping[str, Any] | None) -> IncidentBan | None:
    """The incident's IP ban in this row of the list; None for a ban of a network itself, and without a row."""
    if row is None or row["source"] != "incident":
        return None
    return IncidentBan(
        incident_id=row["incident_id"],
        player_id=row["player_id"],
        networks=row["networks"],
        created_at=datetime.fromisoformat(row["created_at"]),
        active=row["state"] == "active",
    )


def ban_view(network_ban_id: str, state: NetworkBanState, incident: IncidentBan | None, at: datetime) -> dict[str, Any]:
    """The ban at `at`. Of an incident's IP ban only exemptions are kept here; who imposed it, and who lifted it, its incident tells."""
    banned, lifted = state.banned, state.lifted
    view: dict[str, Any] = {
        "network_ban_id": network_ban_id,
        "source": "network",
        "network": banned.details.network if banned is not None and banned.details is not None else None,
        "reason": banned.details.reason if banned is not None and banned.details is not None else None,
        "networks": 1,
        "incident_id": None,
        "player_id": None,
        "created_at": banned.at if banned is not None else None,
        "created_by": banned.by if banned is not None else None,
        "ends_at": banned.ends_at if banned is not None else None,
        "state": standing_of(state, at),
        "lifted": None if lifted is None else {"at": lifted.at, "by": lifted.by, "reason": _reason(lifted.words)},
        "exemptions": [_exemption_view(exempted) for exempted in state.exemptions.values()],
        "version": state.version,
    }
    if incident is not None:
        view |= {
            "source": "incident",
            "networks": incident.networks,
            "incident_id": incident.incident_id,
            "player_id": incident.player_id,
            "created_at": incident.created_at,
            "state": "active" if incident.active else "lifted",
        }
    return view


def with_words(reply: dict[str, Any], state: NetworkBanState) -> dict[str, Any]:
    """A command's reply with the network and the reasons put in, null once erased: what is kept under idempotency keys holds none of them."""
    details = state.banned.details if state.banned is not None else None
    filled = {**reply, "network": details.network if details is not None else None, "reason": details.reason if details is not None else None}
    if reply["lifted"] is not None and state.lifted is not None:
        filled["lifted"] = {**reply["lifted"], "reason": _reason(state.lifted.words)}
    filled["exemptions"] = [
        {**shown, "reason": _reason(state.exemptions[shown["player_id"]].words)} if shown["player_id"] in state.exemptions else shown
        for shown in reply["exemptions"]
    ]
    return filled


def without_words(view: dict[str, Any]) -> dict[str, Any]:
    """The view without the network and the reasons, as it is kept under an idempotency key and in the list's row."""
    bare = {**view, "network": None, "reason": None, "exemptions": [{**shown, "reason": None} for shown in view["exemptions"]]}
    return bare if view["lifted"] is None else {**bare, "lifted": {**view["lifted"], "reason": None}}


def writes_of(
    network_ban_id: str, after: NetworkBanState, events: Sequence[NetworkBanEvent], at: datetime, *, in_appeal: bool = False
) -> tuple[TableWrite, ...]:
    """The rows that change with these events: of the access check at once (N06, N07), of the list, and of what the member of staff decided.

    What is decided in an appeal counts as that appeal's decision, and not once more for itself.
    """
    writes: list[TableWrite] = []
    for event in events:
        match event:
            case NetworkBanned():
                row = (bytes.fromhex(event.network_hash), network_ban_id, None, None, event.ends_at)
                writes.append(TableWrite(table="network_bans", row=row))
            case NetworkBanReimposed() if after.banned is not None:
                row = (bytes.fromhex(after.banned.network_hash), network_ban_id, None, None, after.banned.ends_at)
                writes.append(TableWrite(table="network_bans", row=row))
            case NetworkBanLifted() | NetworkLiftReinstated() if after.banned is not None:
                writes.append(TableWrite(table="network_bans", row=(bytes.fromhex(after.banned.network_hash), network_ban_id), delete=True))
            case AccountExempted():
                writes.append(TableWrite(table="network_exemptions", row=(network_ban_id, event.player_id)))
            case _:
                pass
    if events and after.banned is not None:  # the row of an incident's IP ban is written with the player's record, under that record's version
        body = without_words(ban_view(network_ban_id, after, None, at))
        writes.append(TableWrite(table="network_ban_list", row=(network_ban_id, after.version, after.banned.at, _encode(body))))
    rows = () if in_appeal else network_decisions(stream_of(network_ban_id), after.version - len(events), events)
    return (*writes, *rows)


def _exemption_view(exempted: AccountExempted) -> dict[str, Any]:
    return {"player_id": exempted.player_id, "created_at": exempted.at, "created_by": exempted.by, "reason": _reason(exempted.words)}


def _reason(words: Words | None) -> str | None:
    return words.reason if words is not None else None
