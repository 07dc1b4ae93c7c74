"""An image over HTTP: what is live is immutable, what was withdrawn only staff see, and what was purged nobody does (contract; I11, I18, A10)."""

from __future__ import annotations

import re
from typing import Final

from services.cosmetics.imaging.formats import JPEG, PNG, WEBP
from services.cosmetics.slots.bodies import ImageQuery
from services.cosmetics.slots.pictures import Pictures
from services.cosmetics.slots.state import ACTIVE
from services.cosmetics.views.cosmetic import gone
from services.cosmetics.views.queries import CosmeticQueries
from shared.http.call import Call, Reply
from shared.http.concurrency import none_match
from shared.http.endpoint import STAFF
from shared.http.headers import values
from shared.refusal import Refusal

SAFE: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "Content-Disposition": "inline",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Vary": "Accept, Authorization",
}
_IMMUTABLE: Final = "private, max-age=31536000, immutable"
_NOT_KEPT: Final = "no-store"
_RANGE: Final = re.compile(r"\s*([a-z*]+/[a-z0-9.+*-]+)\s*(?:;(.*))?\Z")
_QUALITY: Final = re.compile(r"\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*\Z")


async def get_image(call: Call) -> Reply:
    """The image. Raises a `Refusal`: `not_found`, `gone`."""
    query: ImageQuery = call.query
    cosmetic_id = call.path["cosmetic_id"]
    found = await call.get(CosmeticQueries).one(cosmetic_id)
    staff = call.principal.role in STAFF
    if gone(found.state) or (found.state != ACTIVE and not staff):
        raise _not_shown(found.state)
    sha256, _ = found.files[query.size]
    media_type = wanted(b",".join(values(call.request.scope["headers"], b"accept")).decode("latin-1"), alpha=found.view["transparent"])
    etag = f'"{sha256}"' if media_type == WEBP else f'"{sha256}-{media_type.rpartition("/")[2]}"'
    headers = {**SAFE, "ETag": etag, "Cache-Control": _IMMUTABLE if found.state == ACTIVE else _NOT_KEPT}
    call.about = found.player_id  # whose picture a member of staff looks at is recorded before it is sent (`services/gateway/sensitive.py`)
    if found.state == ACTIVE and not none_match(call.request.scope["headers"], etag):
        return Reply(status=304, headers=headers)
    data = await (call.get(Pictures).bytes_of(cosmetic_id, sha256) if media_type == WEBP else _converted(call, cosmetic_id, sha256, media_type))
    return Reply(body=data, headers=headers, media_type=media_type)


async def _converted(call: Call, cosmetic_id: str, sha256: str, media_type: str) -> bytes:
    """The picture in this format. Making it takes a while: of what was purged or erased meanwhile nothing is kept, and nothing is sent."""
    pictures = call.get(Pictures)
    data, fresh = await pictures.converted(cosmetic_id, sha256, media_type)
    if fresh and gone(state := (await call.get(CosmeticQueries).one(cosmetic_id)).state):
        await pictures.destroy(cosmetic_id)
        raise _not_shown(state)
    return data


def _not_shown(state: str) -> Refusal:
    return Refusal("gone", "This image is not shown any more.", current={"state": state})


def wanted(accept: str, *, alpha: bool) -> str:
    """The format that this `Accept` likes best; of equals WebP, then JPEG, but PNG before it where there is transparency.

    Browsers that know no WebP name PNG and take `image/*` with a lower quality: that is no wish for WebP.
    """
    qualities = _qualities(accept)
    order = (WEBP, PNG, JPEG) if alpha else (WEBP, JPEG, PNG)
    best = max(order, key=lambda media_type: (_quality(qualities, media_type), -order.index(media_type)))
    return best if _quality(qualities, best) > 0 else WEBP


def _qualities(accept: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in accept.lower().split(",")[:50]:
        match = _RANGE.match(part)
        if match is None:
            continue
        given = [_QUALITY.match(parameter) for parameter in (match[2] or "").split(";")]
        found[match[1]] = next((float(quality[1]) for quality in given if quality is not None), 1.0)
    return found


def _quality(qualities: dict[str, float], media_type: str) -> float:
    return next((qualities[name] for name in (media_type, "image/*", "*/*") if name in qualities), 0.0)
