"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from shared.client.api.common.replies import Standing


class ActiveSanctions(Struct, frozen=True, kw_only=True):
    """The sanctions in force."""

    items: list[ActiveSanction]
    next_cursor: str | None


class Adjustment(Struct, frozen=True, kw_only=True):
    """A Head Admin's change (I-20), with the sanctions before and after."""

    adjustment_id: str
    at: datetime
    by: str
    role: str
    sanctions_before: list[Sanction]
    sanctions_after: list[Sanction]
    strike_before: int | None
    strike_after: int | None
    reason: str | None = None


class Assessment(Struct, frozen=True, kw_only=True):
    """One offense as it was read from the table; `cell` are the source's words, `basis` where they stand."""

    infraction: str
    column: int
    cell: str
    sanctions: list[Outcome]
    upgraded_from: str | None
    upgradable_to: str | None
    basis: str
    charged: str
    variant: str | None
    derived_from: str | None


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


class Evidence(Struct, frozen=True, kw_only=True):
    """One piece of evidence."""

    kind: str
    ref: str | None
    text: str | None
    sha256: str | None


class Extension(Struct, frozen=True, kw_only=True):
    """What evasion added to an earlier ban (I-13)."""

    incident_id: str
    days: int
    ends_at_before: datetime
    ends_at: datetime


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


class Incident(Struct, frozen=True, kw_only=True):
    """An incident as it stands now. `linked_to` names the main account where this one was sanctioned as its alt."""

    incident_id: str
    player_id: str
    decided_at: datetime
    decided_by: str | None
    policy_version: str | None
    imported: bool
    strike: Strike | None
    column: int | None
    assessment: list[Assessment]
    sanctions: list[Sanction]
    legal_review: bool
    status: str
    occurred_at: datetime | None
    duel_id: str | None
    call_id: str | None
    external_id: str | None
    notify: bool
    alts: list[str]
    evasion: bool
    extends: Extension | None
    linked_to: str | None
    adjustments: list[Adjustment]
    appeal_id: str | None
    replaced_by: str | None
    infraction: str | None = None
    descriptions: list[str | None] | None = None
    evidence: list[Evidence] | None = None
    internal_note: str | None = None


class IncidentPage(Struct, frozen=True, kw_only=True):
    """A page of incidents."""

    items: list[Incident]
    next_cursor: str | None


class IncidentReply(Incident, frozen=True, kw_only=True):
    """A decided incident with the standing after it; `position` is null in a dry run."""

    standing: Standing
    version: int
    position: int | None


class Outcome(Struct, frozen=True, kw_only=True):
    """What a cell imposes."""

    kind: str
    days: int | None = None


class Sanction(Struct, frozen=True, kw_only=True):
    """A sanction. `days` is what was granted, `extended_days` what evasion added; `networks` how many an IP ban covers."""

    sanction_id: str
    kind: str
    starts_at: datetime
    ends_at: datetime | None
    state: str
    days: int | None = None
    extended_days: int | None = None
    networks: int | None = None


class ActiveSanction(Sanction, frozen=True, kw_only=True):
    """A sanction in force, with the incident that imposed it."""

    incident_id: str


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


class Strike(Struct, frozen=True, kw_only=True):
    """A strike and its number."""

    number: int
