"""Operations and types of `operations`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.operations.operations import OperationsOperations
from shared.client.api.operations.replies import State

__all__ = [
    "OperationsOperations",
    "State",
]
