"""Operations and types of `log`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.log.operations import LogOperations
from shared.client.api.log.replies import ConsistencyProof, Entries, Entry, InclusionProof, KeyReply

__all__ = [
    "ConsistencyProof",
    "Entries",
    "Entry",
    "InclusionProof",
    "KeyReply",
    "LogOperations",
]
