"""Operations and types of `penalties`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.replies import Person, Round, Rule, Tournament
from shared.client.api.penalties.bodies import DeviationBody, PenaltyBody, SituationBody, TardinessBody, TriggerBody
from shared.client.api.penalties.operations import PenaltiesOperations
from shared.client.api.penalties.replies import (
    Applies,
    CellLine,
    Companion,
    Deviation,
    DisqualificationLine,
    Duty,
    DutyPage,
    DutyReply,
    Effect,
    Moved,
    Penalty,
    PenaltyReply,
    PersonPenalties,
    ReferredReply,
    Report,
    Standard,
    Step,
    Tardiness,
    TriggerAdvice,
)

__all__ = [
    "Applies",
    "CellLine",
    "Companion",
    "Deviation",
    "DeviationBody",
    "DisqualificationLine",
    "Duty",
    "DutyPage",
    "DutyReply",
    "Effect",
    "Moved",
    "PenaltiesOperations",
    "Penalty",
    "PenaltyBody",
    "PenaltyReply",
    "Person",
    "PersonPenalties",
    "ReferredReply",
    "Report",
    "Round",
    "Rule",
    "SituationBody",
    "Standard",
    "Step",
    "Tardiness",
    "TardinessBody",
    "Tournament",
    "TriggerAdvice",
    "TriggerBody",
]
