"""`moderation webhook`: where the feed is pushed to. A signing secret is shown once, when it is made."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from services.moderation.webhooks.operator import Webhooks, load_webhooks
from services.moderation.webhooks.registered import register
from services.moderation.webhooks.state import WebhookState
from shared.clock import SystemClock
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.registry import EventRegistry
from shared.ids import new_id
from shared.observability import configure_logging
from shared.refusal import Refusal, Unavailable
from shared.security.keys import derive_keys
from shared.settings import Settings, SettingsError, load_settings
from shared.webhooks.sender import Sender

_PROGRESS = """
SELECT p.webhook_id, p.position, p.delivered, p.last_at, p.last_status, p.last_error, h.position AS head,
       (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = p.webhook_id AND NOT d.dead) AS waiting,
       (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = p.webhook_id AND d.dead) AS dead
FROM webhook_progress p, log_head h"""
_DEAD = """
SELECT d.position, d.ordinal, o.type, d.attempts, d.created_at, d.last_status, d.last_error
FROM webhook_deliveries d JOIN outbox o USING (position, ordinal) WHERE d.webhook_id = $1 AND d.dead ORDER BY d.position, d.ordinal LIMIT 200"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """add, list, test, redeliver, rotate, disable, enable, remove."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help="send the feed to a URL; prints the signing secret")
    add.add_argument("url")
    add.add_argument("--types", default="", help="only these, with commas between (all of them)")
    add.add_argument("--after", type=int, metavar="POSITION", help="begin behind this position of the log (from now on)")
    add.add_argument("--allow-private", action="store_true", help="let the URL be http and in a private network: for development")
    shown = actions.add_parser("list", help="how each webhook is doing")
    shown.add_argument("--dead", metavar="ID", help="what was given up for this webhook (the first 200)")
    again = actions.add_parser("redeliver", help="send again what was given up, or a part of the feed")
    again.add_argument("webhook_id")
    again.add_argument("--from", type=int, dest="first", metavar="POSITION", help="everything from this position on, not what was given up")
    again.add_argument("--to", type=int, dest="last", metavar="POSITION", help="with --from: up to this position")
    rotate = actions.add_parser("rotate", help="make a new signing secret; the one before goes on signing for a while")
    rotate.add_argument("webhook_id")
    rotate.add_argument("--overlap-hours", type=int, default=24, help="how long both sign (24)")
    for name, text in (
        ("test", "send a message now and tell what came back"),
        ("disable", "send nothing any more"),
        ("enable", "go on where it stopped"),
        ("remove", "forget it, and what waits for it"),
    ):
        actions.add_parser(name, help=text).add_argument("webhook_id")
    parser.epilog = "Needs the same variables as `moderation serve`. Messages are signed as Standard Webhooks has it; the running service sends them."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    webhooks: Webhooks
    store: PostgresEventStore


@asynccontextmanager
async def open_desk(settings: Settings) -> AsyncIterator[_Desk]:
    """The webhooks in the database of these settings."""
    registry = EventRegistry()
    register(registry)
    async with PostgresEventStore(settings.database_url) as store:
        key = derive_keys(settings.master_key).key_wrapping
        yield _Desk(webhooks=Webhooks(store=store, codec=Codec(registry), clock=SystemClock(), new_id=new_id, wrapping_key=key), store=store)


def run(arguments: argparse.Namespace) -> int:
    """Do it; what goes wrong is one line."""
    try:
        settings = load_settings()
        configure_logging("warning", "console")

        async def act() -> int:
            async with open_desk(settings) as desk:
                return await _act(desk, arguments)

        return asyncio.run(act())
    except SettingsError as problem:
        print("webhook: the settings are wrong:", *problem.problems, sep="\n  ", file=sys.stderr)
    except Refusal as problem:
        print(f"webhook: {problem.detail}", file=sys.stderr)
    except (Unavailable, OSError) as problem:
        print(f"webhook: the database can't be used: {problem}", file=sys.stderr)
    return 1


async def _act(desk: _Desk, asked: argparse.Namespace) -> int:
    webhooks = desk.webhooks
    match asked.action:
        case "add":
            types = [part.strip() for part in asked.types.split(",") if part.strip()]
            made = await webhooks.add(asked.url, types=types, allow_private=asked.allow_private, after=asked.after)
            print(f"webhook {made.webhook_id}; its signing secret, shown only now:", file=sys.stderr)
            print(made.secret)
        case "rotate":
            made = await webhooks.rotate(asked.webhook_id, timedelta(hours=asked.overlap_hours))
            print(f"the secret before signs for {asked.overlap_hours} more hours; the new one, shown only now:", file=sys.stderr)
            print(made.secret)
        case "list":
            await (_print_dead(desk, asked.dead) if asked.dead else _print_all(desk))
        case "test":
            return await _test(desk, asked.webhook_id)
        case "redeliver":
            if asked.last is not None and asked.first is None:
                print("webhook redeliver: --to goes with --from", file=sys.stderr)
                return 2
            await webhooks.redeliver(asked.webhook_id, first=asked.first, last=asked.last)
            print("the running service sends it again")
        case "disable":
            print("disabled" if await webhooks.disable(asked.webhook_id) else "was disabled before")
        case "enable":
            print("enabled" if await webhooks.enable(asked.webhook_id) else "was enabled before")
        case _:
            await webhooks.remove(asked.webhook_id)
            print("removed")
    return 0


async def _print_all(desk: _Desk) -> None:
    progress = {row["webhook_id"]: row for row in await desk.store.fetch(_PROGRESS)}
    for state in await load_webhooks(desk.store.fetch):
        row = progress.get(state.webhook_id)
        how = "active" if state.active else f"disabled ({state.reason})"
        print(f"{state.webhook_id}  {how}  {state.url}  {','.join(state.types) or 'all types'}{'  private allowed' if state.allow_private else ''}")
        if row is not None:
            last = "never tried" if row["last_at"] is None else f"last {_moment(row['last_at'])}: {row['last_status'] or row['last_error']}"
            print(f"  {row['delivered']} delivered, {row['waiting']} waiting, {row['dead']} given up, {row['head'] - row['position']} behind; {last}")


async def _print_dead(desk: _Desk, webhook_id: str) -> None:
    for row in await desk.store.fetch(_DEAD, webhook_id):
        why = row["last_status"] or row["last_error"] or "never tried"
        print(f"msg_{row['position']}_{row['ordinal']}  {row['type']}  since {_moment(row['created_at'])}  {row['attempts']} attempts, last: {why}")


async def _test(desk: _Desk, webhook_id: str) -> int:
    state = await _known(desk, webhook_id)
    now = desk.webhooks.clock.now()
    body: dict[str, Any] = {"type": "webhook.test", "timestamp": now, "data": {"webhook_id": webhook_id}}
    sender = Sender()
    try:
        target = desk.webhooks.target(state, now)
        outcome = await sender.send(target, f"msg_test_{new_id()}", msgspec.json.encode(body), int(now.timestamp()))
    finally:
        await sender.close()
    print(f"{outcome.status or outcome.error} after {outcome.seconds * 1000:.0f} ms")
    return 0 if outcome.arrived else 1


async def _known(desk: _Desk, webhook_id: str) -> WebhookState:
    for state in await load_webhooks(desk.store.fetch):
        if state.webhook_id == webhook_id:
            return state
    raise Refusal("not_found", "There is no such webhook.")


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
