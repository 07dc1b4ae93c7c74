"""Operations and types of `appeals`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.appeals.bodies import AppealsAppealBody, AppealsDecisionBody, PreviewBody, WithdrawBody
from shared.client.api.appeals.operations import AppealsOperations
from shared.client.api.appeals.replies import (
    Appeal,
    AppealItem,
    AppealPage,
    AppealReply,
    DecisionReply,
    Irreversible,
    Linked,
    PreviewReply,
    Reassessed,
    SanctionBrief,
)
from shared.client.api.common.bodies import DiscretionBody, NamedSanction
from shared.client.api.common.replies import AppealsChange, Ban, Kept, Standing

__all__ = [
    "Appeal",
    "AppealItem",
    "AppealPage",
    "AppealReply",
    "AppealsAppealBody",
    "AppealsChange",
    "AppealsDecisionBody",
    "AppealsOperations",
    "Ban",
    "DecisionReply",
    "DiscretionBody",
    "Irreversible",
    "Kept",
    "Linked",
    "NamedSanction",
    "PreviewBody",
    "PreviewReply",
    "Reassessed",
    "SanctionBrief",
    "Standing",
    "WithdrawBody",
]
