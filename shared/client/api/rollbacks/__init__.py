"""Operations and types of `rollbacks`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import ReasonBody
from shared.client.api.common.replies import AppealsChange, Ban, Irreversible, Linked, Reassessed, SanctionBrief, Standing
from shared.client.api.rollbacks.bodies import RollbackBody
from shared.client.api.rollbacks.operations import RollbacksOperations
from shared.client.api.rollbacks.replies import (
    Counts,
    KeptDecision,
    Listed,
    PlayerEntry,
    PlayerReinstated,
    PlayerUndone,
    Reimposed,
    ReinstatedEntry,
    Reversal,
    ReversalReply,
    Rollback,
    RollbackHead,
    RollbackItem,
    RollbackPage,
    RollbackReply,
)

__all__ = [
    "AppealsChange",
    "Ban",
    "Counts",
    "Irreversible",
    "KeptDecision",
    "Linked",
    "Listed",
    "PlayerEntry",
    "PlayerReinstated",
    "PlayerUndone",
    "ReasonBody",
    "Reassessed",
    "Reimposed",
    "ReinstatedEntry",
    "Reversal",
    "ReversalReply",
    "Rollback",
    "RollbackBody",
    "RollbackHead",
    "RollbackItem",
    "RollbackPage",
    "RollbackReply",
    "RollbacksOperations",
    "SanctionBrief",
    "Standing",
]
