"""The tables in use, in memory: the current one as of the configuration's epoch, older ones by their version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec

from services.moderation.policy.document import stored_policy
from services.moderation.policy.events import PolicyPublished
from services.moderation.policy.handler import STREAM, document_of, encode_document
from services.moderation.policy.state import PolicyState, evolve
from services.moderation.policy.tables import Policy
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore
from shared.refusal import Unavailable

_KEPT_VERSIONS = 64  # parsed tables of about 100 KB; a site sees a few in a year

LATEST_SQL = "SELECT body FROM policies ORDER BY position DESC LIMIT 1"
BY_VERSION_SQL = "SELECT body FROM policies WHERE version = $1"


class PolicySource(Protocol):
    """Where published documents are read; each is the JSON that GET gives."""

    async def latest(self) -> bytes | None:
        """The current one."""
        ...

    async def by_version(self, version: str) -> bytes | None:
        """The latest publication of this version."""
        ...


class TablePolicySource:
    """Reads the table `policies`; `fetch_value(sql, *arguments)` gives the first column of the first row, None without a row (asyncpg's fetchval)."""

    def __init__(self, fetch_value: Callable[..., Awaitable[bytes | None]]) -> None:
        """A pool's `fetchval` will do."""
        self._fetch_value = fetch_value

    async def latest(self) -> bytes | None:
        """The current one."""
        return await self._fetch_value(LATEST_SQL)

    async def by_version(self, version: str) -> bytes | None:
        """The latest publication of this version."""
        return await self._fetch_value(BY_VERSION_SQL, version)


class StreamPolicySource:
    """Reads the stream itself, so any store will do; for the in-memory store and for tools that read a log without its tables."""

    def __init__(self, store: EventStore, codec: Codec) -> None:
        """The codec knows the policy's events."""
        self._store = store
        self._codec = codec

    async def _documents(self) -> list[tuple[str, bytes]]:
        found: list[tuple[str, bytes]] = []
        for stored in await self._store.read(STREAM):
            event = self._codec.decode(stored)
            current = evolve(PolicyState(), event).current if isinstance(event, PolicyPublished) else None
            if current is None:
                message = f"{STREAM} holds an event that is not a policy's"
                raise Unavailable(message)
            found.append((current.policy.version, encode_document(document_of(current))))
        return found

    async def latest(self) -> bytes | None:
        """The current one."""
        documents = await self._documents()
        return documents[-1][1] if documents else None

    async def by_version(self, version: str) -> bytes | None:
        """The latest publication of this version."""
        return dict(await self._documents()).get(version)


@dataclass(frozen=True, slots=True)
class _Current:
    epoch: int
    policy: Policy
    body: bytes


class PolicyHolder:
    """Hands out tables. A request names the epoch it read, and never gets a table older than that; one load serves all who wait for it."""

    def __init__(self, source: PolicySource, epoch: Callable[[], Awaitable[int]]) -> None:
        """`epoch` tells the configuration's epoch now, for callers that have not read it themselves."""
        self._source = source
        self._epoch = epoch
        self._current: _Current | None = None
        self._versions: dict[str, Policy] = {}
        self._loading = asyncio.Lock()

    async def current(self, epoch: int | None = None) -> Policy:
        """The table that holds. Raises `Unavailable` when none was published, or it can't be read."""
        return (await self._at(epoch)).policy

    async def document(self, epoch: int | None = None) -> bytes:
        """The table that holds as its JSON document. Raises `Unavailable` likewise."""
        return (await self._at(epoch)).body

    async def by_version(self, version: str) -> Policy | None:
        """The table of this version, None when it was never published. Raises `Unavailable` when it can't be read."""
        known = self._versions.get(version)
        if known is not None:
            return known
        body = await self._source.by_version(version)
        return None if body is None else self._keep(_parsed(body))

    async def document_of(self, version: str) -> bytes | None:
        """The same as its JSON document."""
        return await self._source.by_version(version)

    async def _at(self, epoch: int | None) -> _Current:
        wanted = await self._epoch() if epoch is None else epoch
        current = self._current
        if current is not None and current.epoch >= wanted:
            return current
        async with self._loading:
            current = self._current
            if current is None or current.epoch < wanted:
                current = self._current = await self._load(wanted)
        return current

    async def _load(self, epoch: int) -> _Current:
        """What is read after the epoch is at least as new as it; a publication in between only means one more load."""
        body = await self._source.latest()
        if body is None:
            message = "no policy has been published yet"
            raise Unavailable(message)
        return _Current(epoch, self._keep(_parsed(body)), body)

    def _keep(self, policy: Policy) -> Policy:
        while len(self._versions) >= _KEPT_VERSIONS:
            del self._versions[next(iter(self._versions))]
        self._versions[policy.version] = policy
        return policy


def _parsed(body: bytes) -> Policy:
    try:
        return stored_policy(body)
    except (msgspec.MsgspecError, ValueError) as error:
        message = "a published policy cannot be read by this version of the service"
        raise Unavailable(message) from error
