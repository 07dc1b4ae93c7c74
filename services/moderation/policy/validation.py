"""What makes a table wrong. A wrong one is neither loaded nor published; each finding is (field path, message), the path as in the JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from services.moderation.policy.tables import KINDS, NO_CELL, UNLISTED, Cell, Choice, Policy, Row, SanctionTemplate, Settings, Upgrade

Finding = tuple[str, str]

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\Z")
_COLUMNS = 4  # of the source's table
_LONGEST_BAN = 3650  # days; the API's own bound (`duration_too_long`), which no table may exceed
_YEAR = 366 * 24 * 3600
_RANGES = {
    "permanent_from_strike": (1, 1000),
    "evasion_days_per_alt": (1, _LONGEST_BAN),
    "ip_ban_accounts": (2, 1000),
    "network_window_seconds": (0, 10 * _YEAR),
    "max_ban_days": (1, _LONGEST_BAN),
    "call_lease_seconds": (10, 24 * 3600),
}


def validate(policy: Policy) -> list[Finding]:
    """What is wrong with the policy, in the table's order; empty for a sound one."""
    return validate_rows(policy.settings, tuple(policy.rows.values()))


def validate_rows(settings: Settings, rows: Sequence[Row]) -> list[Finding]:
    """The same, before the rows are keyed by their ids (which two rows may not share)."""
    findings = [*_settings(settings), *_table(rows)]
    for index, row in enumerate(rows):
        findings += _row(f"infractions[{index}]", row, rows, settings)
    return findings


def _settings(settings: Settings) -> Iterator[Finding]:
    for name, (low, high) in _RANGES.items():
        value = getattr(settings, name)
        if not low <= value <= high:
            yield f"settings.{name}", f"must be {low} to {high}, not {value}"
    if settings.proxy_ban not in ("off", "automatic"):
        yield "settings.proxy_ban", "must be off or automatic"


def _table(rows: Sequence[Row]) -> Iterator[Finding]:
    if not rows:
        yield "infractions", "a table has at least one infraction"
    seen: set[str] = set()
    for index, row in enumerate(rows):
        if row.id in seen:
            yield f"infractions[{index}].id", f"{row.id} names an earlier infraction too"
        seen.add(row.id)
    yield from _cycles(rows)


def _cycles(rows: Sequence[Row]) -> Iterator[Finding]:
    """A row that becomes or brings itself, over any number of steps, would have no end."""
    next_of = {row.id: [target for target in (row.upgrade.to if row.upgrade else None, row.derives) if target is not None] for row in rows}
    for index, row in enumerate(rows):
        reached, pending = set[str](), list(next_of[row.id])
        while pending:
            step = pending.pop()
            if step not in reached:
                reached.add(step)
                pending.extend(next_of.get(step, ()))
        if row.id in reached:
            yield f"infractions[{index}].{'derives' if row.derives else 'upgrade.to'}", f"{row.id} leads back to itself"


def _row(path: str, row: Row, rows: Sequence[Row], settings: Settings) -> Iterator[Finding]:
    if not _ID.match(row.id):
        yield f"{path}.id", "an id is 1 to 64 small letters, digits and inner hyphens"
    if row.id == UNLISTED:
        yield f"{path}.id", f"{UNLISTED} is what fits no row"
    for name in ("name", "description", "basis"):
        if not getattr(row, name).strip():
            yield f"{path}.{name}", "must not be blank"
    yield from _columns(path, row)
    for index, cell in enumerate(row.cells):
        yield from _cell(f"{path}.cells[{index}]", cell, settings, accounts=row.accounts)
    yield from _variants(path, row, settings)
    if row.upgrade is not None:
        yield from _upgrade(f"{path}.upgrade", row.upgrade, rows, settings)
    if row.derives is not None:
        yield from _derived(f"{path}.derives", row.derives, rows)


def _columns(path: str, row: Row) -> Iterator[Finding]:
    if len(row.columns) != _COLUMNS:
        yield f"{path}.columns", "a row has four columns"
    if not row.cells:
        yield f"{path}.cells", "a row has at least one cell"
    words = [*row.columns]
    while words and words[-1] == NO_CELL:
        words.pop()
    if NO_CELL in words:
        yield f"{path}.columns", f"{NO_CELL} stands only after the last defined cell"
    for index, (word, cell) in enumerate(zip_longest(words, row.cells)):
        if cell is None or word is None or cell.text != word:
            yield f"{path}.cells[{index}].text", f"the cell says {cell.text if cell else 'nothing'!r}, the column {word or NO_CELL!r}"


def _cell(path: str, cell: Cell, settings: Settings, *, accounts: bool = False) -> Iterator[Finding]:
    if not cell.text.strip():
        yield f"{path}.text", "must not be blank"
    yield from _sanctions(f"{path}.sanctions", cell.sanctions, settings)
    if cell.choice is not None:
        yield from _choice(f"{path}.choice", cell.choice, cell, settings)
    elif not cell.sanctions and not accounts:
        yield f"{path}.sanctions", "a cell imposes something or leaves a choice"


