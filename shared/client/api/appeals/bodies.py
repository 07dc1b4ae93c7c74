"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.client.api.common.bodies import DiscretionBody, NamedSanction


class AppealBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The player's appeal of exactly one decision: of an incident, an adjustment, or a ban of a network."""

    player_id: str
    grounds: str
    incident_id: str | None = None
    adjustment_id: str | None = None
    network_ban_id: str | None = None


class PreviewBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision to look at. `reassess` gives, by incident, the discretion that a re-read cell needs (I-34)."""

    outcome: Literal["modified", "overturned", "upheld"]
    sanctions: list[NamedSanction] | None = None
    strike: bool | None = None
    cascade: bool = True
    reassess: dict[str, DiscretionBody] | None = None


class DecisionBody(PreviewBody, frozen=True, kw_only=True, omit_defaults=True):
    """A decision on the version that the preview gave; `reason` for staff, `reply` for the player."""

    reason: str
    player_version: int
    reply: str | None = None


class WithdrawBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who takes their appeal back."""

    player_id: str
