"""What is recorded about the unlock gallery. The artwork itself is not kept, only what it looks like."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtworkListed:
    """This is the card's artwork from now on; `prints` are its fingerprints (base64)."""

    card_id: str
    source_sha256: str
    prints: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtworkUnlisted:
    """The card left the gallery."""

    card_id: str
    at: datetime


GalleryEvent = ArtworkListed | ArtworkUnlisted
