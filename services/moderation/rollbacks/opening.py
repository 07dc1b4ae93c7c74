"""What rollbacks need at start-up, made from what is open already."""

from __future__ import annotations

from services.moderation.network_bans.repository import NetworkBanStreams
from services.moderation.policy.holder import PolicyHolder
from services.moderation.record.repository import Records
from services.moderation.rollbacks.handler import RollbackHandler
from services.moderation.rollbacks.networks import NetworkLifts
from services.moderation.rollbacks.planning import Planner
from services.moderation.rollbacks.repository import RollbackStreams
from services.moderation.views.staff_decisions import StaffDecisions
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.security.data_keys import DataKeys


def add_rollbacks(resources: Resources) -> None:
    """Add the handler of rollbacks; store, codec, data keys, executor, records and policies are there."""
    store, codec, data_keys = resources.get(PostgresEventStore), resources.get(Codec), resources.get(DataKeys)
    handler = RollbackHandler(
        streams=RollbackStreams(store, codec, data_keys),
        decisions=StaffDecisions(store.fetch),
        planner=Planner(records=resources.get(Records), policies=resources.get(PolicyHolder), new_id=new_id),
        networks=NetworkLifts(NetworkBanStreams(store, codec, data_keys)),
        executor=resources.get(Executor),
        fetch=store.fetch,
        new_id=new_id,
    )
    resources.add(RollbackHandler, handler)
