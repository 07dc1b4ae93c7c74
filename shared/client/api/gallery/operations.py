"""The operations of `gallery`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.gallery.replies import GalleryReply
from shared.client.options import CommandOptions
from shared.client.transport import Transport, segment


class GalleryOperations:
    """The operations of `gallery`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def delete_artwork(self, card_id: str, **options: Unpack[CommandOptions]) -> GalleryReply:
        """Take a card's artwork out of the unlock gallery.

        For game_server.
        """
        return await self.transport.fetch("DELETE", f"/v1/gallery/{segment(card_id)}", GalleryReply, command=True, options=options)

    async def put_artwork(self, card_id: str, data: bytes, **options: Unpack[CommandOptions]) -> GalleryReply:
        """Put a card's artwork into the unlock gallery.

        From then on nobody uploads it, nor what looks like it (I-63). Only its fingerprint is kept. 200 when it replaced one. For game_server.
        Problems of its own: animated_image, corrupt_image, image_too_many_pixels.
        """
        return await self.transport.fetch("PUT", f"/v1/gallery/{segment(card_id)}", GalleryReply, command=True, data=data, options=options)
