"""Rollbacks as the API shows them. Replies are kept under idempotency keys for ever, so they hold no reasons."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.moderation.appeals.views import changes, reassessed_view
from services.moderation.rollbacks.events import KeptDecision, ListedDecision, PlayerRolledBack, StaffRolledBack
from services.moderation.rollbacks.planning import PlayerPlan
from services.moderation.rollbacks.state import RollbackState
from services.moderation.views.standing import as_reply, facts_of, standing_now
from shared.eventstore.port import TableWrite

_encode = msgspec.json.Encoder().encode


def made_view(made: StaffRolledBack, plans: Sequence[PlayerPlan], now: datetime) -> dict[str, Any]:
    """What the rollback does: the same for the preview and the rollback itself, apart from ids and times."""
    return {
        **_head(made),
        "state": "in_force",
        "counts": counts(made),
        "players": [_player(plan, now) for plan in plans],
        "network_bans": list(made.network_bans),
        "kept": kept_view(made.kept),
        "listed": listed_view(made.listed),
    }


def _head(made: StaffRolledBack) -> dict[str, Any]:
    return {
        "rollback_id": made.rollback_id,
        "staff_id": made.staff_id,
        "from": made.since,
        "to": made.until,
        "at": made.at,
        "by": made.by,
    }


def counts(made: StaffRolledBack) -> dict[str, int]:
    """How much was done; an incident that fell on linked accounts too counts once for each."""
    return {
        "players": sum(1 for entry in made.players if entry.version_after > entry.version_before),
        "overturned": sum(len(entry.overturned) for entry in made.players),
        "reverted": sum(len(entry.reverted) for entry in made.players),
        "reimposed": sum(len(entry.reimposed) for entry in made.players) + len(made.network_bans),
        "reassessed": sum(len(entry.reassessed) for entry in made.players),
        "kept": len(made.kept),
        "listed": len(made.listed),
    }


def entry_of(plan: PlayerPlan) -> PlayerRolledBack:
    """What is recorded of it: enough to reverse it."""
    return PlayerRolledBack(
        player_id=plan.change.player_id,
        version_before=plan.change.before.version,
        version_after=plan.change.after.version,
        overturned=plan.undone.overturned,
        reverted=plan.undone.reverted,
        reimposed=plan.undone.reimposed,
        reassessed=tuple(item.incident_id for item in plan.undone.reassessed),
    )


def _diff(plan: PlayerPlan, now: datetime) -> dict[str, Any]:
    change = plan.change
    at = change.before.moment(now)
    before, after = (as_reply(standing_now(change.player_id, facts_of(state), state.version, at)) for state in (change.before, change.after))
    return {"player_id": change.player_id, "before": before, "after": after, "changes": changes(before, after)}


def _player(plan: PlayerPlan, now: datetime) -> dict[str, Any]:
    undone = plan.undone
    return {
        **_diff(plan, now),
        "overturned": list(undone.overturned),
        "reverted": list(undone.reverted),
        "reimposed": [{"kind": item.kind, "incident_id": item.incident_id} for item in undone.reimposed],
        "reassessed": [reassessed_view(item) for item in undone.reassessed],
        "kept": kept_view(undone.kept),
        "linked": [{"incident_id": item.incident_id, "player_ids": item.player_ids} for item in undone.linked],
        "irreversible": [
            {"incident_id": item.incident_id, "sanction_id": item.sanction_id, "kind": item.kind} for item in undone.irreversible
        ],
        "version": plan.change.after.version,
    }


def reversed_view(state: RollbackState, plans: Sequence[PlayerPlan], now: datetime) -> dict[str, Any]:
    """What the reversal does."""
    if state.made is None or state.reversed is None:
        msg = "a reversal follows a rollback"
        raise AssertionError(msg)
    done = state.reversed
    return {
        **_head(state.made),
        "state": "reversed",
        "reversed_at": done.at,
        "reversed_by": done.by,
        "players": [_reinstated(plan, now) for plan in plans],
        "network_bans": list(done.network_bans),
        "kept": kept_view(done.kept),
    }


def _reinstated(plan: PlayerPlan, now: datetime) -> dict[str, Any]:
    done = plan.reinstated
    return {
        **_diff(plan, now),
        "reinstated": list(done.incidents),
        "proxy_lift": done.proxy_lift,
        "kept": kept_view(done.kept),
        "version": plan.change.after.version,
    }


def kept_view(kept: Sequence[KeptDecision]) -> list[dict[str, Any]]:
    """Decisions that stay as they are, and why."""
    return [
        {"kind": item.kind, "player_id": item.player_id, "incident_id": item.incident_id, "decision_id": item.decision_id, "why": item.why}
        for item in kept
    ]


def listed_view(listed: Sequence[ListedDecision]) -> list[dict[str, Any]]:
    """Decisions that a rollback does not cover."""
    return [{"kind": item.kind, "at": item.at, "player_id": item.player_id, "decision_id": item.decision_id} for item in listed]


def full_view(state: RollbackState) -> dict[str, Any]:
    """The rollback as it is recorded, with its reasons as far as they can be read still."""
    made, done = state.made, state.reversed
    if made is None:
        msg = "nothing was rolled back"
        raise AssertionError(msg)
    return {
        **item_view(state),
        "reason": made.words.reason if made.words is not None else None,
        "players": [msgspec.to_builtins(entry) for entry in made.players],
        "network_bans": list(made.network_bans),
        "kept": kept_view(made.kept),
        "listed": listed_view(made.listed),
        "reversal": None
        if done is None
        else {
            "at": done.at,
            "by": done.by,
            "reason": done.words.reason if done.words is not None else None,
            "players": [msgspec.to_builtins(entry) for entry in done.players],
            "network_bans": list(done.network_bans),
            "kept": kept_view(done.kept),
        },
        "version": state.version,
    }


def item_view(state: RollbackState) -> dict[str, Any]:
    """The rollback in the list."""
    made, done = state.made, state.reversed
    if made is None:
        msg = "nothing was rolled back"
        raise AssertionError(msg)
    return {
        **_head(made),
        "state": "in_force" if done is None else "reversed",
        "reversed_at": done.at if done is not None else None,
        "reversed_by": done.by if done is not None else None,
        "counts": counts(made),
    }


def rollback_row(state: RollbackState) -> TableWrite:
    """The rollback's row in the list; nothing personal."""
    view = item_view(state)
    row = (view["rollback_id"], state.version, view["staff_id"], view["at"], _encode(view))
    return TableWrite(table="rollbacks", row=row)


