"""The operations of `cosmetics`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal, Unpack

from shared.client.api.cosmetics.bodies import ApprovalBody, PurgeBody, RemovalBody, ReportBody
from shared.client.api.cosmetics.replies import Cosmetic, CosmeticDetails, CosmeticPage, CosmeticReply, DeletionReply, RemovalReply, UploadReply
from shared.client.media import Media
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class CosmeticsOperations:
    """The operations of `cosmetics`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def approve_cosmetic(self, cosmetic_id: str, body: ApprovalBody, **options: Unpack[VersionedOptions]) -> CosmeticReply:
        """Approve an image.

        It leaves the review list until it is reported again. One that is not shown any more is approved by its own `sha256`. For admin, senior_admin,
        head_admin. Problems of its own: image_replaced, conflict_of_interest.
        """
        return await self.transport.fetch(
            "POST", f"/v1/cosmetics/{segment(cosmetic_id)}/approve", CosmeticReply, command=True, body=body, options=options
        )

    async def delete_cosmetic(self, player_id: str, slot: str, **options: Unpack[VersionedOptions]) -> DeletionReply:
        """Empty a slot for its player.

        For game_server. Problems of its own: unknown_slot.
        """
        return await self.transport.fetch(
            "DELETE", f"/v1/players/{segment(player_id)}/cosmetics/{segment(slot)}", DeletionReply, command=True, options=options
        )

    async def get_cosmetic(self, cosmetic_id: str, **options: Unpack[ReadOptions]) -> CosmeticDetails:
        """One cosmetic.

        With why it was reported, for those who review. Who of the staff and auditors reads this is recorded. For game_server, admin, senior_admin,
        head_admin, auditor.
        """
        return await self.transport.fetch("GET", f"/v1/cosmetics/{segment(cosmetic_id)}", CosmeticDetails, options=options)

    async def get_image(
        self, cosmetic_id: str, *, size: Literal["1x", "2x", "thumb"] = "2x", accept: str | None = None, if_none_match: str | None = None,
        **options: Unpack[ReadOptions]
    ) -> Media | None:
        """The image.

        WebP, or PNG or JPEG where `Accept` likes that better. Its address never shows another image, so it may be kept for ever. Once it was removed,
        replaced or deleted it is `410 gone` but for staff, whose look is recorded; once purged it is gone for everybody. Who of the staff and
        auditors reads this is recorded. None is 304: what `if_none_match` names is still so. For game_server, admin, senior_admin, head_admin,
        auditor. Problems of its own: gone.
        """
        return await self.transport.media(
            "GET", f"/v1/cosmetics/{segment(cosmetic_id)}/image", {"image/webp", "image/png", "image/jpeg"}, query={"size": size},
            headers={"Accept": accept or "image/webp", "If-None-Match": if_none_match}, options=options
        )

    def list_cosmetics(self, player_id: str, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[Cosmetic]:
        """A player's cosmetics, the latest first.

        For game_server, admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, f"/v1/players/{segment(player_id)}/cosmetics", {"limit": limit}, CosmeticPage, options)

    def list_cosmetics_to_review(self, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[Cosmetic]:
        """The images to review.

        The most reported first, then the oldest (I-64), then what was reported and is not shown any more. Who of the staff and auditors reads this is
        recorded. For admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, "/v1/cosmetics/review", {"limit": limit}, CosmeticPage, options)

    async def purge_cosmetic(self, cosmetic_id: str, body: PurgeBody, **options: Unpack[VersionedOptions]) -> CosmeticReply:
        """Destroy an illegal image.

        The bytes go for good, before this is answered; the record stays, and the image is barred (where it was removed before, until that is
        overturned). For head_admin. Problems of its own: conflict_of_interest.
        """
        return await self.transport.fetch(
            "POST", f"/v1/cosmetics/{segment(cosmetic_id)}/purge", CosmeticReply, command=True, body=body, options=options
        )

    async def remove_cosmetic(self, cosmetic_id: str, body: RemovalBody, **options: Unpack[VersionedOptions]) -> RemovalReply:
        """Remove an image for cause.

        Decides an incident (Custom Cosmetics, without a strike) in the same transaction, empties the slot and bars the image. `sha256` is the hash of
        what was seen. Also of an image that was replaced or deleted meanwhile. Overturning the incident brings back what was live, unless its slot
        was used again; undoing that removes it again. For admin, senior_admin, head_admin. Problems of its own: image_replaced, already_decided,
        conflict_of_interest, unknown_infraction, unknown_variant, discretion_required, duration_too_long, head_admin_required.
        """
        return await self.transport.fetch(
            "POST", f"/v1/cosmetics/{segment(cosmetic_id)}/removal", RemovalReply, command=True, body=body, options=options
        )

    async def report_cosmetic(self, cosmetic_id: str, body: ReportBody, **options: Unpack[VersionedOptions]) -> CosmeticReply:
        """Report an image.

        Reports put it at the top of the review list; each reporter counts once. For game_server. Problems of its own: gone.
        """
        return await self.transport.fetch(
            "POST", f"/v1/cosmetics/{segment(cosmetic_id)}/reports", CosmeticReply, command=True, body=body, options=options
        )

    async def upload_cosmetic(
        self, player_id: str, slot: str, data: bytes, *, player_tier: str | None = None, **options: Unpack[VersionedOptions]
    ) -> UploadReply:
        """Upload an image into a slot.

        The body is the image: PNG, JPEG or WebP by its content, up to 20 MiB (20,971,520 bytes) and 100 megapixels, no animation. Header
        `Player-Tier: pro`; anything else is not PRO. It is turned upright, cut from its centre to the slot's shape, scaled, freed of metadata and
        encoded anew, goes live at once and enters the review list. 200 when it replaced an image. For game_server. Problems of its own: unknown_slot,
        pro_required, banned, unlock_gallery_artwork, previously_removed, animated_image, corrupt_image, image_too_many_pixels.
        """
        return await self.transport.fetch(
            "PUT", f"/v1/players/{segment(player_id)}/cosmetics/{segment(slot)}", UploadReply, command=True, data=data,
            headers={"Player-Tier": player_tier}, options=options
        )
