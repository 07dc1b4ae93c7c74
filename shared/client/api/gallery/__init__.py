"""Operations and types of `gallery`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.gallery.operations import GalleryOperations
from shared.client.api.gallery.replies import GalleryReply

__all__ = [
    "GalleryOperations",
    "GalleryReply",
]
