"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct


class Cosmetic(Struct, frozen=True, kw_only=True):
    """A cosmetic. `sha256` is that of the full-size bytes as served; `in_review` while no reviewer approved it since its upload or last report."""

    cosmetic_id: str
    player_id: str
    slot: str
    width: int
    height: int
    sha256: str
    state: str
    image_url: str
    sizes: list[ImageSize]
    transparent: bool
    uploaded_at: datetime
    reports: int
    in_review: bool
    incident_id: str | None


class CosmeticDetails(Cosmetic, frozen=True, kw_only=True):
    """A cosmetic with its latest 100 reports, the newest first, also those from before it was approved: for staff and auditors, empty for others."""

    reported: list[Report]


class CosmeticPage(Struct, frozen=True, kw_only=True):
    """A page of cosmetics."""

    items: list[Cosmetic]
    next_cursor: str | None


class CosmeticReply(Cosmetic, frozen=True, kw_only=True):
    """The cosmetic after a command; `position` is null when nothing changed."""

    version: int
    position: int | None


class DeletionReply(Struct, frozen=True, kw_only=True):
    """The slot is empty; `cosmetic_id` is what was in it last."""

    slot: str
    cosmetic_id: str | None
    version: int
    position: int | None


class ImageSize(Struct, frozen=True, kw_only=True):
    """A size in which the image is served."""

    size: str
    width: int
    height: int


class RemovalReply(CosmeticReply, frozen=True, kw_only=True):
    """The removed cosmetic, and the incident that was decided with it."""

    incident: dict[str, Any]


class Report(Struct, frozen=True, kw_only=True):
    """Who reported an image, and why; `reason` is null once the words were erased."""

    reporter_id: str
    reason: str | None
    at: datetime


class UploadReply(CosmeticReply, frozen=True, kw_only=True):
    """The uploaded cosmetic, and the one it replaced."""

    replaced: str | None
