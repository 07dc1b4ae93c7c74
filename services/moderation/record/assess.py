"""Assessing offenses: upgrades, derived offenses, the cell of each, all at one column (I-2, I-4, I-7, I-8, I-10, I-11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.moderation.policy.ladder import Picked, imposed, read
from services.moderation.policy.tables import Policy, Row, SanctionTemplate, Upgrade
from services.moderation.record.commands import Charge
from services.moderation.record.entries import PastOffense
from services.moderation.record.events import AssessedOffense, Discretion, Outcome
from services.moderation.record.state import RecordState
from shared.refusal import Refusal

UNLISTED = "unlisted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Under what the offenses of one incident are read."""

    policy: Policy
    column: int
    occurred_at: datetime
    duel_id: str | None
    past: tuple[PastOffense, ...]


def setting(policy: Policy, state: RecordState, *, occurred_at: datetime, duel_id: str | None) -> Setting:
    """The player's column (I-2) and the earlier offenses that count: those of incidents in force."""
    past = tuple(offense for incident in state.incidents.values() if incident.in_force for offense in incident.offenses)
    return Setting(policy=policy, column=state.strikes + 1, occurred_at=occurred_at, duel_id=duel_id, past=past)


def check_charges(policy: Policy, charges: tuple[Charge, ...]) -> None:
    """Raises a `Refusal`: `unknown_infraction`, `unknown_variant`, `duplicate_infraction`; `invalid_request` for a field without a use here."""
    seen: set[str] = set()
    for index, charge in enumerate(charges):
        at = f"offenses[{index}]"
        row = policy.rows.get(charge.infraction)
        if row is None and charge.infraction != UNLISTED:
            known = [*policy.rows, UNLISTED]
            raise Refusal("unknown_infraction", f"There is no infraction {charge.infraction!r}.", allowed=known, field=f"{at}.infraction")
        for infraction in {charge.infraction, row.derives if row and row.derives else charge.infraction}:
            if infraction in seen:
                raise Refusal("duplicate_infraction", f"{infraction} is charged twice in one incident.", field=f"{at}.infraction")
            seen.add(infraction)
        _check_fields(charge, row, at)


def _check_fields(charge: Charge, row: Row | None, at: str) -> None:
    variants = [variant.id for variant in row.variants] if row else []
    if charge.variant is not None and charge.variant not in variants:
        raise Refusal("unknown_variant", f"{charge.infraction} has no variant {charge.variant!r}.", allowed=variants, field=f"{at}.variant")
    if row is not None and (charge.sanctions is not None or charge.strike is not None):
        raise Refusal("invalid_request", "The table gives the sanctions of a listed infraction.", field=f"{at}.sanctions")
    if row is None and (not charge.sanctions or charge.strike is None):
        raise Refusal("invalid_request", "An unlisted act needs its sanctions and whether it is a strike.", field=f"{at}.sanctions")
    if row is None and charge.discretion != Discretion():
        detail = "The sanctions of an unlisted act are named; there is nothing to choose."
        raise Refusal("discretion_not_allowed", detail, allowed={}, field=f"{at}.discretion")
    accounts = row is not None and row.accounts
    if accounts and not charge.alts:
        raise Refusal("invalid_request", "Name the other accounts.", field=f"{at}.alts")
    if not accounts and (charge.alts or charge.evasion):
        raise Refusal("invalid_request", f"{charge.infraction} takes no other accounts.", field=f"{at}.alts")


def assess(charges: tuple[Charge, ...], where: Setting) -> tuple[AssessedOffense, ...]:
    """One line per offense, and one per derived offense, in the order charged.

    Raises a `Refusal` for a missing, unwanted or impossible choice (I-6, I-8), and `duplicate_infraction` when an upgrade makes one offense the same
    infraction as another: its days would count twice (I-4).
    """
    lines = tuple((index, line) for index, charge in enumerate(charges) for line in _lines(charge, where, f"offenses[{index}]"))
    seen: set[str] = set()
    for index, line in lines:
        if line.infraction in seen:
            raise Refusal("duplicate_infraction", f"{line.infraction} is in this incident already.", field=f"offenses[{index}].infraction")
        seen.add(line.infraction)
    return tuple(line for _, line in lines)


