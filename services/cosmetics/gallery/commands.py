"""What may be asked of a card of the unlock gallery. Time comes in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ListArtwork:
    """The card's artwork is this picture."""

    card_id: str
    source_sha256: str
    prints: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlistArtwork:
    """The card leaves the gallery."""

    card_id: str
    at: datetime


GalleryCommand = ListArtwork | UnlistArtwork
