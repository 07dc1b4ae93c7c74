"""The operations of `staff`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.staff.bodies import StaffBody
from shared.client.api.staff.replies import StaffEntry, StaffReply
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.transport import Transport, segment


class StaffOperations:
    """The operations of `staff`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def get_staff(self, staff_id: str, **options: Unpack[ReadOptions]) -> StaffEntry:
        """Show a member of staff.

        For head_admin. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/staff/{segment(staff_id)}", StaffEntry, options=options)

    async def put_staff(self, staff_id: str, body: StaffBody, **options: Unpack[VersionedOptions]) -> StaffReply:
        """Register or change a member of staff.

        201 when the member is new. Counts from the next request on, for tokens in use too. Nobody edits their own entry. For head_admin. Problems of
        its own: conflict_of_interest.
        """
        return await self.transport.fetch("PUT", f"/v1/staff/{segment(staff_id)}", StaffReply, command=True, body=body, options=options)
