"""What the operator does at the command line, as nobody's principal: the first staff, and everybody's tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from services.moderation.staff.commands import IssueToken, PutStaff, RevokeToken
from services.moderation.staff.decider import StaffDecider, TokenCommand, TokenDecider, TokenEvent
from services.moderation.staff.handler import StaffEntry, entry_of, load_staff, staff_row, staff_stream
from services.moderation.staff.state import TokenState
from shared.clock import Clock
from shared.decider import fold
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import EventMeta, NewEvent
from shared.eventstore.port import Appended, AppendRequest, EventStore, StreamAppend, TableWrite
from shared.refusal import Refusal, Unavailable
from shared.security.keys import KeyedHash
from shared.security.roles import TokenKind
from shared.security.tokens import new_token

_TRIES: Final = 5
_META: Final = EventMeta(actor="operator", role="operator")
_STAFF: Final = StaffDecider()
_TOKEN: Final = TokenDecider()


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedToken:
    """A new token; `token` is shown to the operator once and kept nowhere."""

    token_id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Change:
    """New events of one stream, with the row that goes with them."""

    version: int
    events: Sequence[object]
    row: TableWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """The operator's commands over a store."""

    store: EventStore
    codec: Codec
    token_hash: KeyedHash
    clock: Clock
    new_id: Callable[[], str]

    async def put_staff(self, command: PutStaff) -> StaffEntry:
        """Make the entry of the register say this; nothing is recorded when it says so already. Raises `Refusal`, `Unavailable`."""
        for _ in range(_TRIES):
            state, version = await load_staff(self.store, self.codec, command.staff_id)
            events = _STAFF.decide(command, state)
            after = fold(_STAFF, events, state)
            row = staff_row(command.staff_id, after, version + len(events))
            if await self._recorded(staff_stream(command.staff_id), _Change(version, events, row)):
                return entry_of(command.staff_id, after, version + len(events))
        raise _too_busy()

    async def issue_token(self, *, kind: TokenKind, principal: str, label: str, dev: bool = False) -> IssuedToken:
        """A new token for a registered member of staff, or for a game server of this name.

        Raises a `Refusal` `unknown_staff` when no active member of staff has that id.
        """
        if kind is TokenKind.STAFF:
            member, _ = await load_staff(self.store, self.codec, principal)
            if not member.active:
                raise Refusal("unknown_staff", f"No active member of staff is called {principal}.")
        token, token_id = new_token(dev=dev), self.new_id()
        await self._decide_token(
            IssueToken(
                token_id=token_id,
                token_hash=self.token_hash.digest(token).hex(),
                kind=kind,
                principal=principal,
                label=label,
                at=self.clock.now(),
            )
        )
        return IssuedToken(token_id=token_id, token=token)

    async def revoke_token(self, token_id: str) -> bool:
        """The token counts no more, from this moment; False when it was revoked before. Raises a `Refusal` `not_found`."""
        return await self._decide_token(RevokeToken(token_id=token_id, at=self.clock.now()))

    async def _decide_token(self, command: TokenCommand) -> bool:
        stream = f"token-{command.token_id}"
        for _ in range(_TRIES):
            stored = await self.store.read(stream)
            state = fold(_TOKEN, cast("Sequence[TokenEvent]", [self.codec.decode(event) for event in stored]))
            events = _TOKEN.decide(command, state)
            row = token_row(fold(_TOKEN, events, state))
            if await self._recorded(stream, _Change(len(stored), events, row)):
                return bool(events)
        raise _too_busy()

    async def _recorded(self, stream: str, change: _Change) -> bool:
        """Record the change; False when the stream has moved on."""
        if not change.events:
            return True
        meta, new = self.codec.encode_meta(_META), list[NewEvent]()
        for number, event in enumerate(change.events, start=change.version + 1):
            name, payload = self.codec.encode(event, stream=stream, version=number)
            new.append(NewEvent(type=name, payload=payload, meta=meta))
        append = StreamAppend(stream=stream, expected_version=change.version, events=tuple(new))
        result = await self.store.append(AppendRequest(command_id=self.new_id(), appends=(append,), writes=(change.row,)))
        return isinstance(result, Appended)


def token_row(state: TokenState) -> TableWrite:
    """The row of the `tokens` table, from which principals are read; raises `ValueError` for a token that was never issued."""
    issued = state.issued
    if issued is None:
        raise ValueError("this token was never issued")
    return TableWrite(
        table="tokens",
        row=(
            issued.token_id,
            bytes.fromhex(issued.token_hash),
            issued.kind.value,
            issued.principal,
            issued.label,
            issued.issued_at,
            state.revoked_at,
        ),
    )


def _too_busy() -> Unavailable:
    return Unavailable("others change the same entry at the same time")
