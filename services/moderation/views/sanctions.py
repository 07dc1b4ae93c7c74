"""Sanctions and assessments as the API shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from services.moderation.record.entries import Held
from services.moderation.record.events import AssessedOffense, Outcome, Sanction


def sanction_view(held: Held, at: datetime) -> dict[str, Any]:
    """A sanction at `at`: `expired` follows from its end and time alone (D01, D02); `days` stays what was granted (D15)."""
    sanction = held.sanction
    state = held.state
    if state == "active" and sanction.ends_at is not None and at >= sanction.ends_at:
        state = "expired"
    return plain_sanction(sanction, state, extended_days=held.extended_days)


def is_active(held: Held, at: datetime) -> bool:
    """Whether the sanction is in force at `at`."""
    return held.state == "active" and (held.sanction.ends_at is None or at < held.sanction.ends_at)


def plain_sanction(sanction: Sanction, state: str, *, extended_days: int = 0) -> dict[str, Any]:
    """A sanction in this state."""
    view: dict[str, Any] = {"sanction_id": sanction.sanction_id, "kind": sanction.kind}
    if sanction.days is not None:
        view["days"] = sanction.days
    if extended_days:
        view["extended_days"] = extended_days
    if sanction.kind == "ip_ban":
        view["networks"] = len(sanction.networks)
    return {**view, "starts_at": sanction.starts_at, "ends_at": sanction.ends_at, "state": state}


def assessment_line(line: AssessedOffense) -> dict[str, Any]:
    """One line of the assessment, in the contract's words."""
    return {
        "infraction": line.infraction,
        "column": line.column,
        "cell": line.cell,
        "sanctions": [_outcome(outcome) for outcome in line.sanctions],
        "upgraded_from": line.upgraded_from,
        "upgradable_to": line.upgradable_to,
        "basis": line.basis,
        "charged": line.charged,
        "variant": line.variant,
        "derived_from": line.derived_from,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {"kind": outcome.kind} if outcome.days is None else {"kind": outcome.kind, "days": outcome.days}
