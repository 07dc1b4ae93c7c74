"""Appeals as the API shows them: the appeal itself, and what a decision does (contract, "Appeals")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from services.moderation.appeals.cascade import Reassessed
from services.moderation.appeals.events import AppealDecided, AppealOpened, Kept
from services.moderation.appeals.overturn import Effects
from services.moderation.appeals.state import Appeal
from services.moderation.record.events import Sanction
from services.moderation.views.standing import Standing, as_reply
from services.moderation.views.timeline import Recorded
from shared.eventstore.port import TableWrite

_encode = msgspec.json.Encoder().encode
_VOLATILE = frozenset({"as_of", "version"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A decision on the state that was read: the standing before and after it, and its effects."""

    player_version: int
    before: Standing
    after: Standing
    effects: Effects


def appeal_row(player_id: str, appeal: Appeal, version: int) -> TableWrite:
    """The appeal's row in the list; nothing personal."""
    return TableWrite(
        table="appeals", row=(appeal.appeal_id, player_id, appeal.state, appeal.opened_at, version, _encode(appeal_view(player_id, appeal)))
    )


def appeal_view(player_id: str, appeal: Appeal) -> dict[str, Any]:
    """The appeal without words."""
    return {
        "appeal_id": appeal.appeal_id,
        "player_id": player_id,
        "state": appeal.state,
        "incident_id": appeal.incident_id,
        "adjustment_id": appeal.target.adjustment_id,
        "network_ban_id": appeal.target.network_ban_id,
        "opened_at": appeal.opened_at,
        "outcome": appeal.outcome,
        "decided_by": appeal.decided_by,
        "decided_at": appeal.decided_at,
    }


def full_view(player_id: str, appeal: Appeal, events: Iterable[Recorded], *, staff: bool) -> dict[str, Any]:
    """The appeal with its words, as far as they can be read still; the player's side sees the reply, and neither reason nor staff."""
    view: dict[str, Any] = {**appeal_view(player_id, appeal), "grounds": None, "reply": None, "cascade": None, "kept": []}
    for recorded in events:
        event = recorded.event
        if isinstance(event, AppealOpened) and event.appeal_id == appeal.appeal_id:
            view["grounds"] = event.words.grounds if event.words is not None else None
        if isinstance(event, AppealDecided) and event.appeal_id == appeal.appeal_id:
            view |= {"reply": event.words.reply if event.words is not None else None, "cascade": event.cascade, "kept": kept_view(event.kept)}
            if staff:
                view["reason"] = event.words.reason if event.words is not None else None
    if not staff:
        view |= {"decided_by": None, "kept": [], "cascade": None}
    return view


def review_view(review: Review) -> dict[str, Any]:
    """What the decision does; the same for the preview and the decision itself (I-34, I-35)."""
    effects = review.effects
    before, after = as_reply(review.before), as_reply(review.after)
    return {
        "before": before,
        "after": after,
        "changes": changes(before, after),
        "reassessed": [reassessed_view(item) for item in effects.reassessed],
        "kept": kept_view(effects.kept),
        "linked": [{"incident_id": item.incident_id, "player_ids": item.player_ids} for item in effects.linked],
        "irreversible": [
            {"incident_id": item.incident_id, "sanction_id": item.sanction_id, "kind": item.kind} for item in effects.irreversible
        ],
        "freed": list(effects.freed),
        "player_version": review.player_version,
    }


def kept_view(kept: Iterable[Kept]) -> list[dict[str, str]]:
    """Incidents that stay as they are, and why."""
    return [{"incident_id": item.incident_id, "why": item.why} for item in kept]


def changes(before: Mapping[str, Any], after: Mapping[str, Any], prefix: str = "") -> list[dict[str, Any]]:
    """Every member that differs, by its path such as `ban.ends_at`; the moment and the version always do and are left out."""
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old == new or (not prefix and name in _VOLATILE):
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += changes(old, new, f"{prefix}{name}.")
        else:
            found.append({"path": f"{prefix}{name}", "before": old, "after": new})
    return found


def reassessed_view(item: Reassessed) -> dict[str, Any]:
    """A later incident read again."""
    return {
        "incident_id": item.incident_id,
        "column_before": item.column_before,
        "column_after": item.column_after,
        "strike_before": item.strike_before,
        "strike_after": item.strike_after,
        "sanctions_before": [_sanction(sanction) for sanction in item.sanctions_before],
        "sanctions_after": [_sanction(sanction) for sanction in item.sanctions_after],
    }


def _sanction(sanction: Sanction) -> dict[str, Any]:
    """A sanction without its id, which a decision gives anew: a preview says the same as the decision."""
    view: dict[str, Any] = {"kind": sanction.kind, "starts_at": sanction.starts_at, "ends_at": sanction.ends_at}
    return view if sanction.days is None else {**view, "days": sanction.days}


