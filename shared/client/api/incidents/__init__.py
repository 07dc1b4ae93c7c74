"""Operations and types of `incidents`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import DiscretionBody, EvidenceBody, IncidentBody, NamedSanction, OffenseBody, ReasonBody
from shared.client.api.common.replies import Adjustment, Assessment, Ban, Evidence, Extension, Incident, Outcome, Sanction, Standing, Strike
from shared.client.api.incidents.bodies import AdjustmentBody, ImportBody, ImportRow
from shared.client.api.incidents.operations import IncidentsOperations
from shared.client.api.incidents.replies import (
    ActiveSanction,
    ActiveSanctions,
    ChangeReply,
    ErasureReply,
    FailedRow,
    ImportReply,
    IncidentPage,
    IncidentReply,
    Statement,
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
    "ErasureReply",
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