def _sanctions(path: str, sanctions: tuple[SanctionTemplate, ...], settings: Settings) -> Iterator[Finding]:
    kinds = [sanction.kind for sanction in sanctions]
    for index, sanction in enumerate(sanctions):
        if sanction.kind not in KINDS:
            yield f"{path}[{index}].kind", f"there is no sanction {sanction.kind!r}"
        elif kinds.index(sanction.kind) != index:
            yield f"{path}[{index}].kind", f"{sanction.kind} stands there twice"
        elif sanction.kind != "ban" and sanction.days is not None:
            yield f"{path}[{index}].days", f"{sanction.kind} has no days"
        elif sanction.kind == "ban" and (sanction.days is None or not 1 <= sanction.days <= settings.max_ban_days):
            yield f"{path}[{index}].days", f"a ban has 1 to {settings.max_ban_days} days"
    if "ban" in kinds and "permanent_ban" in kinds:
        yield path, "a ban is timed or permanent, not both"
    if "ip_ban" in kinds and "permanent_ban" not in kinds:
        yield path, "an IP ban is a permanent ban of the account too (I-12)"


def _choice(path: str, choice: Choice, cell: Cell, settings: Settings) -> Iterator[Finding]:
    kinds = {sanction.kind for sanction in cell.sanctions}
    if choice.required and choice.days is None and not choice.outcomes:
        yield path, "a required choice needs a range of days or outcomes to choose from"
    if not choice.required and not (choice.days or choice.permanent or choice.outcomes or choice.ip_ban):
        yield path, "there is nothing to choose"
    if not choice.required and not cell.sanctions:
        yield f"{path}.required", "a cell that imposes nothing by itself needs the choice"
    if choice.days is not None and not 1 <= choice.days[0] <= choice.days[1] <= settings.max_ban_days:
        yield f"{path}.days", f"a range of days lies within 1 to {settings.max_ban_days}, the lower bound first"
    if (choice.days or choice.permanent) and kinds & {"ban", "permanent_ban"}:
        yield path, "the cell imposes a ban already"
    if choice.ip_ban and "ip_ban" in kinds:
        yield f"{path}.ip_ban", "the cell imposes an IP ban already"
    if choice.ip_ban and "permanent_ban" not in kinds:
        yield f"{path}.ip_ban", "an IP ban can be added to a permanent ban only (I-12)"
    yield from _outcomes(f"{path}.outcomes", choice.outcomes, kinds)


def _outcomes(path: str, outcomes: tuple[str, ...], kinds: set[str]) -> Iterator[Finding]:
    for index, outcome in enumerate(outcomes):
        if outcome not in KINDS - {"ban", "permanent_ban", "ip_ban"}:
            yield f"{path}[{index}]", f"{outcome!r} is no outcome that can be chosen"
        elif outcome in outcomes[:index] or outcome in kinds:
            yield f"{path}[{index}]", f"{outcome} stands there already"


def _variants(path: str, row: Row, settings: Settings) -> Iterator[Finding]:
    for index, variant in enumerate(row.variants):
        here = f"{path}.variants[{index}]"
        if not _ID.match(variant.id):
            yield f"{here}.id", "an id is 1 to 64 small letters, digits and inner hyphens"
        if variant.id in [earlier.id for earlier in row.variants[:index]]:
            yield f"{here}.id", f"{variant.id} names an earlier variant too"
        if not variant.basis.strip():
            yield f"{here}.basis", "must not be blank"
        if variant.cell is not None:
            yield from _cell(f"{here}.cell", variant.cell, settings)


def _upgrade(path: str, upgrade: Upgrade, rows: Sequence[Row], settings: Settings) -> Iterator[Finding]:
    if upgrade.condition not in ("same_duel", "within", "any_time"):
        yield f"{path}.condition", "must be same_duel, within or any_time"
    if (upgrade.condition == "within") != (upgrade.within_seconds is not None):
        yield f"{path}.within_seconds", "belongs to the condition within, and only there"
    elif upgrade.within_seconds is not None and not 1 <= upgrade.within_seconds <= 10 * _YEAR:
        yield f"{path}.within_seconds", "must be one second to ten years"
    if (upgrade.to is None) == (not upgrade.sanctions):
        yield f"{path}.to", "an upgrade leads to another infraction, or keeps the row with other sanctions: one of the two"
    target = next((row for row in rows if row.id == upgrade.to), None)
    if upgrade.to is not None and target is None:
        yield f"{path}.to", f"there is no infraction {upgrade.to!r}"
    if target is not None and target.accounts:
        yield f"{path}.to", f"{target.id} needs the accounts that only its own charge names"
    if upgrade.automatic and upgrade.ignored_warning:
        yield f"{path}.ignored_warning", "is what a decider states, so the upgrade is not automatic"
    if not upgrade.basis.strip():
        yield f"{path}.basis", "must not be blank"
    yield from _sanctions(f"{path}.sanctions", upgrade.sanctions, settings)


def _derived(path: str, derives: str, rows: Sequence[Row]) -> Iterator[Finding]:
    target = next((row for row in rows if row.id == derives), None)
    if target is None:
        yield path, f"there is no infraction {derives!r}"
    elif target.accounts or target.derives or any(cell.choice is not None and cell.choice.required for cell in target.cells):
        yield path, f"{target.id} can't come by itself: it needs a choice, names accounts, or derives another"
