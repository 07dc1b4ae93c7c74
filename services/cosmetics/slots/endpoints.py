"""Cosmetics over HTTP (contract, Cosmetics)."""

from __future__ import annotations

from typing import Any, Final

from services.cosmetics.gallery.endpoints import IMAGE_CODES
from services.cosmetics.imaging.formats import MEDIA_TYPES
from services.cosmetics.imaging.spool import LIMIT, Intake
from services.cosmetics.slots import bodies, examples
from services.cosmetics.slots.handler import NewUpload, SlotHandler
from services.cosmetics.slots.repository import Slots
from services.cosmetics.slots.serving import get_image
from services.cosmetics.views.queries import CosmeticQueries
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, GAME_SERVER, HEAD_ADMIN, HEAD_ADMIN_REQUIRED, STAFF, STAFF_AND_AUDITOR, Endpoint
from shared.http.headers import values
from shared.http.paging import after, cut, next_cursor, page


async def upload_cosmetic(call: Call) -> Reply:
    """Upload an image into a slot."""
    tiers = values(call.request.scope["headers"], b"player-tier")
    tier = tiers[0].decode("latin-1") if len(tiers) == 1 else None
    new = NewUpload(player_id=call.path["player_id"], slot=call.path["slot"], tier=tier)
    handler = call.get(SlotHandler)
    await handler.check(call.context(), new)
    async with call.get(Intake).received(call.request) as file:
        call.took({"sha256": file.sha256, "tier": tier})
        return answered(await handler.upload(call.context(), new, file))


async def delete_cosmetic(call: Call) -> Reply:
    """Empty a slot."""
    return answered(await call.get(SlotHandler).delete(call.context(), call.path["player_id"], call.path["slot"]))


async def list_cosmetics(call: Call) -> Reply:
    """A player's cosmetics."""
    query: bodies.CosmeticsQuery = call.query
    start = after(call, 1)
    items = await call.get(CosmeticQueries).of_player(call.path["player_id"], start[0] if start else None, query.limit + 1)
    shown, more = cut(items, query.limit)
    return Reply.json(page([_for(call, item) for item in shown], next_cursor(call, [shown[-1]["cosmetic_id"]] if more else None)))


async def get_cosmetic(call: Call) -> Reply:
    """One cosmetic."""
    found = await call.get(CosmeticQueries).one(call.path["cosmetic_id"])
    call.about = found.player_id
    told = call.principal.role in STAFF_AND_AUDITOR
    reports = await call.get(Slots).reports_of(found.player_id, call.path["cosmetic_id"]) if told else []
    reported = [{"reporter_id": one.reporter_id, "reason": one.words.reason if one.words else None, "at": one.at} for one in reports]
    return Reply.json({**_for(call, found.view), "reported": reported})


def _for(call: Call, view: dict[str, Any]) -> dict[str, Any]:
    """What the caller may know of it: how often it was reported is for those who review."""
    return view if call.principal.role in STAFF_AND_AUDITOR else {**view, "reports": 0}


async def list_cosmetics_to_review(call: Call) -> Reply:
    """The review list."""
    query: bodies.CosmeticsQuery = call.query
    start = after(call, 2)
    rows = await call.get(CosmeticQueries).review((start[0], start[1]) if start else None, query.limit + 1)
    shown, more = cut(rows, query.limit)
    return Reply.json(page([item for _, item in shown], next_cursor(call, list(shown[-1][0]) if more else None)))


async def report_cosmetic(call: Call) -> Reply:
    """Report an image."""
    body: bodies.ReportBody = call.body
    return answered(await call.get(SlotHandler).report(call.context(), call.path["cosmetic_id"], body.reporter_id, body.reason))


async def approve_cosmetic(call: Call) -> Reply:
    """Approve an image."""
    sha256 = call.body.sha256 if isinstance(call.body, bodies.ApprovalBody) else None
    return answered(await call.get(SlotHandler).approve(call.context(), call.path["cosmetic_id"], sha256))


async def remove_cosmetic(call: Call) -> Reply:
    """Remove an image for cause."""
    body: bodies.RemovalBody = call.body
    return answered(await call.get(SlotHandler).remove(call.context(), call.path["cosmetic_id"], body.sha256, body.reason))


async def purge_cosmetic(call: Call) -> Reply:
    """Destroy an image."""
    reason = call.body.reason if isinstance(call.body, bodies.PurgeBody) else None
    return answered(await call.get(SlotHandler).purge(call.context(), call.path["cosmetic_id"], reason))


_SLOT: Final = "/v1/players/{player_id}/cosmetics/{slot}"
_ONE: Final = "/v1/cosmetics/{cosmetic_id}"
_TAGS: Final = ("cosmetics",)
_ROW_CODES: Final = ("unknown_infraction", "unknown_variant", "discretion_required", "duration_too_long", "head_admin_required")
"""What may stand in the way of a removal's incident when the policy in force has another row for it than the packaged one, or none."""

