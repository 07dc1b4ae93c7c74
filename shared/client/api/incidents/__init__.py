"""Operations and types of `incidents`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import DiscretionBody, NamedSanction, ReasonBody
from shared.client.api.common.replies import Ban, Standing
from shared.client.api.incidents.bodies import AdjustmentBody, EvidenceBody, ImportBody, ImportRow, IncidentBody, OffenseBody
from shared.client.api.incidents.operations import IncidentsOperations
from shared.client.api.incidents.replies import (
    ActiveSanction,
    ActiveSanctions,
    Adjustment,
    Assessment,
    ChangeReply,
    Evidence,
    Extension,
    FailedRow,
    ImportReply,
    Incident,
    IncidentPage,
    IncidentReply,
    Outcome,
    Sanction,
    Statement,
    Strike,
)

__all__ = [
    "ActiveSanction",
    "ActiveSanctions",
    "Adjustment",
    "AdjustmentBody",
    "Assessment",
    "Ban",
    "ChangeReply",
    "DiscretionBody",
    "Evidence",
    "EvidenceBody",
    "Extension",
    "FailedRow",
    "ImportBody",
    "ImportReply",
    "ImportRow",
    "Incident",
    "IncidentBody",
    "IncidentPage",
    "IncidentReply",
    "IncidentsOperations",
    "NamedSanction",
    "OffenseBody",
    "Outcome",
    "ReasonBody",
    "Sanction",
    "Standing",
    "Statement",
    "Strike",
]
