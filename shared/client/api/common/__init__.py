"""Operations and types of `common`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import DiscretionBody, EvidenceBody, IncidentBody, NamedSanction, OffenseBody, ReasonBody
from shared.client.api.common.replies import (
    Adjustment,
    AppealsChange,
    Assessment,
    Ban,
    Evidence,
    Extension,
    Incident,
    Irreversible,
    Kept,
    Linked,
    Outcome,
    Reassessed,
    Sanction,
    SanctionBrief,
    Standing,
    Strike,
)

__all__ = [
    "Adjustment",
    "AppealsChange",
    "Assessment",
    "Ban",
    "DiscretionBody",
    "Evidence",
    "EvidenceBody",
    "Extension",
    "Incident",
    "IncidentBody",
    "Irreversible",
    "Kept",
    "Linked",
    "NamedSanction",
    "OffenseBody",
    "Outcome",
    "ReasonBody",
    "Reassessed",
    "Sanction",
    "SanctionBrief",
    "Standing",
    "Strike",
]
