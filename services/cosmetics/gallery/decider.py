"""The rules of the unlock gallery: pure. Source: I-63."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.cosmetics.gallery.commands import GalleryCommand, ListArtwork, UnlistArtwork
from services.cosmetics.gallery.events import ArtworkListed, ArtworkUnlisted, GalleryEvent
from services.cosmetics.gallery.state import CardState


def decide(command: GalleryCommand, state: CardState) -> Sequence[GalleryEvent]:
    """The events that the command causes; none when it is so already."""
    match command:
        case ListArtwork():
            if state.listed == command.source_sha256:
                return []
            at = state.moment(command.at)
            return [ArtworkListed(card_id=command.card_id, source_sha256=command.source_sha256, prints=command.prints, at=at)]
        case UnlistArtwork():
            return [] if state.listed is None else [ArtworkUnlisted(card_id=command.card_id, at=state.moment(command.at))]
        case _:
            assert_never(command)
