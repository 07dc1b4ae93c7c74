"""Carrying out erasures: the event, the destroyed key and the forgotten networks in one transaction; then the ledger, then what others hold."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from services.moderation.erasure.belongings import Belongings
from services.moderation.erasure.commands import ErasePlayer
from services.moderation.erasure.decider import erase
from services.moderation.erasure.events import PlayerErased
from services.moderation.erasure.ledger import Entry, Ledger, LedgerError
from services.moderation.record.acting import decider_of
from services.moderation.record.changes import Change, changes_of, outbox_of, writes_of
from services.moderation.record.commands import Decider
from services.moderation.record.repository import Records, erasure_subject, stream_of
from services.moderation.record.state import RecordState
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext
from shared.eventstore.envelope import EventMeta
from shared.eventstore.port import TableWrite
from shared.refusal import Unavailable
from shared.security.data_keys import DataKeys
from shared.security.principals import Principal, Role

OPERATOR = "operator"
_ALL_SQL = "SELECT erasure_id, player_id, erased_at FROM erasures ORDER BY erased_at, erasure_id"


class Seen(Protocol):
    """What of the remembered networks is asked."""

    async def every(self, player_id: str) -> list[bytes]:
        """All networks that are remembered of the account."""
        ...


class ErasureHandler:
    """Forgets players. With a ledger an erasure is answered only once the ledger holds it too."""

    def __init__(
        self,
        *,
        records: Records,
        executor: Executor,
        data_keys: DataKeys,
        seen: Seen,
        fetch: Callable[..., Awaitable[Sequence[Any]]],
        new_id: Callable[[], str],
        ledger: Ledger | None = None,
    ) -> None:
        self._records = records
        self._executor = executor
        self._data_keys = data_keys
        self._seen = seen
        self._fetch = fetch
        self._new_id = new_id
        self._ledger = ledger
        self._belongings: list[Belongings] = []

    def also(self, belongings: Belongings) -> None:
        """From now on an erasure destroys these, too."""
        self._belongings.append(belongings)

    async def erase(self, ctx: CommandContext, player_id: str, reason: str) -> CommandReply:
        """Destroy the player's data key, forget their networks and destroy what others hold; nothing is recorded when that is so already.

        Raises `Unavailable` when the ledger can't be written or something can't be destroyed: the erasure counts, and the same request again does it.
        """
        erasure_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(player_id)
            ctx.check_version(state.version)
            command = ErasePlayer(erasure_id=erasure_id, player_id=player_id, at=now, by=decider_of(ctx), reason=reason)
            return await self._attempt(ctx.meta(), state, command)

        reply = await self._executor.run(ctx, stream_of(player_id), attempt)
        if self._ledger is not None:
            await self._enter(self._ledger, player_id)
        if not ctx.dry_run:
            for belongings in self._belongings:  # after the event: whoever crashes here finds it, and goes on
                await belongings.forget(ctx, player_id)
        return reply

    async def replay(self, entry: Entry) -> bool:
        """Erase again what a restored backup has forgotten; False when it knows. Raises `Unavailable`."""
        ctx = CommandContext(principal=Principal(id=OPERATOR, role=Role.HEAD_ADMIN, token_id=OPERATOR), route=OPERATOR, fingerprint=b"")
        meta = EventMeta(actor=OPERATOR, role=OPERATOR)

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(entry.player_id)
            by = Decider(staff_id=OPERATOR, role=OPERATOR)
            command = ErasePlayer(erasure_id=entry.erasure_id, player_id=entry.player_id, at=now, by=by, replayed=True)
            return await self._attempt(meta, state, command)

        return (await self._executor.run(ctx, stream_of(entry.player_id), attempt)).position is not None

    async def listed(self) -> list[Entry]:
        """All erasures that this database knows, oldest first."""
        return [Entry(erasure_id=row[0], player_id=row[1], at=row[2]) for row in await self._fetch(_ALL_SQL)]

    async def _attempt(self, meta: EventMeta, state: RecordState, command: ErasePlayer) -> Attempt:
        player_id = command.player_id
        networks = await self._seen.every(player_id)
        has_key = player_id in await self._data_keys.of([player_id])
        held = sum([await belongings.held(player_id) for belongings in self._belongings])
        events = erase(replace(command, something_left=bool(networks) or has_key or held > 0), state)
        change = changes_of(player_id, state, events)
        erasure_id = change.after.erasures[-1]
        reply = {"player_id": player_id, "erasure_id": erasure_id, "key_destroyed": has_key, "networks_forgotten": len(networks)}
        return Attempt(
            changes=(_stream(change, erasure_id),),
            meta=meta,
            status=200,
            reply={**reply, "version": change.after.version},
            writes=(*writes_of([change]), *_destroyed(state, player_id, networks), *erasure_rows(player_id, state.version, events)) if events else (),
            outbox=outbox_of([change], command.at),
        )

    async def _enter(self, ledger: Ledger, player_id: str) -> None:
        known = [entry for entry in await self.listed() if entry.player_id == player_id]
        try:
            await asyncio.to_thread(ledger.add, known)
        except LedgerError as error:
            detail = "The player is erased, but the erasure ledger can't be written; send the same request again."
            raise Unavailable(detail) from error


def _stream(change: Change, erasure_id: str) -> StreamChange:
    """Sealed under the erasure's own key: the player's is destroyed in the same transaction."""
    return StreamChange(
        stream=stream_of(change.player_id), expected_version=change.before.version, events=change.events, subject=erasure_subject(erasure_id)
    )


def _destroyed(before: RecordState, player_id: str, networks: Sequence[bytes]) -> list[TableWrite]:
    """The keys and rows that go; the reasons of earlier erasures too, which are words about the player."""
    subjects = [player_id, *(erasure_subject(erasure_id) for erasure_id in before.erasures)]
    gone = [TableWrite(table="data_keys", row=(subject,), delete=True) for subject in subjects]
    return gone + [TableWrite(table="networks_seen", row=(player_id, network), delete=True) for network in networks]


def erasure_rows(player_id: str, version: int, events: Sequence[object]) -> tuple[TableWrite, ...]:
    """The rows of the erasures among these events, which follow on `version`."""
    return tuple(
        TableWrite(table="erasures", row=(player_id, event.erasure_id, event.at, number))
        for number, event in enumerate(events, version + 1)
        if isinstance(event, PlayerErased)
    )
