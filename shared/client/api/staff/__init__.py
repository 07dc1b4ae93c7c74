"""Operations and types of `staff`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.staff.bodies import StaffBody
from shared.client.api.staff.operations import StaffOperations
from shared.client.api.staff.replies import StaffEntry, StaffReply

__all__ = [
    "StaffBody",
    "StaffEntry",
    "StaffOperations",
    "StaffReply",
]
