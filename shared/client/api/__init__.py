"""All operations, by resource. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.appeals.operations import AppealsOperations
from shared.client.api.audit.operations import AuditOperations
from shared.client.api.calls.operations import CallsOperations
from shared.client.api.cosmetics.operations import CosmeticsOperations
from shared.client.api.duels.operations import DuelsOperations
from shared.client.api.feed.operations import FeedOperations
from shared.client.api.gallery.operations import GalleryOperations
from shared.client.api.incidents.operations import IncidentsOperations
from shared.client.api.log.operations import LogOperations
from shared.client.api.network_bans.operations import NetworkBansOperations
from shared.client.api.operations.operations import OperationsOperations
from shared.client.api.penalties.operations import PenaltiesOperations
from shared.client.api.policy.operations import PolicyOperations
from shared.client.api.referrals.operations import ReferralsOperations
from shared.client.api.rollbacks.operations import RollbacksOperations
from shared.client.api.staff.operations import StaffOperations
from shared.client.api.standing.operations import StandingOperations
from shared.client.api.tournaments.operations import TournamentsOperations
from shared.client.transport import Transport


class Resources:
    """The operations of the API, by resource."""

    __slots__ = (
        "appeals", "audit", "calls", "cosmetics", "duels", "feed", "gallery", "incidents", "log", "network_bans", "operations", "penalties", "policy",
        "referrals", "rollbacks", "staff", "standing", "tournaments", "transport"
    )

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.appeals = AppealsOperations(transport)
        self.audit = AuditOperations(transport)
        self.calls = CallsOperations(transport)
        self.cosmetics = CosmeticsOperations(transport)
        self.duels = DuelsOperations(transport)
        self.feed = FeedOperations(transport)
        self.gallery = GalleryOperations(transport)
        self.incidents = IncidentsOperations(transport)
        self.log = LogOperations(transport)
        self.network_bans = NetworkBansOperations(transport)
        self.operations = OperationsOperations(transport)
        self.penalties = PenaltiesOperations(transport)
        self.policy = PolicyOperations(transport)
        self.referrals = ReferralsOperations(transport)
        self.rollbacks = RollbacksOperations(transport)
        self.staff = StaffOperations(transport)
        self.standing = StandingOperations(transport)
        self.tournaments = TournamentsOperations(transport)
