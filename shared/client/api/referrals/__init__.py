"""Operations and types of `referrals`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.referrals.bodies import CloseBody
from shared.client.api.referrals.operations import ReferralsOperations
from shared.client.api.referrals.replies import Referral, ReferralListed, ReferralPage, ReferralReply

__all__ = [
    "CloseBody",
    "Referral",
    "ReferralListed",
    "ReferralPage",
    "ReferralReply",
    "ReferralsOperations",
]
