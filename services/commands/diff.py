"""`moderation diff PLAYER FROM TO`: a player's standing at two versions or moments, and every difference."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from services.commands.deployment import add_data_dir
from services.commands.replay import answered, change_text, printable

if TYPE_CHECKING:
    from services.moderation.audit.queries import AuditQueries
    from shared.eventstore.postgres import PostgresEventStore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whose standing, and between what."""
    parser.add_argument("player", metavar="PLAYER", help="the player's id")
    for name in ("from", "to"):
        parser.add_argument(name, metavar=name.upper(), help="a version (a whole number), or a moment such as 2026-11-30T10:00:00Z")
    parser.add_argument("--json", action="store_true", dest="as_json", help="one JSON object, as GET /v1/players/PLAYER/diff")
    add_data_dir(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the differences."""
    from services.moderation.audit.endpoints import point_of

    async def asked(audit: AuditQueries, _: PostgresEventStore) -> dict[str, Any]:
        start, end = (point_of(getattr(arguments, name), name) for name in ("from", "to"))
        return await audit.diff(arguments.player, start, end)

    return answered("diff", arguments, asked, _tell)


def _tell(found: dict[str, Any]) -> None:
    for name in ("before", "after"):
        standing = found[name]
        print(printable(f"{name:>6}: version {standing['version']}, {standing['status']}, {standing['strikes']} strikes"))
    for change in found["changes"]:
        print(f"  {change_text(change)}")
    if not found["changes"]:
        print("  no difference")