ENDPOINTS: Final = (
    Endpoint(
        method="PUT", path=_SLOT, handler=upload_cosmetic, roles=GAME_SERVER, tags=_TAGS, command=True, status=201,
        summary="Upload an image into a slot",
        description="The body is the image: PNG, JPEG or WebP by its content, up to 20 MiB (20,971,520 bytes) and 100 megapixels, no animation. "
        "Header `Player-Tier: pro`; anything else is not PRO. It is turned upright, cut from its centre to the slot's shape, scaled, freed of "
        "metadata and encoded anew, goes live at once and enters the review list. 200 when it replaced an image.",
        also={200: "It replaced an image."}, reads=("Player-Tier",), binary=MEDIA_TYPES, body_limit=LIMIT, reply=bodies.UploadReply,
        reply_example=examples.UPLOADED,
        codes=("unknown_slot", "pro_required", "banned", "unlock_gallery_artwork", "previously_removed", *IMAGE_CODES),
    ),
    Endpoint(
        method="DELETE", path=_SLOT, handler=delete_cosmetic, roles=GAME_SERVER, tags=_TAGS, command=True, summary="Empty a slot for its player",
        reply=bodies.DeletionReply, reply_example=examples.DELETED, codes=("unknown_slot",),
    ),
    Endpoint(
        method="GET", path="/v1/players/{player_id}/cosmetics", handler=list_cosmetics, roles=EVERYONE, tags=_TAGS,
        summary="A player's cosmetics, the latest first", query=bodies.CosmeticsQuery, reply=bodies.CosmeticPage, reply_example=examples.PAGE,
    ),
    Endpoint(
        method="GET", path="/v1/cosmetics/review", handler=list_cosmetics_to_review, roles=STAFF_AND_AUDITOR, tags=_TAGS,
        summary="The images to review", query=bodies.CosmeticsQuery,
        description="The most reported first, then the oldest (I-64), then what was reported and is not shown any more.",
        reply=bodies.CosmeticPage, reply_example=examples.PAGE,
    ),
    Endpoint(
        method="GET", path=_ONE, handler=get_cosmetic, roles=EVERYONE, tags=_TAGS, summary="One cosmetic",
        description="With why it was reported, for those who review.", reply=bodies.CosmeticDetails, reply_example=examples.DETAILS,
    ),
    Endpoint(
        method="GET", path=f"{_ONE}/image", handler=get_image, roles=EVERYONE, tags=_TAGS, summary="The image", query=bodies.ImageQuery,
        description="WebP, or PNG or JPEG where `Accept` likes that better. Its address never shows another image, so it may be kept for ever. Once "
        "it was removed, replaced or deleted it is `410 gone` but for staff, whose look is recorded; once purged it is gone for everybody.",
        reply_type="image/webp", other_types=("image/png", "image/jpeg"), reads=("If-None-Match",), gives=("ETag",),
        codes=("gone",), also={304: "The image is the one you have."},
    ),
    Endpoint(
        method="POST", path=f"{_ONE}/reports", handler=report_cosmetic, roles=GAME_SERVER, tags=_TAGS, command=True, status=201,
        summary="Report an image", description="Reports put it at the top of the review list; each reporter counts once.", body=bodies.ReportBody,
        body_example=examples.REPORT_BODY, reply=bodies.CosmeticReply, reply_example=examples.REPORTED, codes=("gone",),
    ),
    Endpoint(
        method="POST", path=f"{_ONE}/approve", handler=approve_cosmetic, roles=STAFF, tags=_TAGS, command=True, summary="Approve an image",
        description="It leaves the review list until it is reported again. One that is not shown any more is approved by its own `sha256`.",
        body=bodies.ApprovalBody, body_example={}, reply=bodies.CosmeticReply, reply_example=examples.APPROVED,
        codes=("image_replaced", "conflict_of_interest"),
    ),
    Endpoint(
        method="POST", path=f"{_ONE}/removal", handler=remove_cosmetic, roles=STAFF, tags=_TAGS, command=True, status=201,
        summary="Remove an image for cause",
        description="Decides an incident (Custom Cosmetics, without a strike) in the same transaction, empties the slot and bars the image. `sha256` "
        "is the hash of what was seen. Also of an image that was replaced or deleted meanwhile. Overturning the incident brings back what was live, "
        "unless its slot was used again; undoing that removes it again.",
        body=bodies.RemovalBody, body_example=examples.REMOVAL_BODY, reply=bodies.RemovalReply, reply_example=examples.REMOVED,
        codes=("image_replaced", "already_decided", "conflict_of_interest", *_ROW_CODES),
    ),
    Endpoint(
        method="POST", path=f"{_ONE}/purge", handler=purge_cosmetic, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED, tags=_TAGS, command=True,
        summary="Destroy an illegal image",
        description="The bytes go for good, before this is answered; the record stays, and the image is barred (where it was removed "
        "before, until that is overturned).",
        body=bodies.PurgeBody, body_example={"reason": "Illegal."}, reply=bodies.CosmeticReply, reply_example=examples.PURGED,
        codes=("conflict_of_interest",),
    ),
)  # fmt: skip
