"""A card of the unlock gallery as its rules see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from services.cosmetics.gallery.events import ArtworkListed, ArtworkUnlisted, GalleryEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class CardState:
    """`listed` is the artwork in the gallery now, by the SHA-256 of its file, None for none."""

    version: int = 0
    listed: str | None = None
    last_at: datetime | None = None

    def moment(self, at: datetime) -> datetime:
        """`at`, but never before what is recorded already."""
        return at if self.last_at is None else max(at, self.last_at)


INITIAL = CardState()


def evolve(state: CardState, event: GalleryEvent) -> CardState:
    """The card after the event."""
    state = replace(state, version=state.version + 1, last_at=state.moment(event.at))
    match event:
        case ArtworkListed():
            return replace(state, listed=event.source_sha256)
        case ArtworkUnlisted():
            return replace(state, listed=None)
        case _:
            assert_never(event)
