"""A policy as the JSON document of `GET /v1/policy`, which an editor changes and posts back: strictly typed, unknown fields refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal, TypeGuard, TypeVar

import msgspec
from msgspec import Meta, Struct

from services.moderation.policy.tables import DAY_SECONDS, Policy, Row, Settings
from services.moderation.policy.validation import Finding, validate_rows
from services.moderation.policy.versioning import make_policy

_ANY_SIZE = 10_000  # more rows, cells or words than any table has; keeps a hostile document small

Kind = Literal["in_duel_warning", "game_loss", "match_loss", "warning", "ban", "permanent_ban", "ip_ban", "stats_reset", "cosmetic_removal"]
Slug = Annotated[str, Meta(min_length=1, max_length=64)]
Words = Annotated[str, Meta(min_length=1, max_length=4000)]
DayCount = Annotated[int, Meta(ge=1, le=3650, description="days of 24 hours")]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class SanctionBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One thing that a cell imposes; only a `ban` has days."""

    kind: Kind
    days: DayCount | None = None


class ChoiceBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What the cell leaves to the decider (I-6)."""

    days: tuple[DayCount, DayCount] | None = None
    permanent: bool = False
    outcomes: Annotated[tuple[Kind, ...], Meta(max_length=20)] = ()
    ip_ban: bool = False
    required: bool = True


class CellBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A cell: the words of its column, what they impose, what they leave open."""

    text: Words
    sanctions: Annotated[tuple[SanctionBody, ...], Meta(max_length=20)] = ()
    choice: ChoiceBody | None = None


class UpgradeBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What a repeated offense becomes, by itself (I-7) or when the decider asks for it (I-8)."""

    automatic: bool
    condition: Literal["same_duel", "within", "any_time"]
    within_seconds: Count | None = None
    to: Slug | None = None
    sanctions: Annotated[tuple[SanctionBody, ...], Meta(max_length=20)] = ()
    ignored_warning: bool = False
    basis: Words


class VariantBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A named form of the offense; without a cell of its own it follows the ordinary ladder (I-11)."""

    id: Slug
    cell: CellBody | None = None
    basis: Words


class RowBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One infraction: the four columns in the source's words (`-`: undefined), and what each defined cell imposes."""

    id: Slug
    name: Words
    section: Annotated[int, Meta(ge=1, le=1000)]
    description: Words
    strike: bool
    cells: Annotated[tuple[CellBody, ...], Meta(min_length=1, max_length=4)]
    columns: tuple[Words, Words, Words, Words]
    legal_review: bool = False
    upgrade: UpgradeBody | None = None
    variants: Annotated[tuple[VariantBody, ...], Meta(max_length=100)] = ()
    derives: Slug | None = None
    accounts: bool = False
    basis: Words
    interpretations: Annotated[tuple[Words, ...], Meta(max_length=100)] = ()


class SettingsBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The numbers of the rules that belong to no row; one left out has its default."""

    permanent_from_strike: Count = 4
    evasion_days_per_alt: DayCount = 2
    ip_ban_accounts: Count = 5
    network_window_seconds: Count = 90 * DAY_SECONDS
    proxy_ban: Literal["off", "automatic"] = "off"
    max_ban_days: DayCount = 3650
    call_lease_seconds: Count = 120


class PolicyBody(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A policy. When one is published, `version`, `published_at` and `published_by` are ignored: they are what GET gave, and are given anew."""

    version: str | None = None
    note: Annotated[str, Meta(max_length=4000)] | None = None
    published_at: Annotated[datetime, Meta(tz=True)] | None = None
    published_by: str | None = None
    settings: SettingsBody
    infractions: Annotated[tuple[RowBody, ...], Meta(min_length=1, max_length=_ANY_SIZE)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between two policies: `path` in the document, infractions named by their ids; None where there is nothing."""

    path: str
    before: Any
    after: Any


T = TypeVar("T", Settings, Row)


def _typed(body: Struct, kind: type[T]) -> T:
    return msgspec.convert(body, kind, from_attributes=True)


def policy_of(body: PolicyBody) -> tuple[Policy | None, list[Finding]]:
    """The policy that a document describes, or what is wrong with it as (field path, message)."""
    settings = _typed(body.settings, Settings)
    rows = [_typed(row, Row) for row in body.infractions]
    findings = validate_rows(settings, rows)
    return (None, findings) if findings else (make_policy(settings, rows, note=body.note), [])


def stored_policy(document: bytes) -> Policy:
    """The policy of a published document, under the version it was published under; it was validated then, by the rules of then.

    Raises `msgspec.ValidationError` for a document with parts that this program does not know: half a rule is none.
    """
    body = msgspec.json.decode(document, type=PolicyBody)
    settings = _typed(body.settings, Settings)
    policy = make_policy(settings, [_typed(row, Row) for row in body.infractions], note=body.note)
    return policy if body.version is None else replace(policy, version=body.version)


def body_of(policy: Policy, *, published_at: datetime | None, published_by: str | None) -> PolicyBody:
    """The document of a policy."""
    return PolicyBody(
        version=policy.version,
        note=policy.note,
        published_at=published_at,
        published_by=published_by,
        settings=msgspec.convert(policy.settings, SettingsBody, from_attributes=True),
        infractions=tuple(msgspec.convert(row, RowBody, from_attributes=True) for row in policy.rows.values()),
    )


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(PolicyBody)}


def changes_between(before: Policy | None, after: Policy) -> list[Change]:
    """What `after` changes, in the document's order: settings, infractions added and altered, then those removed, then their order."""
    old, new = _content(before), _content(after)
    changes = _differences("settings", old["settings"], new["settings"])
    rows_before, rows_after = old["infractions"], new["infractions"]
    for name, row in rows_after.items():
        changes += _differences(f"infractions.{name}", rows_before.get(name), row)
    changes += [Change(path=f"infractions.{name}", before=row, after=None) for name, row in rows_before.items() if name not in rows_after]
    kept_before, kept_after = [name for name in rows_before if name in rows_after], [name for name in rows_after if name in rows_before]
    if kept_before != kept_after:
        changes.append(Change(path="infractions", before=kept_before, after=kept_after))
    return changes


def _content(policy: Policy | None) -> dict[str, dict[str, Any]]:
    if policy is None:
        return {"settings": {}, "infractions": {}}
    return {"settings": msgspec.to_builtins(policy.settings), "infractions": {name: msgspec.to_builtins(row) for name, row in policy.rows.items()}}


def _differences(path: str, before: object, after: object) -> list[Change]:
    if before == after:
        return []
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        names = [*after, *(name for name in before if name not in after)]
        return [change for name in names for change in _differences(f"{path}.{name}", before.get(name), after.get(name))]
    if _is_list(before) and _is_list(after) and len(before) == len(after):
        return [change for index, pair in enumerate(zip(before, after, strict=True)) for change in _differences(f"{path}[{index}]", *pair)]
    return [Change(path=path, before=before, after=after)]


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)
