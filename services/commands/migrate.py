"""`moderation migrate`: the database's tables, up to date or as they are."""

from __future__ import annotations

import argparse
import sys

from shared.settings import SettingsError, owner_database_url


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, and for `down` how far."""
    parser.add_argument("action", nargs="?", choices=("up", "down", "status"), default="up", help="up (the default) is safe while the service runs")
    parser.add_argument("--to", metavar="REVISION", help="the revision to stop at (up: the newest; down must name one, `base` removes everything)")
    parser.epilog = "The database is MODERATION_OWNER_DATABASE_URL, or DATABASE_URL when that is unset; its role must be able to create tables."


def run(arguments: argparse.Namespace) -> int:
    """Migrate or tell; exit code 3 when `status` finds steps that are still to be done."""
    from migrations.runner import MigrationError, downgrade, status, upgrade

    try:
        dsn = owner_database_url()
        if arguments.action == "up":
            upgrade(dsn, arguments.to or "head")
        elif arguments.action == "down":
            if not arguments.to:
                print("migrate down: say how far with --to REVISION", file=sys.stderr)
                return 2
            downgrade(dsn, arguments.to)
        now = status(dsn)
    except (SettingsError, MigrationError, OSError) as problem:
        print(f"migrate: {problem}", file=sys.stderr)
        return 1
    print(f"at {now.current or 'nothing'}, newest {now.head}" + (f", still to do: {', '.join(now.pending)}" if now.pending else ""))
    return 3 if arguments.action == "status" and now.pending else 0
