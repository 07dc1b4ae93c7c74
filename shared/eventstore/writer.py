"""Group commit: one task takes all that is queued and records it in one transaction on one dedicated connection.

There is no artificial delay: while one commit is in flight the next batch gathers. Of a stream, an idempotency key or a data key at most one request
is in a batch, so requests of a batch can't disturb each other.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shared.eventstore import batch as batches
from shared.eventstore.connections import Link, connection_lost, not_now, translated
from shared.eventstore.port import AppendRequest, AppendResult, Conflict, InlineTable
from shared.refusal import Unavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """What one batch did, for the metrics; `seconds` from sending it to its outcome."""

    requests: int
    events: int
    conflicts: int
    seconds: float
    queued: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterLimits:
    """How much may wait or be sent at once, and how long for (seconds)."""

    batch: int = 500
    queue: int = 10_000
    answer_within: float = 5.0
    look_up_within: float = 0.9
    sends: int = 3


@dataclass(slots=True, eq=False)
class Pending:
    """A request and who waits for its outcome."""

    request: AppendRequest
    claims: tuple[str, ...]
    answer: asyncio.Future[AppendResult]
    sends: int = 0


class GroupCommitWriter:
    """Records requests in batches; see the module. `start` it in a running loop, `stop` it to let the queue run dry."""

    def __init__(
        self,
        link: Link,
        tables: Mapping[str, InlineTable],
        *,
        limits: WriterLimits | None = None,
        on_batch: Callable[[BatchReport], None] | None = None,
    ) -> None:
        self._link = link
        self._tables = tables
        self._limits = limits or WriterLimits()
        self._on_batch = on_batch
        self._queue: deque[Pending] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    @property
    def queued(self) -> int:
        """How many requests wait."""
        return len(self._queue)

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="group-commit-writer")

    async def stop(self) -> None:
        """Take no more, finish what is queued, end."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._link.close()

    async def append(self, request: AppendRequest) -> AppendResult:
        """See `EventStore.append`."""
        batches.validate(request, self._tables)
        if self._closing or self._task is None:
            message = "the service is shutting down"
            raise Unavailable(message)
        if len(self._queue) >= self._limits.queue:
            message = "too many commands wait to be recorded"
            raise Unavailable(message)
        pending = Pending(request, batches.claims(request), asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        self._wake.set()
        return await pending.answer

    async def _run(self) -> None:
        while True:
            if not self._queue:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._link.open()
            except Exception as error:  # noqa: BLE001  whoever waits gets it, the writer lives on
                waiting = list(self._queue)
                self._queue.clear()
                self._fail(waiting, error)
                continue
            taken = self._take()
            try:
                if taken:
                    await self._settle(taken)
            except Exception as error:  # noqa: BLE001  a fault here must not leave the callers waiting
                self._fail(taken, error)

    def _take(self) -> list[Pending]:
        """The oldest requests that have nothing in common; what is passed over keeps its place, and its claims."""
        taken: list[Pending] = []
        passed: list[Pending] = []
        claimed: set[str] = set()
        while self._queue and len(taken) < self._limits.batch and len(passed) < 2 * self._limits.batch:
            pending = self._queue.popleft()
            if pending.answer.done():  # its caller went away before it was sent
                continue
            (taken if claimed.isdisjoint(pending.claims) else passed).append(pending)
            claimed.update(pending.claims)
        self._queue.extendleft(reversed(passed))
        return taken

    async def _settle(self, taken: Sequence[Pending]) -> None:
        """Bring every request of the batch to its outcome; a request that the database can't take fails alone."""
        began = time.perf_counter()
        for pending in taken:
            pending.sends += 1
        requests = [pending.request for pending in taken]
        try:
            async with asyncio.timeout(self._limits.answer_within):
                outcomes = await self._record(requests)
        except Exception as error:  # noqa: BLE001  every kind is answered below
            if connection_lost(error, self._link.connection):
                await self._look_up(taken)
            elif await self._undone():
                await self._settle_apart(taken, error)
            else:
                await self._look_up(taken)
            return
        for pending, outcome in zip(taken, outcomes, strict=True):
            if not pending.answer.done():
                pending.answer.set_result(outcome)
        self._report(requests, outcomes, time.perf_counter() - began)

    async def _settle_apart(self, taken: Sequence[Pending], error: Exception) -> None:
        if len(taken) == 1 or not_now(error):
            self._fail(taken, error)
            return
        middle = len(taken) // 2
        await self._settle(taken[:middle])
        await self._settle(taken[middle:])

    async def _record(self, requests: Sequence[AppendRequest]) -> list[AppendResult]:
        """One transaction. Without rows for tables it is one statement, which commits by itself."""
        append = await self._link.prepared(batches.APPEND_SQL)
        arguments = batches.append_arguments(requests)
        if not any(request.writes for request in requests):
            answer = await append.fetchrow(*arguments)
            return batches.results(requests, answer)
        connection = await self._link.open()
        await connection.execute("BEGIN")
        outcomes = batches.results(requests, await append.fetchrow(*arguments))
        rows = batches.table_rows(requests, outcomes, self._tables)
        if rows:
            places = sorted(rows)
            statement = await self._link.prepared(batches.table_sql(places, self._tables))
            await statement.fetchval(*(column for place in places for column in zip(*rows[place], strict=True)))
        await connection.execute("COMMIT")
        return outcomes

    async def _undone(self) -> bool:
        """Whether the failed transaction is rolled back for certain, so that its requests may be sent again."""
        connection = self._link.connection
        try:
            if connection is not None and connection.is_in_transaction():
                async with asyncio.timeout(1):
                    await connection.execute("ROLLBACK")
        except Exception:  # noqa: BLE001  then it is looked up
            self._link.drop()
            return False
        return connection is not None and not connection.is_closed()

    async def _look_up(self, taken: Sequence[Pending]) -> None:
        """Find out what became of a batch whose answer was lost; what was not recorded is sent again."""
        deadline = time.monotonic() + self._limits.look_up_within
        requests = [pending.request for pending in taken]
        while True:
            self._link.drop()
            try:
                async with asyncio.timeout(self._limits.answer_within):
                    find = await self._link.prepared(batches.FIND_SQL)
                    found = {row["req"]: row for row in await find.fetch(*batches.find_arguments(requests))}
                break
            except Exception as error:  # noqa: BLE001  tried again until the deadline
                if time.monotonic() >= deadline:
                    self._fail(taken, Unavailable(f"the outcome is not known yet ({type(error).__name__}); the same request may be sent again"))
                    return
        again: list[Pending] = []
        for number, pending in enumerate(taken, 1):
            row = found.get(number)
            if row is not None:
                count = sum(len(part.events) for part in pending.request.appends)
                if not pending.answer.done():
                    pending.answer.set_result(batches.appended(row["found_position"], count, row["found_at"]))
            elif pending.sends >= self._limits.sends:
                self._fail([pending], Unavailable("the database went away each time; nothing was recorded"))
            else:
                again.append(pending)
        self._queue.extendleft(reversed(again))

    def _fail(self, taken: Sequence[Pending], error: BaseException) -> None:
        for pending in taken:
            if not pending.answer.done():
                pending.answer.set_exception(translated(error, self._link.connection))

    def _report(self, requests: Sequence[AppendRequest], outcomes: Sequence[AppendResult], seconds: float) -> None:
        if self._on_batch is not None:
            events = sum(len(part.events) for request in requests for part in request.appends)
            conflicts = sum(isinstance(outcome, Conflict) for outcome in outcomes)
            self._on_batch(BatchReport(requests=len(requests), events=events, conflicts=conflicts, seconds=seconds, queued=len(self._queue)))
