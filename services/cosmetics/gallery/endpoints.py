"""The unlock gallery over HTTP (contract, Cosmetics)."""

from __future__ import annotations

from typing import Final

import msgspec

from services.cosmetics.gallery.handler import GalleryHandler
from services.cosmetics.imaging.formats import MEDIA_TYPES
from services.cosmetics.imaging.spool import LIMIT, Intake
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import GAME_SERVER, Endpoint

IMAGE_CODES: Final = ("animated_image", "corrupt_image", "image_too_many_pixels")


class GalleryReply(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the card's artwork is in the gallery; `position` is null when nothing changed."""

    card_id: str
    listed: bool
    version: int
    position: int | None


async def put_artwork(call: Call) -> Reply:
    """Put a card's artwork into the gallery."""
    async with call.get(Intake).received(call.request) as file:
        call.took({"sha256": file.sha256})
        return answered(await call.get(GalleryHandler).put(call.context(), call.path["card_id"], file))


async def delete_artwork(call: Call) -> Reply:
    """Take a card's artwork out of the gallery."""
    return answered(await call.get(GalleryHandler).delete(call.context(), call.path["card_id"]))


ENDPOINTS: Final = (
    Endpoint(
        method="PUT", path="/v1/gallery/{card_id}", handler=put_artwork, roles=GAME_SERVER, tags=("gallery",), command=True, if_match=False,
        status=201, summary="Put a card's artwork into the unlock gallery",
        description="From then on nobody uploads it, nor what looks like it (I-63). Only its fingerprint is kept. 200 when it replaced one.",
        also={200: "It replaced the card's artwork, or was there already."}, binary=MEDIA_TYPES, body_limit=LIMIT, reply=GalleryReply,
        reply_example={"card_id": "card-89631139", "listed": True, "version": 1, "position": 17}, codes=IMAGE_CODES,
    ),
    Endpoint(
        method="DELETE", path="/v1/gallery/{card_id}", handler=delete_artwork, roles=GAME_SERVER, tags=("gallery",), command=True, if_match=False,
        summary="Take a card's artwork out of the unlock gallery", reply=GalleryReply,
        reply_example={"card_id": "card-89631139", "listed": False, "version": 2, "position": 18},
    ),
)  # fmt: skip
