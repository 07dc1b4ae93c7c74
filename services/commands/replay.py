"""`moderation replay PLAYER`: a player's record step by step, as a timeline to read, from the log alone. Who reads a record is recorded."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from services.commands.deployment import add_data_dir, settings_of
from services.commands.recorded import record_read
from shared.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from services.moderation.audit.queries import AuditQueries
    from shared.eventstore.postgres import PostgresEventStore

    Question = Callable[[AuditQueries, PostgresEventStore], Awaitable[Any]]

PAGE = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whose record, and for whom it is printed."""
    parser.add_argument("player", metavar="PLAYER", help="the player's id")
    parser.add_argument("--json", action="store_true", dest="as_json", help="one JSON object a line for each event, as GET /v1/players/PLAYER/replay")
    add_data_dir(parser)
    parser.epilog = (
        "Words of people are left out of the timeline; --json has them as far as they can still be read: mind who gets it. That you read it is"
        " recorded (GET /v1/reads)."
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the record."""

    async def asked(audit: AuditQueries, store: PostgresEventStore) -> list[dict[str, Any]]:
        await record_read(store, "replay", arguments.player)
        found: list[dict[str, Any]] = []
        while page := await audit.replay(arguments.player, after=found[-1]["version"] if found else 0, limit=PAGE):
            found += page
        return found

    return answered("replay", arguments, asked, _tell)


def answered(name: str, arguments: argparse.Namespace, asked: Question, tell: Callable[[Any], None]) -> int:
    """Ask, and print the answer for people or machines; the exit code."""
    import asyncpg
    import msgspec

    from shared.refusal import Refusal, Unavailable

    async def ask(settings: Settings) -> Any:
        async with auditing(settings) as (audit, store):
            return await asked(audit, store)

    try:
        found = asyncio.run(ask(settings_of(arguments.data_dir)))
    except SettingsError as problem:
        print(f"{name}:", *problem.problems, sep="\n  ", file=sys.stderr)
        return 2
    except (Refusal, Unavailable, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
        print(f"{name}: {printable(problem)}", file=sys.stderr)
        return 1
    if not arguments.as_json:
        tell(found)
        return 0
    for line in found if isinstance(found, list) else [found]:
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    return 0


@asynccontextmanager
async def auditing(settings: Settings) -> AsyncIterator[tuple[AuditQueries, PostgresEventStore]]:
    """What answers an auditor's questions, over the database of these settings, and its store."""
    from services.moderation.audit.queries import AuditQueries
    from services.moderation.policy.holder import PolicyHolder, TablePolicySource
    from services.moderation.record.queries import RecordQueries
    from services.moderation.record.repository import Records
    from services.moderation.registered import register_events
    from shared.clock import SystemClock
    from shared.eventstore.codec import Codec
    from shared.eventstore.postgres import PostgresEventStore
    from shared.eventstore.registry import EventRegistry
    from shared.ids import new_id
    from shared.security.data_keys import DataKeys
    from shared.security.keys import derive_keys

    registry, clock = EventRegistry(), SystemClock()
    register_events(registry)
    codec = Codec(registry)
    async with PostgresEventStore(settings.database_url) as store:
        policies = PolicyHolder(TablePolicySource(store.fetch_value), store.epoch)
        records = Records(store, codec, DataKeys(store, derive_keys(settings.master_key).key_wrapping), store.fetch)
        queries = RecordQueries(records=records, policies=policies, codec=codec, clock=clock)
        yield AuditQueries(records=records, queries=queries, policies=policies, codec=codec, clock=clock, new_id=new_id), store


def printable(value: object) -> str:
    """The text with control characters escaped: what people wrote must not steer a terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in str(value))


def change_text(change: dict[str, Any]) -> str:
    """One change, such as `strikes: 0 -> 1`."""
    return printable(f"{change['path']}: {_value(change['before'])} -> {_value(change['after'])}")


def _value(value: Any) -> str:
    """A member of the standing in words; of a ban its end."""
    if value is None:
        return "none"
    if isinstance(value, dict) and "ends_at" in value:
        return "for good" if value["permanent"] else f"until {value['ends_at']:%Y-%m-%d %H:%M:%S}Z"
    if hasattr(value, "strftime"):
        return f"{value:%Y-%m-%d %H:%M:%S}Z"
    return str(value)


def _tell(found: list[dict[str, Any]]) -> None:
    if not found:
        print("nothing is recorded about this player")
    for item in found:
        at = f"{item['occurred_at'] or item['recorded_at']:%Y-%m-%d %H:%M:%S}Z"
        print(f"{item['version']:>4}  {at}  {printable(item['type'])}  by {printable(item['actor'])} ({printable(item['role'])})")
        for change in item["changes"]:
            print(f"        {change_text(change)}")
