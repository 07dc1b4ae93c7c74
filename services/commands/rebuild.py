"""`moderation rebuild`: the tables that answers come from, built anew from the log while the service runs; or checked against it."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from services.commands.deployment import database_of
from services.commands.progress import Bar
from shared.settings import SettingsError, owner_database_url

if TYPE_CHECKING:
    from shared.projections.canonical import Drift


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which tables, and whether only to look."""
    parser.add_argument("views", nargs="*", metavar="VIEW", help="the tables (default: all; a wrong name lists them)")
    parser.add_argument("--check", action="store_true", help="compare with the live tables and change nothing; exit code 1 when they differ")
    parser.add_argument("--data-dir", type=Path, help="the data folder of a running `moderation dev` (else the variables of `migrate`)")
    parser.epilog = (
        "Safe beside live traffic: readers see the old tables or the new ones, writers wait for some milliseconds. Needs the role that owns the"
        " tables (MODERATION_OWNER_DATABASE_URL, or DATABASE_URL). Memory: about the size of the tables and of the folded streams."
    )


def run(arguments: argparse.Namespace) -> int:
    """Do it and tell what came of it."""
    import asyncpg

    from shared.projections.rebuild import RebuildError

    try:
        return asyncio.run(_act(arguments))
    except SettingsError as problem:
        print("rebuild:", *problem.problems, sep="\n  ", file=sys.stderr)
    except (RebuildError, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
        print(f"rebuild: {type(problem).__name__}: {problem}", file=sys.stderr)
    return 2


async def _act(arguments: argparse.Namespace) -> int:
    from services.calls.api import register_events as register_calls
    from services.calls.views import rebuilding as calls
    from services.cosmetics.registered import register_events as register_cosmetics
    from services.cosmetics.views import rebuilding as cosmetics
    from services.moderation.registered import register_events as register_moderation
    from services.moderation.views import rebuilding as moderation
    from shared.eventstore.codec import Codec
    from shared.eventstore.registry import EventRegistry
    from shared.projections.rebuild import Rebuilder

    registry = EventRegistry()
    register_moderation(registry)
    register_calls(registry)
    register_cosmetics(registry)
    views = (*moderation.VIEWS, *calls.VIEWS, *cosmetics.VIEWS)
    names = sorted({view.table for view in views})
    if unknown := [name for name in arguments.views if name not in names]:
        print(f"rebuild: no view is called {', '.join(unknown)}; there are: {', '.join(names)}", file=sys.stderr)
        return 2
    wanted = [view for view in views if not arguments.views or view.table in arguments.views]
    bar = Bar("events")
    rebuilder = Rebuilder(dsn=_owner(arguments.data_dir), role="moderation_owner", codec=Codec(registry), views=wanted, progress=bar)
    drifts: tuple[Drift, ...] = ()
    if arguments.check:
        checked = await rebuilder.check()
        tables, unread, drifts, position = checked.tables, checked.unread, checked.drifts, checked.position
    else:
        done = await rebuilder.rebuild()
        tables, unread, position = done.tables, done.unread, done.position
    bar.end()
    print(f"{'checked against' if arguments.check else 'rebuilt from'} {position:,} events")
    for table in tables:
        print(f"  {table.table:<20} {table.rows:>10,} rows  sha256 {table.sha256}")
    for drift in drifts:
        counts = f"{drift.missing} rows missing, {drift.extra} too many, {drift.different} different"
        print(f"DRIFT in {drift.table}: {counts}, such as {', '.join(drift.keys)}")
    for event in unread:
        print(f"UNREAD event {event.position} ({event.type}): {event.why}; rows of its stream stay as they were before it", file=sys.stderr)
    return 1 if drifts else 0


def _owner(data_dir: Path | None) -> str:
    """The owner's address, of the environment or of the running `moderation dev`."""
    if data_dir is None:
        return owner_database_url()
    app = database_of(data_dir)
    return f"postgresql://moderation_owner@/moderation?host={quote(os.fspath(app.split('host=', 1)[1]), safe='/%')}"
