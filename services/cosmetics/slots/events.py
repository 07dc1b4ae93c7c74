"""What is recorded about a player's cosmetics. All moments are aware and in UTC; along one stream they never go backwards.

The pictures themselves are never in the log: an event names them by the SHA-256 of what is served. Personal are the words that people
wrote, and what a picture looks like, until it is barred.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A reason in free text."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendition:
    """A picture as it is served in one size; `length` in bytes."""

    size: str
    width: int
    height: int
    sha256: str
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An upload as the pipeline left it: `sha256` is that of the full size as served.

    `prints` and `source_sha256` are those of uploads of version 1, which kept them in the open; now they are sealed in a `Likeness`.
    """

    sha256: str
    width: int
    height: int
    alpha: bool
    renditions: tuple[Rendition, ...]
    source_type: str
    source_length: int
    prints: tuple[str, ...] = ()
    source_sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """What an upload looks like: its fingerprints (base64; `fingerprint.py`), and the SHA-256 of the bytes that were sent."""

    prints: tuple[str, ...]
    source_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticUploaded:
    """A picture went live in a slot (I-62, I-64); `replaced` is the one that was there."""

    cosmetic_id: str
    player_id: str
    slot: str
    picture: Picture
    replaced: str | None
    at: datetime
    likeness: Likeness | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticDeleted:
    """The player emptied the slot."""

    cosmetic_id: str
    slot: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticReported:
    """Somebody reported the picture; each reporter counts once."""

    cosmetic_id: str
    reporter_id: str
    at: datetime
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticApproved:
    """A member of staff looked and found nothing wrong; `sha256` is what they saw."""

    cosmetic_id: str
    sha256: str
    staff_id: str
    role: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticRemoved:
    """Removed for cause along with an incident (I-9, I-64); `sha256` is what was seen. The bytes stay for the appeal (A10).

    `prints` are the fingerprints by which it is barred (I-63), whoever is erased; none where its upload, of version 1, has them in the open.
    """

    cosmetic_id: str
    slot: str
    sha256: str
    incident_id: str
    staff_id: str
    role: str
    at: datetime
    words: Words | None = None
    prints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticRestored:
    """The removal fell: the picture is off the list, and back in its slot (`active`; A10) unless that was used again or the bytes are gone.

    What was not in its slot when it was removed is again what it was then (A-51).
    """

    cosmetic_id: str
    slot: str
    incident_id: str
    active: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalReinstated:
    """The removal that had fallen stands again (I-20): the picture is out of its slot, wherever it was since, and back on the list."""

    cosmetic_id: str
    slot: str
    incident_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CosmeticPurged:
    """The bytes go for good (I-64). `listed`: the picture is barred from now on, by these `prints`, or still, by those it was barred by before."""

    cosmetic_id: str
    slot: str
    by: str
    role: str
    listed: bool
    at: datetime
    words: Words | None = None
    prints: tuple[str, ...] = ()


SlotEvent = (
    CosmeticUploaded
    | CosmeticDeleted
    | CosmeticReported
    | CosmeticApproved
    | CosmeticRemoved
    | CosmeticRestored
    | RemovalReinstated
    | CosmeticPurged
)
