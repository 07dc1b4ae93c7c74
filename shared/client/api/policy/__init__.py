"""Operations and types of `policy`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.replies import AppealsChange, Ban, Standing
from shared.client.api.policy.operations import PolicyOperations
from shared.client.api.policy.replies import (
    CellBody,
    CheckedReply,
    ChoiceBody,
    PolicyBody,
    PolicyChange,
    PublishedReply,
    RowBody,
    SanctionBody,
    SettingsBody,
    StandsDifferently,
    UpgradeBody,
    VariantBody,
)

__all__ = [
    "AppealsChange",
    "Ban",
    "CellBody",
    "CheckedReply",
    "ChoiceBody",
    "PolicyBody",
    "PolicyChange",
    "PolicyOperations",
    "PublishedReply",
    "RowBody",
    "SanctionBody",
    "SettingsBody",
    "Standing",
    "StandsDifferently",
    "UpgradeBody",
    "VariantBody",
]
