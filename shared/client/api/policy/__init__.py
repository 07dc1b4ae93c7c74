"""Operations and types of `policy`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.policy.operations import PolicyOperations
from shared.client.api.policy.replies import (
    CellBody,
    Change,
    ChoiceBody,
    PolicyBody,
    PublishedReply,
    RowBody,
    SanctionBody,
    SettingsBody,
    UpgradeBody,
    VariantBody,
)

__all__ = [
    "CellBody",
    "Change",
    "ChoiceBody",
    "PolicyBody",
    "PolicyOperations",
    "PublishedReply",
    "RowBody",
    "SanctionBody",
    "SettingsBody",
    "UpgradeBody",
    "VariantBody",
]
