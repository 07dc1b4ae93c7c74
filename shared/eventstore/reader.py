"""Coalescing reads: whoever asks while a query is in flight shares the next one. No cache: an answer is never older than its question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import asyncpg

from shared.eventstore.connections import Link, connection_lost, translated
from shared.refusal import Unavailable

K = TypeVar("K")
V = TypeVar("V")
Unit = tuple[tuple[K, ...], "asyncio.Future[dict[K, V]]"]


class CoalescingReader(Generic[K, V]):
    """Answers look-ups by key in batches: one task, one connection, one prepared statement.

    `arguments` turns the keys of a batch into the statement's arguments, `index` its rows into values by key. The keys of one `get_many` are read by
    one statement, so they are one snapshot. Values are shared by those who asked in the same batch: don't change them.
    """

    def __init__(
        self,
        link: Link,
        sql: str,
        *,
        arguments: Callable[[Sequence[K]], Sequence[Any]],
        index: Callable[[list[asyncpg.Record]], dict[K, V]],
        max_keys: int = 1000,
        within: float = 5.0,
    ) -> None:
        self._link = link
        self._sql = sql
        self._arguments = arguments
        self._index = index
        self._max_keys = max_keys
        self._within = within
        self._queue: list[Unit[K, V]] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    async def get(self, key: K) -> V | None:
        """The key's value. Raises `Unavailable` when the database can't say."""
        return (await self.ask((key,))).get(key)

    async def get_many(self, keys: Iterable[K]) -> dict[K, V]:
        """The values of those keys that have one, from one snapshot."""
        wanted = tuple(keys)
        found = await self.ask(wanted)
        return {key: found[key] for key in wanted if key in found}

    async def close(self) -> None:
        """Answer what was asked, then end."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._link.close()

    def ask(self, keys: Iterable[K]) -> asyncio.Future[dict[K, V]]:
        """The values of everybody in the batch, these keys' among them: `get_many` without the choosing."""
        if self._closing:
            message = "the service is shutting down"
            raise Unavailable(message)
        loop = asyncio.get_running_loop()
        if self._task is None:
            self._task = loop.create_task(self._run(), name=f"reader {self._link.name}")
        answer: asyncio.Future[dict[K, V]] = loop.create_future()
        self._queue.append((tuple(keys), answer))
        self._wake.set()
        return answer

    async def _run(self) -> None:
        while True:
            if not self._queue:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            await self._answer(self._take())

    def _take(self) -> list[Unit[K, V]]:
        if len(self._queue) == 1:
            taken, self._queue = self._queue, []
            return taken
        size = 0
        for number, (keys, _) in enumerate(self._queue):
            size += len(keys)
            if size > self._max_keys and number:
                taken, self._queue = self._queue[:number], self._queue[number:]
                return taken
        taken, self._queue = self._queue, []
        return taken

    async def _answer(self, units: list[Unit[K, V]]) -> None:
        """Read for all of them; when the database refuses the batch, for each half of it, so that a bad key fails alone."""
        keys = list(dict.fromkeys(key for wanted, answer in units if not answer.done() for key in wanted))
        if not keys:
            for _, answer in units:
                if not answer.done():
                    answer.set_result({})
            return
        try:
            found = self._index(await self._read(keys))
        except Exception as error:  # noqa: BLE001  whoever asked gets it, the reader lives on
            known = translated(error, self._link.connection)
            if len(units) > 1 and not isinstance(known, Unavailable):
                middle = len(units) // 2
                await self._answer(units[:middle])
                await self._answer(units[middle:])
                return
            for _, answer in units:
                if not answer.done():
                    answer.set_exception(known)
            return
        for _, answer in units:
            if not answer.done():
                answer.set_result(found)

    async def _read(self, keys: Sequence[K]) -> list[asyncpg.Record]:
        arguments = self._arguments(keys)
        for last in (False, True):
            try:
                async with asyncio.timeout(self._within):
                    return await (await self._link.prepared(self._sql)).fetch(*arguments)
            except Exception as error:
                if not connection_lost(error, self._link.connection):
                    raise
                self._link.drop()
                if last or isinstance(error, (Unavailable, TimeoutError)):
                    raise
        raise AssertionError
