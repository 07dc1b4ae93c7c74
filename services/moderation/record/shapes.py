"""The shapes of replies, for the API description and the typed client. Handlers build plain JSON; a test compares the two."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

Status = Literal["good", "warned", "banned", "permanently_banned"]
SanctionState = Literal["active", "expired", "lifted", "replaced", "irreversible"]


class BanShape(msgspec.Struct, frozen=True, kw_only=True):
    """The union of the running bans: earliest start, latest end (null: permanent), all incidents."""

    permanent: bool
    starts_at: datetime
    ends_at: datetime | None
    incident_ids: list[str]


class StandingShape(msgspec.Struct, frozen=True, kw_only=True):
    """A player's standing at `as_of`; `version` counts the events of their record."""

    player_id: str
    status: Status
    strikes: int
    warnings: int
    ban: BanShape | None
    ip_banned: bool
    proxy_banned: bool
    legal_review: bool
    version: int
    as_of: datetime


class OutcomeShape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a cell imposes."""

    kind: str
    days: int | None = None


class AssessmentShape(msgspec.Struct, frozen=True, kw_only=True):
    """One offense as it was read from the table; `cell` are the source's words, `basis` where they stand."""

    infraction: str
    column: int
    cell: str
    sanctions: list[OutcomeShape]
    upgraded_from: str | None
    upgradable_to: str | None
    basis: str
    charged: str
    variant: str | None
    derived_from: str | None


class SanctionShape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction. `days` is what was granted, `extended_days` what evasion added; `networks` how many an IP ban covers."""

    sanction_id: str
    kind: str
    starts_at: datetime
    ends_at: datetime | None
    state: SanctionState
    days: int | None = None
    extended_days: int | None = None
    networks: int | None = None


class ActiveSanctionShape(SanctionShape, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction in force, with the incident that imposed it."""

    incident_id: str


class StrikeShape(msgspec.Struct, frozen=True, kw_only=True):
    """A strike and its number."""

    number: int


class ExtensionShape(msgspec.Struct, frozen=True, kw_only=True):
    """What evasion added to an earlier ban (I-13)."""

    incident_id: str
    days: int
    ends_at_before: datetime
    ends_at: datetime


class AdjustmentShape(msgspec.Struct, frozen=True, kw_only=True):
    """A Head Admin's change (I-20), with the sanctions before and after; `reverted`: a rollback took it back."""

    adjustment_id: str
    at: datetime
    by: str
    role: str
    sanctions_before: list[SanctionShape]
    sanctions_after: list[SanctionShape]
    strike_before: int | None
    strike_after: int | None
    reverted: bool
    reason: str | None = None


class EvidenceShape(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of evidence."""

    kind: str
    ref: str | None
    text: str | None
    sha256: str | None


class IncidentShape(msgspec.Struct, frozen=True, kw_only=True):
    """An incident as it stands now.

    `linked_to` names the main account where this one was sanctioned as its alt, `rollback_id` the rollback that overturned it.
    """

    incident_id: str
    player_id: str
    decided_at: datetime
    decided_by: str | None
    policy_version: str | None
    imported: bool
    strike: StrikeShape | None
    column: int | None
    assessment: list[AssessmentShape]
    sanctions: list[SanctionShape]
    legal_review: bool
    status: Literal["in_force", "overturned"]
    occurred_at: datetime | None
    duel_id: str | None
    call_id: str | None
    external_id: str | None
    notify: bool
    alts: list[str]
    evasion: bool
    extends: ExtensionShape | None
    linked_to: str | None
    adjustments: list[AdjustmentShape]
    appeal_id: str | None
    replaced_by: str | None
    rollback_id: str | None
    infraction: str | None = None
    descriptions: list[str | None] | None = None
    evidence: list[EvidenceShape] | None = None
    internal_note: str | None = None


class IncidentReply(IncidentShape, frozen=True, kw_only=True):
    """A decided incident with the standing after it; `position` is null in a dry run."""

    standing: StandingShape
    version: int
    position: int | None


class ChangeReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a change came to; `position` is null when it was so already, and in a dry run."""

    player_id: str
    standing: StandingShape
    version: int
    position: int | None
    incident_id: str | None = None
    adjustment_id: str | None = None
    strike: StrikeShape | None = None
    sanctions: list[SanctionShape] | None = None


class FailedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row that was not imported, by its index in the request."""

    index: int
    code: str
    detail: str


class ImportReply(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows were imported, how many were there already, and which were refused."""

    imported: int
    known: int
    failed: list[FailedRow]
    position: int | None
