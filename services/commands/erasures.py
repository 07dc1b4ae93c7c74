"""`moderation erasures`: the ledger of erasures, for backups. A restored backup must forget again whom it had not forgotten yet."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from services.commands.deployment import add_data_dir, settings_of
from shared.refusal import Unavailable
from shared.settings import SettingsError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """export, apply."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    export = actions.add_parser("export", help="add the database's erasures to a ledger file")
    apply = actions.add_parser("apply", help="erase again whom this database has not forgotten, but the ledger has")
    apply.add_argument("--dry-run", action="store_true", help="only say whom")
    for action in (export, apply):
        action.add_argument("file", type=Path, metavar="FILE", help="the ledger; it only grows")
        add_data_dir(action)
    parser.epilog = "`moderation serve` does both at each start when MODERATION_ERASURE_LEDGER names the file, and adds each erasure to it."


def run(arguments: argparse.Namespace) -> int:
    """Do it."""
    from services.moderation.erasure.ledger import LedgerError

    try:
        return asyncio.run(_act(arguments))
    except SettingsError as problem:
        print("erasures:", *problem.problems, sep="\n  ", file=sys.stderr)
    except (LedgerError, Unavailable, OSError) as problem:
        print(f"erasures: {problem}", file=sys.stderr)
    return 1


async def _act(arguments: argparse.Namespace) -> int:
    from services.moderation.erasure.ledger import Ledger
    from services.moderation.erasure.operator import apply, missing, open_erasures
    from shared.security.keys import derive_keys

    settings = settings_of(arguments.data_dir)
    ledger = Ledger(arguments.file, derive_keys(settings.master_key).erasure_ledger)
    async with open_erasures(settings) as erasures:
        if arguments.action == "export":
            entries = await erasures.listed()
            print(f"{ledger.add(entries)} added, {len(entries)} in all")
            return 0
        entries = ledger.read()
        if not arguments.dry_run:
            print(f"{await apply(erasures, entries)} erased again, {len(entries)} in the ledger")
            return 0
        for entry in await missing(erasures, entries):
            print(f"{entry.player_id}  {entry.at:%Y-%m-%dT%H:%M:%SZ}  {entry.erasure_id}")
    return 0
