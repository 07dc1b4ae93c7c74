"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct


class Adjustment(Struct, frozen=True, kw_only=True):
    """A Head Admin's change (I-20), with the sanctions before and after; `reverted`: a rollback took it back."""

    adjustment_id: str
    at: datetime
    by: str
    role: str
    sanctions_before: list[Sanction]
    sanctions_after: list[Sanction]
    strike_before: int | None
    strike_after: int | None
    reverted: bool
    reason: str | None = None


class AppealsChange(Struct, frozen=True, kw_only=True):
    """A member of the standing that changes."""

    path: str
    before: Any
    after: Any


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


class Ban(Struct, frozen=True, kw_only=True):
    """The union of the running bans: earliest start, latest end (null: permanent), all incidents."""

    permanent: bool
    starts_at: datetime
    ends_at: datetime | None
    incident_ids: list[str]


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


class Incident(Struct, frozen=True, kw_only=True):
    """An incident as it stands now.

    `linked_to` names the main account where this one was sanctioned as its alt, `rollback_id` the rollback that overturned it.
    """

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
    rollback_id: str | None
    infraction: str | None = None
    descriptions: list[str | None] | None = None
    evidence: list[Evidence] | None = None
    internal_note: str | None = None


class Irreversible(Struct, frozen=True, kw_only=True):
    """Something carried out already."""

    incident_id: str
    sanction_id: str
    kind: str


class Kept(Struct, frozen=True, kw_only=True):
    """A later incident that stays as it is, and why."""

    incident_id: str
    why: str


class Linked(Struct, frozen=True, kw_only=True):
    """An evasion of the ban that falls: the accounts it banned stay banned."""

    incident_id: str
    player_ids: list[str]


class Outcome(Struct, frozen=True, kw_only=True):
    """What a cell imposes."""

    kind: str
    days: int | None = None


class Person(Struct, frozen=True, kw_only=True):
    """Somebody at the tournament. `dropped_in` is the round in which they left."""

    person_id: str
    kind: str
    playing: bool
    dropped_in: int | None
    left_because: str | None
    disqualified: str | None
    drops_unless_reported: bool
    version: int


class Reassessed(Struct, frozen=True, kw_only=True):
    """A later incident read again at its new column."""

    incident_id: str
    column_before: int
    column_after: int
    strike_before: int | None
    strike_after: int | None
    sanctions_before: list[SanctionBrief]
    sanctions_after: list[SanctionBrief]


class Round(Struct, frozen=True, kw_only=True):
    """A round and its pairings."""

    number: int
    stage: str
    games_per_match: int
    pairings: list[list[str]]
    starts_at: datetime


class Rule(Struct, frozen=True, kw_only=True):
    """A sentence of the guide, under the id that steps, effects and advice cite."""

    id: str
    section: int
    text: str
    basis: str


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


class SanctionBrief(Struct, frozen=True, kw_only=True):
    """A sanction by its kind and dates."""

    kind: str
    starts_at: datetime
    ends_at: datetime | None
    days: int | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """A player's standing at `as_of`; `version` counts the events of their record."""

    player_id: str
    status: str
    strikes: int
    warnings: int
    ban: Ban | None
    ip_banned: bool
    proxy_banned: bool
    legal_review: bool
    version: int
    as_of: datetime


class Strike(Struct, frozen=True, kw_only=True):
    """A strike and its number."""

    number: int


class Tournament(Struct, frozen=True, kw_only=True):
    """A tournament; `playing` counts who may be paired, `people` everybody entered."""

    tournament_id: str
    rel: str
    games_per_match: int
    decklists: bool
    scoring_version: str
    head_judge_id: str
    judge_ids: list[str]
    tardiness_grace_seconds: int
    rounds: list[Round]
    playing: int
    people: int
    version: int
