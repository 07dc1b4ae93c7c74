"""What may be asked of a player's cosmetics. Time, ids and looked-up facts come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.cosmetics.slots.events import Likeness, Picture, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """The member of staff who decides; `player_id` is their own account."""

    staff_id: str
    role: str
    player_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Put a picture into a slot. `pro` and `banned` are facts of the moment of the decision; `known` says on which list the picture is, if any."""

    cosmetic_id: str
    player_id: str
    slot: str
    picture: Picture
    likeness: Likeness
    pro: bool
    banned: bool
    known: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """Empty a slot for its player."""

    slot: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Report a picture."""

    cosmetic_id: str
    reporter_id: str
    words: Words
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Find nothing wrong with a picture; `sha256`, where given, is what was seen."""

    cosmetic_id: str
    player_id: str
    by: Staff
    sha256: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Remove a picture for cause; `incident_id` is decided along with it. `prints` are the fingerprints to bar it by."""

    cosmetic_id: str
    player_id: str
    by: Staff
    sha256: str
    incident_id: str
    words: Words
    prints: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """The removal's incident fell."""

    incident_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstate:
    """The removal's incident had fallen and stands again: a rollback was reversed, or a Head Admin put the removal back (I-20)."""

    incident_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """Destroy a picture's bytes. `prints` are the fingerprints to bar it by."""

    cosmetic_id: str
    player_id: str
    by: Staff
    words: Words | None
    prints: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Destroy the bytes of every picture that a player uploaded up to `until`, when they were erased."""

    by: Staff
    until: datetime
    at: datetime


SlotCommand = Upload | Delete | Report | Approve | Remove | Restore | Reinstate | Purge | Forget