def _lines(charge: Charge, where: Setting, at: str) -> Iterator[AssessedOffense]:
    if charge.infraction == UNLISTED:
        yield _unlisted(charge, where)
        return
    row = where.policy.rows[charge.infraction]
    if row.derives is None:
        yield _line(charge, row, where, at)
        return
    derived = where.policy.rows[row.derives]
    own = Discretion() if row.upgrade is None else charge.discretion
    rest = charge.discretion if row.upgrade is None else Discretion()
    yield _line(charge, row, where, at, discretion=own)
    yield _line(charge, derived, where, at, discretion=rest, derived_from=row.id)


def _unlisted(charge: Charge, where: Setting) -> AssessedOffense:
    return AssessedOffense(
        charged=UNLISTED,
        infraction=UNLISTED,
        column=where.column,
        cell="",
        sanctions=charge.sanctions or (),
        basis="I-21",
        strike=bool(charge.strike),
    )


def _line(
    charge: Charge, row: Row, where: Setting, at: str, *, discretion: Discretion | None = None, derived_from: str | None = None
) -> AssessedOffense:
    chosen = charge.discretion if discretion is None else discretion
    offered = _available(row, where, chosen)
    upgrade = row.upgrade
    used = upgrade is not None and offered and (upgrade.automatic or chosen.upgrade)
    if chosen.upgrade and not used:
        raise Refusal("upgrade_not_available", f"{row.name} can't be upgraded here.", field=f"{at}.discretion.upgrade")
    if chosen.warning_ignored and not (upgrade is not None and upgrade.ignored_warning):
        raise Refusal("discretion_not_allowed", f"{row.name} knows no ignored warning.", allowed={}, field=f"{at}.discretion.warning_ignored")
    final, replaced = _final(row, where.policy, used=used)
    reading = read(final, where.column, where.policy.settings, variant=charge.variant)
    picked = Picked(days=chosen.days, permanent=chosen.permanent, outcome=chosen.outcome, ip_ban=chosen.ip_ban)
    sanctions = imposed(reading.cell, picked, field=f"{at}.discretion")
    return AssessedOffense(
        charged=charge.infraction,
        infraction=final.id,
        column=where.column,
        cell=reading.cell.text,
        sanctions=_outcomes(replaced or sanctions),
        basis=final.basis,
        strike=final.strike,
        legal_review=final.legal_review,
        variant=charge.variant,
        upgraded_from=row.id if used else None,
        upgradable_to=_target(upgrade) if upgrade is not None and offered and not used else None,
        derived_from=derived_from,
        discretion=chosen,
    )


def _final(row: Row, policy: Policy, *, used: bool) -> tuple[Row, tuple[SanctionTemplate, ...]]:
    """The row that decides, and the sanctions that an upgrade within the row puts in place of its cell's."""
    if not used or row.upgrade is None:
        return row, ()
    return (policy.rows[row.upgrade.to], ()) if row.upgrade.to is not None else (row, row.upgrade.sanctions)


def _target(upgrade: Upgrade) -> str:
    return upgrade.to or "+".join(sanction.kind for sanction in upgrade.sanctions)


def _available(row: Row, where: Setting, chosen: Discretion) -> bool:
    """Whether the row's condition for an upgrade holds; an offense that was itself upgraded is no earlier one (I-7, I-8)."""
    upgrade = row.upgrade
    if upgrade is None:
        return False
    earlier = [o for o in where.past if o.infraction == row.id and not o.upgraded and o.occurred_at <= where.occurred_at]
    if upgrade.ignored_warning and chosen.warning_ignored and earlier:
        return True
    return any(_repeats(offense, upgrade, where) for offense in earlier)


def _repeats(earlier: PastOffense, upgrade: Upgrade, where: Setting) -> bool:
    if upgrade.condition == "same_duel":
        return where.duel_id is not None and earlier.duel_id == where.duel_id
    if upgrade.condition == "within":
        return where.occurred_at - earlier.occurred_at <= timedelta(seconds=upgrade.within_seconds or 0)
    return True


def _outcomes(templates: tuple[SanctionTemplate, ...]) -> tuple[Outcome, ...]:
    return tuple(Outcome(kind=template.kind, days=template.days) for template in templates)
