"""What comes in and goes out over HTTP about cosmetics."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from shared.http.types import GameId, PageQuery, Reason, Sha256

State = Literal["active", "replaced", "removed", "deleted", "purged"]


class ReportBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Who reports an image, and why."""

    reporter_id: GameId
    reason: Reason


class ApprovalBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The image that was seen; without it, the cosmetic as it is."""

    sha256: Sha256 | None = None


class RemovalBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Why an image is removed, and which: the hash of what was seen."""

    reason: Reason
    sha256: Sha256


class PurgeBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Why an image is destroyed."""

    reason: Reason | None = None


class ImageQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which size: `2x` is the slot's full size, `1x` half of it, `thumb` a small one."""

    size: Annotated[Literal["2x", "1x", "thumb"], Meta(description="The full size without it.")] = "2x"


class CosmeticsQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A page of cosmetics."""


class ImageSize(msgspec.Struct, frozen=True, kw_only=True):
    """A size in which the image is served."""

    size: Literal["2x", "1x", "thumb"]
    width: int
    height: int


class CosmeticShape(msgspec.Struct, frozen=True, kw_only=True):
    """A cosmetic. `sha256` is that of the full-size bytes as served; `in_review` while no reviewer approved it since its upload or last report."""

    cosmetic_id: str
    player_id: str
    slot: str
    width: int
    height: int
    sha256: str
    state: State
    image_url: str
    sizes: list[ImageSize]
    transparent: bool
    uploaded_at: datetime
    reports: int
    in_review: bool
    incident_id: str | None


class ReportShape(msgspec.Struct, frozen=True, kw_only=True):
    """Who reported an image, and why; `reason` is null once the words were erased."""

    reporter_id: str
    reason: str | None
    at: datetime


class CosmeticDetails(CosmeticShape, frozen=True, kw_only=True):
    """A cosmetic with its latest 100 reports, the newest first, also those from before it was approved: for staff and auditors, empty for others."""

    reported: list[ReportShape]


class CosmeticReply(CosmeticShape, frozen=True, kw_only=True):
    """The cosmetic after a command; `position` is null when nothing changed."""

    version: int
    position: int | None


class UploadReply(CosmeticReply, frozen=True, kw_only=True):
    """The uploaded cosmetic, and the one it replaced."""

    replaced: str | None


class RemovalReply(CosmeticReply, frozen=True, kw_only=True):
    """The removed cosmetic, and the incident that was decided with it."""

    incident: dict[str, object]


class DeletionReply(msgspec.Struct, frozen=True, kw_only=True):
    """The slot is empty; `cosmetic_id` is what was in it last."""

    slot: str
    cosmetic_id: str | None
    version: int
    position: int | None


class CosmeticPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of cosmetics."""

    items: list[CosmeticShape]
    next_cursor: str | None
