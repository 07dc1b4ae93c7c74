"""The operations of `referrals`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal, Unpack

from shared.client.api.referrals.bodies import CloseBody
from shared.client.api.referrals.replies import Referral, ReferralListed, ReferralPage, ReferralReply
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class ReferralsOperations:
    """The operations of `referrals`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def close_referral(self, referral_id: str, body: CloseBody, **options: Unpack[VersionedOptions]) -> ReferralReply:
        """Close a referral.

        With the incident that came of it, or without one. The incident is charged first, as any other. For admin, senior_admin, head_admin. Problems
        of its own: not_found, already_decided, conflict_of_interest.
        """
        return await self.transport.fetch(
            "POST", f"/v1/referrals/{segment(referral_id)}/close", ReferralReply, command=True, body=body, options=options
        )

    async def get_referral(self, referral_id: str, **options: Unpack[ReadOptions]) -> Referral:
        """One referral, with the reason of its end.

        Who of the staff and auditors reads this is recorded. For admin, senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/referrals/{segment(referral_id)}", Referral, options=options)

    def list_referrals(
        self, *, limit: int = 50, state: Literal["closed", "open"] | None = None, **options: Unpack[ReadOptions]
    ) -> Paged[ReferralListed]:
        """Penalties that head judges referred to the site.

        Who of the staff and auditors reads this is recorded. For admin, senior_admin, head_admin, auditor.
        """
        return Paged(self.transport, "/v1/referrals", {"limit": limit, "state": state}, ReferralPage, options)
