"""What tournaments and referrals need at start-up, registered by type; the store, the codec, the executor and the records are open already."""

from __future__ import annotations

from services.moderation.policy.guide import packaged_guide
from services.moderation.record.repository import Records
from services.moderation.referrals.handler import ReferralHandler
from services.moderation.tournaments.handler import TournamentHandler
from services.moderation.tournaments.repository import Tournaments
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.security.data_keys import DataKeys


def add_tournaments(resources: Resources) -> None:
    """Open tournaments and referrals."""
    store, codec, data_keys = resources.get(PostgresEventStore), resources.get(Codec), resources.get(DataKeys)
    executor, records = resources.get(Executor), resources.get(Records)
    tournaments = resources.add(Tournaments, Tournaments(store, codec, data_keys))
    resources.add(TournamentHandler, TournamentHandler(tournaments=tournaments, executor=executor, guide=packaged_guide(), new_id=new_id))
    referrals = ReferralHandler(store=store, codec=codec, data_keys=data_keys, executor=executor, records=records, fetch=store.fetch)
    resources.add(ReferralHandler, referrals)
