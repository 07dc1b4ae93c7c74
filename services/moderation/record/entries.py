"""What a record holds: incidents with their sanctions and offenses, as far as the rules ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from msgspec import Struct

from services.moderation.record.outcomes import Extension, Sanction

_NOBODY: Mapping[str, str] = MappingProxyType({})


class Held(Struct, frozen=True, kw_only=True, gc=False):
    """A sanction of an incident as it is now: `active`, `lifted` or `irreversible` (carried out). That a ban has ended follows from time."""

    sanction: Sanction
    state: str = "active"
    extended_days: int = 0


class PastOffense(Struct, frozen=True, kw_only=True, gc=False):
    """An offense on record, as far as later upgrades ask for it (I-7, I-8)."""

    infraction: str
    occurred_at: datetime
    duel_id: str | None = None
    upgraded: bool = False


class Incident(Struct, frozen=True, kw_only=True, gc=False):
    """An incident of the player; one that only reaches this account as an alt has the main account in `main_player_id`.

    `adjustments` maps each adjustment's id to who made it, `final_adjustments` are those made in an appeal; `changed` says that a Head Admin or an
    appeal changed its sanctions. `linked_ip_ban`: it gave an IP ban to all linked accounts, those charged before it included (I-13).
    """

    incident_id: str
    at: datetime
    decided_by: str
    strike: int | None
    sanctions: tuple[Held, ...]
    offenses: tuple[PastOffense, ...] = ()
    legal_review: bool = False
    overturned: bool = False
    notify: bool = True
    imported: bool = False
    external_id: str | None = None
    main_player_id: str | None = None
    alts: tuple[str, ...] = ()
    linked_ip_ban: bool = False
    extension: Extension | None = None
    adjustments: Mapping[str, str] = _NOBODY
    final_adjustments: frozenset[str] = frozenset()
    changed: bool = False

    @property
    def in_force(self) -> bool:
        """Whether it counts: not overturned."""
        return not self.overturned
