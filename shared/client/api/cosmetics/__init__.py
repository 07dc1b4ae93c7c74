"""Operations and types of `cosmetics`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.cosmetics.bodies import ApprovalBody, PurgeBody, RemovalBody, ReportBody
from shared.client.api.cosmetics.operations import CosmeticsOperations
from shared.client.api.cosmetics.replies import (
    Cosmetic,
    CosmeticDetails,
    CosmeticPage,
    CosmeticReply,
    DeletionReply,
    ImageSize,
    RemovalReply,
    Report,
    UploadReply,
)

__all__ = [
    "ApprovalBody",
    "Cosmetic",
    "CosmeticDetails",
    "CosmeticPage",
    "CosmeticReply",
    "CosmeticsOperations",
    "DeletionReply",
    "ImageSize",
    "PurgeBody",
    "RemovalBody",
    "RemovalReply",
    "Report",
    "ReportBody",
    "UploadReply",
]
