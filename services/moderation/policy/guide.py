"""The packaged penalty guide, `dci.toml`, read and checked once at start."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from services.moderation.policy.penalties import PENALTIES, RELS, Category, GuideSettings, Infraction, PenaltyCell, PenaltyGuide, Rule
from services.moderation.policy.versioning import VERSION_LENGTH

PACKAGED = Path(__file__).with_name("dci.toml")
_BASES = frozenset({"stated", "inferred", "assumed"})


class GuideFileError(ValueError):
    """The file can't be used, and why; the service does not start with it."""


@cache
def packaged_guide() -> PenaltyGuide:
    """The guide that comes with the service. Raises `GuideFileError`."""
    return load_guide(PACKAGED.read_text(encoding="utf-8"))


def load_guide(text: str) -> PenaltyGuide:
    """The guide that a file's text describes. Raises `GuideFileError`."""
    try:
        data = tomllib.loads(text)
        rows = [_row(dict(row)) for row in data["infractions"]]
        rules = msgspec.convert(data["rules"], list[Rule])
        categories = msgspec.convert(data["categories"], dict[str, Category])
        settings = msgspec.convert(data["settings"], GuideSettings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, KeyError) as error:
        raise GuideFileError(f"{PACKAGED.name}: {error}") from error
    guide = PenaltyGuide(
        version=hashlib.sha256(msgspec.json.encode(data, order="deterministic")).hexdigest()[:VERSION_LENGTH],
        settings=settings,
        categories=MappingProxyType(categories),
        infractions=MappingProxyType({row.id: row for row in rows}),
        rules=MappingProxyType({rule.id: rule for rule in rules}),
    )
    findings = _findings(guide, rows, rules)
    if findings:
        raise GuideFileError(f"{PACKAGED.name}: " + "; ".join(findings))
    return guide


def _row(row: dict[str, Any]) -> Infraction:
    basis = row.pop("basis")
    row["cells"] = {rel: PenaltyCell(penalty=row.pop(rel), basis=basis) for rel in RELS}
    found = msgspec.convert(row, Infraction)
    unknown = row.keys() - set(Infraction.__dataclass_fields__)
    if unknown:
        raise msgspec.ValidationError(f"{found.id}: unknown {sorted(unknown)}")
    return found


def _findings(guide: PenaltyGuide, rows: list[Infraction], rules: list[Rule]) -> list[str]:
    """What contradicts itself in the file."""
    found = ["an infraction stands twice"] if len(rows) != len(guide.infractions) else []
    found += ["a rule stands twice"] if len(rules) != len(guide.rules) else []
    for row in rows:
        cells = row.cells.values()
        wrong = [cell.penalty for cell in cells if cell.penalty not in PENALTIES or cell.penalty == "match_point" or cell.basis not in _BASES]
        found += [f"{row.id}: no cell is {penalty}" for penalty in wrong]
        found += [f"{row.id}: no category {row.category}"] if row.category not in guide.categories else []
        named = [name for name in (row.opponents_get, row.becomes) if name is not None]
        found += [f"{row.id}: no infraction {name}" for name in named if name not in guide.infractions]
        found += [f"{row.id}: repeats {row.repeats}"] if row.repeats not in {"always", "similar", "exceptional", "instruct"} else []
    return found
