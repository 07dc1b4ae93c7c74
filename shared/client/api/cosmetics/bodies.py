"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class ApprovalBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The image that was seen; without it, the cosmetic as it is."""

    sha256: str | None = None


class PurgeBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an image is destroyed."""

    reason: str | None = None


class RemovalBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an image is removed, and which: the hash of what was seen."""

    reason: str
    sha256: str


class ReportBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who reports an image, and why."""

    reporter_id: str
    reason: str
