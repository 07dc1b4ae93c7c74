"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from shared.client.api.common.replies import Incident, Sanction, Standing, Strike


class ActiveSanction(Sanction, frozen=True, kw_only=True):
    """A sanction in force, with the incident that imposed it."""

    incident_id: str


class ActiveSanctions(Struct, frozen=True, kw_only=True):
    """The sanctions in force."""

    items: list[ActiveSanction]
    next_cursor: str | None


class ChangeReply(Struct, frozen=True, kw_only=True):
    """What a change came to; `position` is null when it was so already, and in a dry run."""

    player_id: str
    standing: Standing
    version: int
    position: int | None
    incident_id: str | None = None
    adjustment_id: str | None = None
    strike: Strike | None = None
    sanctions: list[Sanction] | None = None


class ErasureReply(Struct, frozen=True, kw_only=True):
    """What was destroyed; `position` is null when nothing personal had come since the last erasure."""

    player_id: str
    erasure_id: str
    key_destroyed: bool
    networks_forgotten: int
    version: int
    position: int | None


class FailedRow(Struct, frozen=True, kw_only=True):
    """A row that was not imported, by its index in the request."""

    index: int
    code: str
    detail: str


class ImportReply(Struct, frozen=True, kw_only=True):
    """How many rows were imported, how many were there already, and which were refused."""

    imported: int
    known: int
    failed: list[FailedRow]
    position: int | None


class IncidentPage(Struct, frozen=True, kw_only=True):
    """A page of incidents."""

    items: list[Incident]
    next_cursor: str | None


class IncidentReply(Incident, frozen=True, kw_only=True):
    """A decided incident with the standing after it; `position` is null in a dry run."""

    standing: Standing
    version: int
    position: int | None


class Statement(Struct, frozen=True, kw_only=True):
    """The player's statement of reasons: facts, rules, sanctions with dates, and how to appeal."""

    incident_id: str
    player_id: str
    decided_at: datetime
    facts: dict[str, Any] | None
    rules: list[dict[str, Any]]
    sanctions: list[Sanction]
    strike: Strike | None
    appeal: dict[str, str]
    status: str | None = None
