"""What comes in over HTTP about appeals."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from services.moderation.appeals.events import Target
from services.moderation.appeals.wanted import Wanted
from services.moderation.record.bodies import MAX_SANCTIONS, DiscretionBody, NamedSanction, discretion_of, outcomes_of
from shared.http.problems import invalid
from shared.http.types import GameId, PageQuery, Reason, Text4000, Uuid, Version

Outcome = Literal["upheld", "overturned", "modified"]


class AppealBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The player's appeal of exactly one decision: of an incident, an adjustment, or a ban of a network."""

    player_id: GameId
    grounds: Reason
    incident_id: Uuid | None = None
    adjustment_id: Uuid | None = None
    network_ban_id: Uuid | None = None


class PreviewBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A decision to look at. `reassess` gives, by incident, the discretion that a re-read cell needs (I-34)."""

    outcome: Outcome
    sanctions: Annotated[list[NamedSanction], Meta(max_length=MAX_SANCTIONS)] | None = None
    strike: bool | None = None
    cascade: bool = True
    reassess: Annotated[dict[str, DiscretionBody], Meta(max_length=200)] | None = None


class DecisionBody(PreviewBody, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A decision on the version that the preview gave; `reason` for staff, `reply` for the player."""

    reason: Reason
    player_version: Version
    reply: Text4000 | None = None


class WithdrawBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Who takes their appeal back."""

    player_id: GameId


class AppealsQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which appeals."""

    state: Literal["open", "decided", "withdrawn"] | None = None


def target_of(body: AppealBody) -> Target:
    """What is appealed. Raises a `Refusal` unless exactly one thing is named."""
    named = [name for name in ("incident_id", "adjustment_id", "network_ban_id") if getattr(body, name) is not None]
    if len(named) != 1:
        raise invalid("incident_id", "Name exactly one of incident_id, adjustment_id and network_ban_id.")
    return Target(incident_id=body.incident_id, adjustment_id=body.adjustment_id, network_ban_id=body.network_ban_id)


def wanted_of(body: PreviewBody) -> Wanted:
    """The decision in the domain's terms."""
    full = body if isinstance(body, DecisionBody) else None
    return Wanted(
        outcome=body.outcome,
        reason=full.reason if full is not None else "",
        reply=full.reply if full is not None else None,
        sanctions=None if body.sanctions is None else outcomes_of(body.sanctions),
        strike=body.strike,
        cascade=body.cascade,
        choices={incident_id: discretion_of(chosen) for incident_id, chosen in (body.reassess or {}).items()},
    )
