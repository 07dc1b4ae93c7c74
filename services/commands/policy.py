"""`moderation policy check FILE`: what publishing a rule table would change, and who would stand differently. Nothing is recorded."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from services.commands.deployment import add_data_dir, settings_of
from services.commands.progress import Bar
from shared.settings import Settings, SettingsError

if TYPE_CHECKING:
    from services.moderation.audit.impact import Impact
    from services.moderation.policy.document import Change
    from services.moderation.policy.tables import Policy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which table, and where the records are."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="tell all records again under the table in a file")
    check.add_argument("file", type=Path, metavar="FILE", help="a table: TOML like the service's own, or JSON as GET /v1/policy gives it")
    check.add_argument("--json", action="store_true", dest="as_json", help="the whole report for machines")
    add_data_dir(check)
    check.epilog = "Old decisions keep the table they were made under; this only says how they would read. Exit code 1: the table can't be used."


def run(arguments: argparse.Namespace) -> int:
    """Check and tell."""
    import asyncpg

    from services.moderation.policy.loader import PolicyFileError
    from shared.refusal import Unavailable

    try:
        policy = _table(arguments.file)
        settings = settings_of(arguments.data_dir)
        differences, impact = asyncio.run(_examine(settings, policy))
    except SettingsError as problem:
        print("policy check:", *problem.problems, sep="\n  ", file=sys.stderr)
        return 2
    except PolicyFileError as problem:
        print(f"policy check: {problem}", file=sys.stderr)
        return 1
    except (Unavailable, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
        print(f"policy check: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 2
    _tell(policy, differences, impact, as_json=arguments.as_json)
    return 0


def _table(file: Path) -> Policy:
    """The table in the file. Raises `PolicyFileError` with everything that is wrong."""
    import msgspec

    from services.moderation.policy.document import PolicyBody, policy_of
    from services.moderation.policy.loader import PolicyFileError, load_policy

    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise PolicyFileError(str(file), [("(the file)", "is not UTF-8")]) from problem
    if file.suffix == ".toml":
        return load_policy(text, source=str(file))
    try:
        body = msgspec.json.decode(text, type=PolicyBody)
    except msgspec.DecodeError as problem:
        raise PolicyFileError(str(file), [("(the file)", str(problem))]) from problem
    policy, findings = policy_of(body)
    if policy is None:
        raise PolicyFileError(str(file), findings)
    return policy


async def _examine(settings: Settings, policy: Policy) -> tuple[list[Change], Impact]:
    """The differences from the table that holds, and the impact on everybody."""
    from services.moderation.audit.impact import PolicyImpact
    from services.moderation.policy.document import changes_between
    from services.moderation.policy.holder import PolicyHolder, TablePolicySource
    from services.moderation.record.repository import Records
    from services.moderation.registered import register_events
    from shared.clock import SystemClock
    from shared.eventstore.codec import Codec
    from shared.eventstore.postgres import PostgresEventStore
    from shared.eventstore.registry import EventRegistry
    from shared.ids import new_id
    from shared.security.data_keys import DataKeys
    from shared.security.keys import derive_keys

    registry = EventRegistry()
    register_events(registry)
    async with PostgresEventStore(settings.database_url) as store:
        holds = await PolicyHolder(TablePolicySource(store.fetch_value), store.epoch).current()
        records = Records(store, Codec(registry), DataKeys(store, derive_keys(settings.master_key).key_wrapping), store.fetch)
        bar = Bar("players")
        impact = await PolicyImpact(records=records, fetch=store.fetch, clock=SystemClock(), new_id=new_id).of(policy, progress=bar)
        bar.end()
    return changes_between(holds, policy), impact


def _tell(policy: Policy, differences: list[Change], impact: Impact, *, as_json: bool) -> None:
    import msgspec

    if as_json:
        report: dict[str, Any] = {"version": policy.version, "changes": differences, **asdict(impact)}
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
        return
    print(f"table {policy.version}: {len(differences)} differences from the one that holds")
    for change in differences:
        print(f"  {change.path}: {change.before!a} -> {change.after!a}")
    print(f"{impact.differing} of {impact.examined} players would stand differently, were past decisions read from it (they are not)")
    for player in impact.players:
        said = "; ".join(f"{item['path']}: {item['before']!s} -> {item['after']!s}" for item in player["changes"] if item["path"] != "ban")
        print(f"  {player['player_id']}: {said.encode('unicode_escape').decode()}")
    if impact.differing > len(impact.players):
        print(f"  and {impact.differing - len(impact.players)} more")
    if impact.undetermined:
        print(f"{impact.undetermined} records can't be told under the table: they have an offense that it has no row for, or can't be read")
