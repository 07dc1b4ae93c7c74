"""What this service opens at start-up: its store access, handlers and queries, registered by type."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.moderation.appeals.handler import AppealHandler
from services.moderation.appeals.involved import Involved
from services.moderation.appeals.networks import RecordedNetworkBans
from services.moderation.appeals.queries import AppealQueries
from services.moderation.audit.impact import PolicyImpact
from services.moderation.audit.queries import AuditQueries
from services.moderation.erasure.handler import ErasureHandler
from services.moderation.erasure.ledger import Ledger
from services.moderation.network_bans.handler import NetworkBanHandler
from services.moderation.network_bans.repository import NetworkBanStreams
from services.moderation.policy.handler import PolicyPublisher
from services.moderation.policy.holder import PolicyHolder, TablePolicySource
from services.moderation.reads.queries import ReadQueries
from services.moderation.reads.recorder import ReadRecorder
from services.moderation.record.conduct import Conduct
from services.moderation.record.handler import RecordHandler
from services.moderation.record.importing import Importer
from services.moderation.record.queries import RecordQueries
from services.moderation.record.repository import Records
from services.moderation.rollbacks.opening import add_rollbacks
from services.moderation.staff.handler import StaffRegister
from services.moderation.tournaments.opening import add_tournaments
from services.moderation.views.access import AccessChecks
from services.moderation.views.duel_incidents import DuelIncidents
from services.moderation.views.network_bans import NetworkBans, reader_link
from services.moderation.views.networks_seen import WRITER_SETTINGS, TableNetworksSeen
from services.moderation.views.standing_reads import StandingReads
from shared.clock import Clock
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.connections import Link
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.refusal import Unavailable
from shared.security.data_keys import DataKeys
from shared.security.keys import KeyedHash, Keys
from shared.settings import Settings

FIRST_WAIT_SECONDS = 5.0
RETRY_SECONDS = 1.0


async def _publish_default(publisher: PolicyPublisher) -> None:
    """Publish the packaged policy where none holds; the database may be away at start, so until it answers."""
    while True:
        try:
            await publisher.ensure_default()
        except Unavailable:
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


def _add_records(resources: Resources, seen: TableNetworksSeen) -> None:
    """What changes conduct records."""
    records, executor, policies = resources.get(Records), resources.get(Executor), resources.get(PolicyHolder)
    acts = resources.get(Keys).act_hash
    handler = RecordHandler(records=records, executor=executor, policies=policies, networks=seen, acts=acts, new_id=new_id)
    resources.add(RecordHandler, handler)
    importer = Importer(records=records, executor=executor, policies=policies, networks=seen, acts=acts, new_id=new_id)
    resources.add(Importer, importer)


def _add_audit(settings: Settings, resources: Resources, seen: TableNetworksSeen) -> None:
    """What auditors ask, who asked, and forgetting."""
    store, codec, records, keys = resources.get(PostgresEventStore), resources.get(Codec), resources.get(Records), resources.get(Keys)
    resources.add(ReadRecorder, ReadRecorder(store, codec, new_id))
    resources.add(ReadQueries, ReadQueries(store.fetch))
    audit = AuditQueries(
        records=records,
        queries=resources.get(RecordQueries),
        policies=resources.get(PolicyHolder),
        codec=codec,
        clock=resources.get(Clock),  # type: ignore[type-abstract]
        new_id=new_id,
    )
    resources.add(AuditQueries, audit)
    erasures = ErasureHandler(
        records=records,
        executor=resources.get(Executor),
        data_keys=resources.get(DataKeys),
        seen=seen,
        fetch=store.fetch,
        new_id=new_id,
        ledger=Ledger(settings.erasure_ledger, keys.erasure_ledger) if settings.erasure_ledger is not None else None,
    )
    resources.add(ErasureHandler, erasures)


@asynccontextmanager
async def open_moderation(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Open everything that the endpoints of this service ask for; the store and the codec are open already."""
    store, codec, keys = resources.get(PostgresEventStore), resources.get(Codec), resources.get(Keys)
    clock = resources.get(Clock)  # type: ignore[type-abstract]
    data_keys = resources.add(DataKeys, DataKeys(store, keys.key_wrapping))
    executor = resources.add(Executor, Executor(store, codec, data_keys, clock, new_id))
    digest = resources.add(KeyedHash, keys.network_hash)
    policies = resources.add(PolicyHolder, PolicyHolder(TablePolicySource(store.fetch_value), store.epoch))
    publisher = resources.add(PolicyPublisher, PolicyPublisher(store, codec, clock))
    resources.add(StaffRegister, StaffRegister(store, codec, executor))
    records = resources.add(Records, Records(store, codec, data_keys, store.fetch))
    resources.add(Conduct, Conduct(records))
    seen = TableNetworksSeen(Link(dsn=settings.database_url, name="moderation-networks-seen", settings=WRITER_SETTINGS), store.fetch)
    bans = resources.add(NetworkBans, NetworkBans(reader_link(settings.database_url, "network-bans"), store.fetch))
    queries = resources.add(RecordQueries, RecordQueries(records=records, policies=policies, codec=codec, clock=clock))
    resources.add(DuelIncidents, DuelIncidents(store.fetch, queries))
    resources.add(StandingReads, StandingReads(store, queries))
    resources.add(AccessChecks, AccessChecks(bans=bans, seen=seen, digest=digest))
    _add_records(resources, seen)
    streams = NetworkBanStreams(store, codec, data_keys)
    banning = NetworkBanHandler(streams=streams, rows=bans, executor=executor, policies=policies, digest=digest, clock=clock, new_id=new_id)
    resources.add(NetworkBanHandler, banning)
    network_appeals = RecordedNetworkBans(streams, bans)
    appeals = AppealHandler(
        records=records,
        executor=executor,
        policies=policies,
        seen=seen,
        network_bans=network_appeals,
        involved=resources.add(Involved, Involved(records, network_appeals)),
        fetch=store.fetch,
        new_id=new_id,
    )
    resources.add(AppealHandler, appeals)
    resources.add(AppealQueries, AppealQueries(records=records, handler=appeals, fetch=store.fetch))
    add_rollbacks(resources)
    _add_audit(settings, resources, seen)
    add_tournaments(resources)
    resources.add(PolicyImpact, PolicyImpact(records=records, fetch=store.fetch, clock=clock, new_id=new_id))
    publishing = asyncio.create_task(_publish_default(publisher), name="publish-packaged-policy")
    try:
        await asyncio.wait([publishing], timeout=FIRST_WAIT_SECONDS)
        yield
    finally:
        publishing.cancel()
        await asyncio.wait([publishing])
        await bans.close()
        await seen.close()
