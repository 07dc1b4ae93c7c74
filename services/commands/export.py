"""`moderation export`: a player's record, or all, as a file that proves itself."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import IO

from services.commands.deployment import add_data_dir, settings_of
from services.commands.progress import Bar
from services.commands.recorded import record_read
from shared.settings import Settings, SettingsError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whom, where to."""
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("player", nargs="?", metavar="PLAYER", help="the player's id")
    who.add_argument("--all", action="store_true", dest="everything", help="the whole log")
    add_data_dir(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="the bundle (0600, replaced when complete; default: standard output)")
    parser.add_argument(
        "--with-personal", action="store_true", help="open the sealed words (evidence, notes) and add them, unproven; mind who gets the file"
    )
    parser.epilog = "Check it anywhere with: moderation verify-bundle FILE --key VKEY. That you exported is recorded (GET /v1/reads)."


def run(arguments: argparse.Namespace) -> int:
    """Write the bundle; a file appears only when it is complete."""
    import asyncpg

    from services.moderation.bundles.export import ExportError
    from shared.refusal import Unavailable
    from shared.translog.notes import NoteError

    out: Path | None = arguments.out
    try:
        settings = settings_of(arguments.data_dir)
        if out is None:
            return asyncio.run(_export(settings, arguments, sys.stdout.buffer))
        fresh = out.with_name(out.name + ".part")
        try:
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                asyncio.run(_export(settings, arguments, file))
            fresh.replace(out)
        finally:
            fresh.unlink(missing_ok=True)
    except SettingsError as problem:
        print("export:", *problem.problems, sep="\n  ", file=sys.stderr)
        return 1
    except (ExportError, Unavailable, NoteError, OSError, asyncpg.PostgresError) as problem:
        print(f"export: {problem}", file=sys.stderr)
        return 1
    return 0


async def _export(settings: Settings, arguments: argparse.Namespace, file: IO[bytes]) -> int:
    """A whole record is a sensitive read, with opened words or without: it is recorded first. The log is exported up to that, not with it."""
    from services.moderation.bundles.export import Exporter
    from shared.clock import SystemClock
    from shared.eventstore.postgres import PostgresEventStore
    from shared.security.data_keys import DataKeys
    from shared.security.keys import derive_keys
    from shared.translog.keys import log_keys
    from shared.translog.reading import TransparencyLog

    async with PostgresEventStore(settings.database_url) as store:
        data_keys = DataKeys(store, derive_keys(settings.master_key).key_wrapping) if arguments.with_personal else None
        head = await store.head()
        await record_read(store, "export", arguments.player)
        exporter = Exporter(store, TransparencyLog(store.fetch, log_keys(settings)), data_keys)
        now, bar = SystemClock().now(), Bar("events")
        done = await (exporter.everything(now, file, bar, upto=head) if arguments.everything else exporter.player(arguments.player, now, file))
        bar.end()
    print(f"{done.events} events, {done.standings} standings", file=sys.stderr)
    return 0
