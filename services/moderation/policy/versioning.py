"""The version of a table: a digest of what it says, so that equal rules have equal names wherever they come from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from types import MappingProxyType

import msgspec

from services.moderation.policy.tables import Policy, Row, Settings

_EMPTY: tuple[object, ...] = ([], (), {})
VERSION_LENGTH = 16  # hex digits: 64 bits name the few hundred tables a site will ever have


def make_policy(settings: Settings, rows: Iterable[Row], *, note: str | None = None) -> Policy:
    """The policy of these parts, under its version. Of two rows with one id the later stays; `validation.validate_rows` refuses them before."""
    kept = tuple(rows)
    return Policy(version=content_version(settings, kept), note=note, settings=settings, rows=MappingProxyType({row.id: row for row in kept}))


def content_version(settings: Settings, rows: Iterable[Row]) -> str:
    """The first 16 hex digits of SHA-256 over the canonical JSON of settings and rows, in the rows' order.

    Canonical: members sorted, no blanks, and in rows no member that is null, false or empty, so that a later optional field does not rename the
    tables that don't use it. Settings are spelled out: each is a number that rules.
    """
    content = {"infractions": [_pruned(msgspec.to_builtins(row)) for row in rows], "settings": msgspec.to_builtins(settings)}
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()[:VERSION_LENGTH]


def _pruned(value: object) -> object:
    if isinstance(value, dict):
        return {name: _pruned(member) for name, member in value.items() if member is not None and member is not False and member not in _EMPTY}
    if isinstance(value, list | tuple):
        return [_pruned(member) for member in value]
    return value
