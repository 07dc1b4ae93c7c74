"""Operations and types of `standing`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.replies import Ban, Standing
from shared.client.api.standing.bodies import AccessBody, StandingsBody
from shared.client.api.standing.operations import StandingOperations
from shared.client.api.standing.replies import AccessReason, AccessReply, QueriedStanding, StandingsReply

__all__ = [
    "AccessBody",
    "AccessReason",
    "AccessReply",
    "Ban",
    "QueriedStanding",
    "Standing",
    "StandingOperations",
    "StandingsBody",
    "StandingsReply",
]
