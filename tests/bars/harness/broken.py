"""The gateway with one property broken on purpose: the negative controls. A bar that does not see the break measures nothing.

Run as `python -m tests.bars.harness.broken NAME`, with the environment of `moderation serve`.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from fastapi import FastAPI

from services.gateway.app import create_app
from services.serving.listening import listen
from services.serving.server import run_server
from shared.clock import SystemClock
from shared.commands import Executor
from shared.eventstore import connections
from shared.eventstore.port import Appended, AppendRequest, AppendResult, Conflict
from shared.eventstore.postgres import HotRow, PostgresEventStore
from shared.eventstore.writer import GroupCommitWriter, Pending
from shared.observability import configure_logging
from shared.refusal import Unavailable
from shared.settings import Settings, load_settings
from tests.bars.harness import broken_uploads as uploads

_ACK_AHEAD_SECONDS = 0.1
_append = PostgresEventStore.append
_run: set[asyncio.Task[Any]] = set()


def acknowledge_early() -> None:
    """Answers before the commit."""

    async def append(self: PostgresEventStore, request: AppendRequest) -> AppendResult:
        async def later() -> None:
            await asyncio.sleep(_ACK_AHEAD_SECONDS)
            await _append(self, request)

        task = asyncio.get_running_loop().create_task(later())
        _run.add(task)
        return Appended(first_position=1, last_position=1, recorded_at=SystemClock().now())

    _replace(PostgresEventStore, "append", append)


def commit_lazily() -> None:
    """Lets PostgreSQL acknowledge before the write-ahead log is on disk."""
    cast("dict[str, str]", connections.WRITER_SETTINGS)["synchronous_commit"] = "off"


def never_look_up() -> None:
    """Takes a batch whose answer was lost for not recorded, and sends it again."""

    async def look_up(self: GroupCommitWriter, taken: Sequence[Pending]) -> None:
        self._link.drop()
        self._queue.extendleft(reversed(taken))

    _replace(GroupCommitWriter, "_look_up", look_up)


def forget_keys() -> None:
    """Neither keeps nor looks for idempotency keys."""
    request_of = Executor._request

    async def stored(_self: Executor, _ctx: Any) -> None:
        return None

    async def request(self: Executor, ctx: Any, attempted: Any) -> AppendRequest:
        return dataclasses.replace(await request_of(self, ctx, attempted), idempotency=None)

    _replace(Executor, "_stored", stored)
    _replace(Executor, "_request", request)


def force_appends() -> None:
    """Read-modify-write: records what was decided on an old state as if it were the newest, and lets commands on one record run side by side."""

    async def append(self: PostgresEventStore, request: AppendRequest) -> AppendResult:
        result = await _append(self, request)
        while isinstance(result, Conflict):
            stream, version = result.stream, result.actual_version
            parts = [dataclasses.replace(part, expected_version=version) if part.stream == stream else part for part in request.appends]
            # A data key that another made meanwhile is no version to catch up with: this one's is dropped, and what it sealed can't be read.
            keys = () if stream.startswith("data-key-") else request.data_keys
            request = dataclasses.replace(request, appends=tuple(parts), data_keys=keys)
            result = await _append(self, request)
        return result

    @asynccontextmanager
    async def turn(_self: Executor, _stream: str) -> AsyncIterator[None]:
        yield

    _replace(PostgresEventStore, "append", append)
    _replace(Executor, "_turn", turn)


def leak_connections() -> None:
    """Never gives a connection of the pool back once in a while, in a transaction that nobody ends."""
    fetch = PostgresEventStore.fetch
    calls = 0

    async def leaking(self: PostgresEventStore, sql: str, *arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls % 25 == 0:
            connection = await (await self.pool()).acquire(timeout=1)
            await connection.execute("BEGIN")
            await connection.execute("SELECT 1")
        return await fetch(self, sql, *arguments)

    _replace(PostgresEventStore, "fetch", leaking)


def guess() -> None:
    """Takes everybody for clean, and the principals for unchanged, while the database is away."""
    epoch_of, hot_of = PostgresEventStore.epoch, PostgresEventStore.hot_read
    known = 0

    async def epoch(self: PostgresEventStore) -> int:
        nonlocal known
        with contextlib.suppress(Unavailable):
            known = await epoch_of(self)
        return known

    async def hot_read(self: PostgresEventStore, player_id: str) -> HotRow:
        try:
            return await hot_of(self, player_id)
        except Unavailable:
            return HotRow(known, None, None, 0)

    _replace(PostgresEventStore, "epoch", epoch)
    _replace(PostgresEventStore, "hot_read", hot_read)


def end_at_once() -> None:
    """Drops every connection at SIGTERM."""
    handler: Callable[[int, object], None] = lambda _number, _frame: os._exit(0)
    signal.signal(signal.SIGTERM, handler)
    from services.serving.server import DrainingServer

    _replace(DrainingServer, "handle_exit", lambda _self, number, frame: handler(number, frame))


BREAKS: Final[dict[str, Callable[[], None]]] = {
    "acknowledge-early": acknowledge_early,
    "commit-lazily": commit_lazily,
    "never-look-up": never_look_up,
    "forget-keys": forget_keys,
    "force-appends": force_appends,
    "leak-connections": leak_connections,
    "end-at-once": end_at_once,
    "guess": guess,
    **uploads.BREAKS,
}


def _replace(owner: type, name: str, function: Any) -> None:
    assert callable(getattr(owner, name))  # a control that breaks nothing would pass for the wrong reason
    setattr(owner, name, function)


def _application(name: str, settings: Settings) -> FastAPI:
    if name == "lie-in-description":
        from tests.bars.harness.lying import make_app

        return make_app(settings)
    BREAKS[name]()
    return create_app(settings)


def main() -> int:
    """Serve in this one process."""
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)
    listener = listen(settings.host, settings.port)
    return 0 if run_server(_application(sys.argv[1], settings), settings, listener) else 1


if __name__ == "__main__":
    raise SystemExit(main())
