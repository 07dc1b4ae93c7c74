"""Operations and types of `audit`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.audit.operations import AuditOperations
from shared.client.api.audit.replies import HistoryItem, HistoryPage

__all__ = [
    "AuditOperations",
    "HistoryItem",
    "HistoryPage",
]
