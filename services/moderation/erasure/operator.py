"""The operator's side of erasures: the ledger is held against the database before it serves, or by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from services.moderation.erasure.handler import ErasureHandler
from services.moderation.erasure.ledger import Entry, Ledger
from services.moderation.record.registered import register
from services.moderation.record.repository import Records
from services.moderation.views.networks_seen import WRITER_SETTINGS, TableNetworksSeen
from shared.clock import SystemClock
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.connections import Link
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.registry import EventRegistry
from shared.ids import new_id
from shared.security.data_keys import DataKeys
from shared.security.keys import derive_keys
from shared.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What was missing: `applied` in the database, `entered` in the ledger."""

    applied: int
    entered: int


@asynccontextmanager
async def open_erasures(settings: Settings) -> AsyncIterator[ErasureHandler]:
    """Erasures in the database of these settings, without a service."""
    registry = EventRegistry()
    register(registry)
    codec, wrapping = Codec(registry), derive_keys(settings.master_key).key_wrapping
    async with PostgresEventStore(settings.database_url) as store:
        data_keys = DataKeys(store, wrapping)
        seen = TableNetworksSeen(Link(dsn=settings.database_url, name="moderation-erasures", settings=WRITER_SETTINGS), store.fetch)
        try:
            yield ErasureHandler(
                records=Records(store, codec, data_keys, store.fetch),
                executor=Executor(store, codec, data_keys, SystemClock(), new_id),
                data_keys=data_keys,
                seen=seen,
                fetch=store.fetch,
                new_id=new_id,
            )
        finally:
            await seen.close()


async def missing(erasures: ErasureHandler, entries: Sequence[Entry]) -> list[Entry]:
    """Those entries that the database does not know: it is older than they are."""
    known = {entry.erasure_id for entry in await erasures.listed()}
    return [entry for entry in entries if entry.erasure_id not in known]


async def apply(erasures: ErasureHandler, entries: Sequence[Entry]) -> int:
    """Erase again whom the database has forgotten; how many. Raises `Unavailable`."""
    return sum([await erasures.replay(entry) for entry in await missing(erasures, entries)])


async def sync(settings: Settings, ledger: Ledger) -> Synced:
    """Bring database and ledger to the same erasures. Raises `LedgerError`, `Unavailable`: then nothing may be served."""
    async with open_erasures(settings) as erasures:
        applied = await apply(erasures, ledger.read())
        return Synced(applied=applied, entered=ledger.add(await erasures.listed()))
