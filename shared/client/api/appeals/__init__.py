"""Operations and types of `appeals`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.appeals.bodies import AppealBody, DecisionBody, PreviewBody, WithdrawBody
from shared.client.api.appeals.operations import AppealsOperations
from shared.client.api.appeals.replies import Appeal, AppealItem, AppealPage, AppealReply, DecisionReply, PreviewReply
from shared.client.api.common.bodies import DiscretionBody, NamedSanction
from shared.client.api.common.replies import AppealsChange, Ban, Irreversible, Kept, Linked, Reassessed, SanctionBrief, Standing

__all__ = [
    "Appeal",
    "AppealBody",
    "AppealItem",
    "AppealPage",
    "AppealReply",
    "AppealsChange",
    "AppealsOperations",
    "Ban",
    "DecisionBody",
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
