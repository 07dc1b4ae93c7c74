"""The bytes of pictures: from the decoder's answer into the blob store, and out again.

The address of a picture's bytes is the cosmetic and their SHA-256: they never change under it, and they belong to one cosmetic alone, so that
replacing, purging or erasing one player's picture never touches another one's equal bytes (I17).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.imaging.fingerprint import known_prints
from services.cosmetics.imaging.formats import WEBP
from services.cosmetics.imaging.process import Answer
from services.cosmetics.imaging.spool import Spooled
from services.cosmetics.slots.events import Likeness, Picture, Rendition
from services.cosmetics.slots.layout import Size
from shared.blobs.store import BlobStore
from shared.refusal import Refusal, Unavailable

PREFIX = "images"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A picture with the bytes of its sizes, by their SHA-256; `seen` is the whole upload in small, by which known pictures are found."""

    picture: Picture
    likeness: Likeness
    files: dict[str, bytes]
    seen: bytes


def made_from(answer: Answer, sizes: Sequence[Size], file: Spooled, media_type: str) -> Made:
    """The picture that the decoder made."""
    seen, cut, *pictures = answer.parts
    hashes = [hashlib.sha256(data).hexdigest() for data in pictures]
    renditions = tuple(
        Rendition(size=size, width=width, height=height, sha256=sha256, length=len(data))
        for (size, width, height), sha256, data in zip(sizes, hashes, pictures, strict=True)
    )
    picture = Picture(
        sha256=hashes[0],
        width=renditions[0].width,
        height=renditions[0].height,
        alpha=bool(answer.head.get("alpha")),
        renditions=renditions,
        source_type=media_type,
        source_length=file.length,
    )
    likeness = Likeness(prints=known_prints(seen, cut), source_sha256=file.sha256)
    return Made(picture=picture, likeness=likeness, files=dict(zip(hashes, pictures, strict=True)), seen=seen)


def key_of(cosmetic_id: str, sha256: str, media_type: str = WEBP) -> str:
    """Where these bytes of a cosmetic are, or what was made of them in another format."""
    return f"{PREFIX}/{cosmetic_id}/{sha256}.{media_type.rpartition('/')[2]}"


class Pictures:
    """The blobs of cosmetics."""

    def __init__(self, blobs: BlobStore, decoders: Decoders) -> None:
        self._blobs = blobs
        self._decoders = decoders

    async def keep(self, cosmetic_id: str, made: Made) -> None:
        """Store every size, durably. Raises `Unavailable`."""
        for sha256, data in made.files.items():
            await self._blobs.put(key_of(cosmetic_id, sha256), data)

    async def bytes_of(self, cosmetic_id: str, sha256: str) -> bytes:
        """The bytes with this SHA-256.

        Raises `Unavailable` when they are not there or are not what they were, a `Refusal` `gone` never: whether they may be shown is the caller's.
        """
        data = await self._blobs.get(key_of(cosmetic_id, sha256))
        if data is None or hashlib.sha256(data).hexdigest() != sha256:
            detail = "The image can't be read now."
            raise Unavailable(detail)
        return data

    async def converted(self, cosmetic_id: str, sha256: str, media_type: str) -> tuple[bytes, bool]:
        """The same picture in another format, and whether it was made just now: made once and kept, so that readers don't take the uploads' turns.

        Raises as `bytes_of`. What is kept goes with the cosmetic's other bytes; who sees after a making that the picture was withdrawn meanwhile has
        to `destroy` them.
        """
        key = key_of(cosmetic_id, sha256, media_type)
        kept = await self._blobs.get(key)
        if kept is not None:
            return kept, False
        made = await self._convert(await self.bytes_of(cosmetic_id, sha256), media_type)
        await self._blobs.put(key, made)
        return made, True

    async def _convert(self, data: bytes, media_type: str) -> bytes:
        descriptor = os.memfd_create("picture")
        try:
            os.write(descriptor, data)
            return await self._decoders.convert(descriptor, media_type)
        except Refusal as refusal:
            detail = "The image can't be converted now."
            raise Unavailable(detail) from refusal
        finally:
            os.close(descriptor)

    async def destroy(self, cosmetic_id: str) -> None:
        """Delete every byte of the cosmetic. Raises `Unavailable`; the collector tries again, too."""
        keys = [blob.key async for blob in self._blobs.blobs(f"{PREFIX}/{cosmetic_id}/")]
        for key in keys:
            await self._blobs.delete(key)
