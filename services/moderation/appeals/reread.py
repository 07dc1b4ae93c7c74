"""Reading one recorded incident again on another past: same charges, same discretion, same policy version (I-34)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from services.moderation.policy.tables import Policy
from services.moderation.record.assess import UNLISTED, Setting, assess, setting
from services.moderation.record.commands import Charge
from services.moderation.record.entries import Held, Incident
from services.moderation.record.events import AssessedOffense, Discretion, IncidentDecided, Outcome, Sanction
from services.moderation.record.impose import DAY, stacked
from services.moderation.record.state import BANS, RecordState
from shared.refusal import Refusal

NEEDS_A_CHOICE = "its cell leaves a choice at the new column, and none was given"
HARSHER = "the table is harsher at the new column"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the incident comes to on the other past."""

    column: int
    lines: tuple[AssessedOffense, ...]
    outcomes: tuple[Outcome, ...]
    strike: bool
    legal_review: bool


def read_again(event: IncidentDecided, past: RecordState, policy: Policy, choice: Discretion | None, *, linked_ip_ban: bool) -> Reading | None:
    """The incident as it would be decided on `past`; None when a cell leaves a choice and `choice` gives none.

    `linked_ip_ban`: the account has an IP ban with it, as one of five linked accounts (I-13). Evasion stays evasion: whether the account was banned
    then is a fact (I-34). Raises a `Refusal` when the given choice is out of range.
    """
    where = setting(policy, past, occurred_at=event.occurred_at, duel_id=event.duel_id)
    lines: list[AssessedOffense] = []
    for charge in charges_of(event):
        found = _assessed(charge, where, choice)
        if found is None:
            return None
        lines += found
    if event.evasion:
        lines = [replace(line, strike=False) if _is_accounts(policy, line) else line for line in lines]
    outcomes = stacked(outcome for line in lines for outcome in line.sanctions)
    if linked_ip_ban:
        outcomes = stacked((*outcomes, Outcome(kind="ip_ban")))
    return Reading(
        column=where.column,
        lines=tuple(lines),
        outcomes=outcomes,
        strike=any(line.strike for line in lines),
        legal_review=any(line.legal_review for line in lines),
    )


def charges_of(event: IncidentDecided) -> tuple[Charge, ...]:
    """The charges that the event records; what was derived from one is not charged again."""
    derived = {line.derived_from: line for line in event.offenses if line.derived_from is not None}
    return tuple(
        Charge(
            infraction=line.charged,
            variant=line.variant,
            discretion=derived[line.charged].discretion if line.charged in derived and line.discretion == Discretion() else line.discretion,
            sanctions=line.sanctions if line.infraction == "unlisted" else None,
            strike=line.strike if line.infraction == "unlisted" else None,
        )
        for line in event.offenses
        if line.derived_from is None
    )


def _assessed(charge: Charge, where: Setting, choice: Discretion | None) -> tuple[AssessedOffense, ...] | None:
    """The lines of one charge: an upgrade whose condition is gone falls away, a choice that the cell no longer leaves is not made.

    The decider's choice of then, that is. One that the reviewer makes now and that the cell does not leave is refused, as in a decision (I-6).
    """
    if charge.infraction != UNLISTED and charge.infraction not in where.policy.rows:  # only under another policy than its own
        raise Refusal("unknown_infraction", f"The policy {where.policy.version} has no row {charge.infraction!r}, which was charged here.")
    tried, chosen = charge, False
    for _ in range(4):
        try:
            return assess((tried,), where)
        except Refusal as refusal:
            if refusal.code == "upgrade_not_available":
                tried = replace(tried, discretion=replace(tried.discretion, upgrade=False, warning_ignored=False))
            elif refusal.code == "discretion_not_allowed" and not chosen:
                tried = replace(tried, discretion=Discretion(upgrade=tried.discretion.upgrade, warning_ignored=tried.discretion.warning_ignored))
            elif refusal.code == "discretion_required" and choice is not None and not chosen:
                chosen = True
                tried = replace(tried, discretion=replace(choice, upgrade=tried.discretion.upgrade, warning_ignored=tried.discretion.warning_ignored))
            elif refusal.code == "discretion_required":
                return None
            else:
                raise
    return None


def _is_accounts(policy: Policy, line: AssessedOffense) -> bool:
    row = policy.rows.get(line.infraction)
    return row is not None and row.accounts


def sanctions_again(incident: Incident, outcomes: tuple[Outcome, ...], ids: Iterator[str]) -> tuple[Sanction, ...]:
    """The sanctions of the new reading: what goes on keeps its id, a ban its start and the days that evasion added; what was carried out stays."""
    held = {item.sanction.kind: item for item in incident.sanctions}
    start = min((item.sanction.starts_at for item in incident.sanctions if item.sanction.kind in BANS), default=incident.at)
    new = tuple(_again(held, outcome, start, ids) for outcome in outcomes if not _carried_out(held, outcome.kind))
    return (*(item.sanction for item in incident.sanctions if item.state == "irreversible"), *new)


def _carried_out(held: Mapping[str, Held], kind: str) -> bool:
    return kind in held and held[kind].state == "irreversible"


def _again(held: Mapping[str, Held], outcome: Outcome, start: datetime, ids: Iterator[str]) -> Sanction:
    known = held.get(outcome.kind)
    if outcome.kind != "ban":
        return known.sanction if known is not None else Sanction(sanction_id=next(ids), kind=outcome.kind, starts_at=start)
    days = outcome.days or 0
    if known is None:
        return Sanction(sanction_id=next(ids), kind="ban", days=days, starts_at=start, ends_at=start + days * DAY)
    return replace(known.sanction, days=days, ends_at=known.sanction.starts_at + (days + known.extended_days) * DAY)


def severity(outcomes: tuple[Outcome, ...], *, strike: bool) -> tuple[int, ...]:
    """How hard the outcomes are, to compare two readings of the same charges: the graver kind decides first."""
    kinds = {outcome.kind for outcome in outcomes}
    days = sum(outcome.days or 0 for outcome in outcomes)
    ranks = ("ip_ban", "permanent_ban")
    rest = ("stats_reset", "cosmetic_removal", "match_loss", "game_loss", "warning", "in_duel_warning")
    return (*(int(kind in kinds) for kind in ranks), days, int(strike), *(int(kind in kinds) for kind in rest))


def outcomes_of(sanctions: tuple[Sanction, ...]) -> tuple[Outcome, ...]:
    """The sanctions as outcomes, in the order of stacking."""
    return stacked(Outcome(kind=sanction.kind, days=sanction.days) for sanction in sanctions)
