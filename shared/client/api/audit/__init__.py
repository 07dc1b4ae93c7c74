"""Operations and types of `audit`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.audit.bodies import WhatIfBody
from shared.client.api.audit.operations import AuditOperations
from shared.client.api.audit.replies import (
    DiffReply,
    Explanation,
    HistoryItem,
    HistoryPage,
    Read,
    ReadAgain,
    ReadsPage,
    ReplayItem,
    ReplayPage,
    WhatIfReply,
)
from shared.client.api.common.replies import AppealsChange, Ban, Kept, Standing

__all__ = [
    "AppealsChange",
    "AuditOperations",
    "Ban",
    "DiffReply",
    "Explanation",
    "HistoryItem",
    "HistoryPage",
    "Kept",
    "Read",
    "ReadAgain",
    "ReadsPage",
    "ReplayItem",
    "ReplayPage",
    "Standing",
    "WhatIfBody",
    "WhatIfReply",
]
