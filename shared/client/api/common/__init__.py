"""Operations and types of `common`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import DiscretionBody, EvidenceBody, IncidentBody, NamedSanction, OffenseBody, ReasonBody
from shared.client.api.common.replies import (
    Adjustment,
    Assessment,
    Ban,
    Change,
    Evidence,
    Extension,
    Incident,
    IncidentReply,
    Kept,
    Outcome,
    Sanction,
    Standing,
    Strike,
)

__all__ = [
    "Adjustment",
    "Assessment",
    "Ban",
    "Change",
    "DiscretionBody",
    "Evidence",
    "EvidenceBody",
    "Extension",
    "Incident",
    "IncidentBody",
    "IncidentReply",
    "Kept",
    "NamedSanction",
    "OffenseBody",
    "Outcome",
    "ReasonBody",
    "Sanction",
    "Standing",
    "Strike",
]
