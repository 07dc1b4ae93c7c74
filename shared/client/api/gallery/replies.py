"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class GalleryReply(Struct, frozen=True, kw_only=True):
    """Whether the card's artwork is in the gallery; `position` is null when nothing changed."""

    card_id: str
    listed: bool
    version: int
    position: int | None
