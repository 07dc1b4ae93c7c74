"""Who is asking: tokens and the staff register as one immutable snapshot, held until the configuration's epoch moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shared.refusal import Refusal, Unavailable
from shared.security.keys import KeyedHash
from shared.security.roles import ANY_ROLE, STAFF, Role, TokenKind
from shared.security.tokens import is_dev, token_of_header

__all__ = ["ANY_ROLE", "STAFF", "Directory", "DirectoryHolder", "HeaderValues", "Principal", "Role", "StaffMember", "TokenEntry", "TokenKind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who acts: a member of staff or a game server.

    `id` is the staff id or the game server's name, `via` the game server whose token was used when it acts for staff, `player_id` the staff
    member's own player account (nobody decides on it).
    """

    id: str
    role: Role
    token_id: str
    via: str | None = None
    player_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenEntry:
    """A token in force; `principal` is a staff id or a game server's name, by `kind`."""

    token_id: str
    kind: TokenKind
    principal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffMember:
    """An entry of the staff register."""

    staff_id: str
    level: Role
    player_id: str | None
    active: bool


_MAX_KNOWN: Final = 4096
"""So many answers are remembered for as long as a directory holds; they can't change before it does."""


def _stranger() -> Refusal:
    return Refusal("unauthenticated", "A valid token is needed: Authorization: Bearer TOKEN.")


HeaderValues = str | Sequence[str] | None
"""A header as it was received: absent, one value, or the value of each occurrence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """All tokens in force (by keyed hash) and the whole staff register, as of `epoch`. Nothing in it changes; it remembers its own answers."""

    epoch: int
    tokens: Mapping[bytes, TokenEntry] = field(repr=False)
    staff: Mapping[str, StaffMember] = field(repr=False)
    token_hash: KeyedHash = field(repr=False)
    accept_dev_tokens: bool = False
    _known: dict[tuple[bytes, str | None], Principal] = field(default_factory=dict, init=False, repr=False, compare=False)

    def authenticate(self, authorization: HeaderValues, acting_staff: HeaderValues) -> Principal:
        """The principal behind the headers `Authorization` and `Acting-Staff` (contract, General).

        Raises `Refusal`: `unauthenticated` without exactly one token in force, or with more than one `Acting-Staff`; `unknown_staff` when who
        would act is not in the register or not active; `acting_not_allowed` when a staff token names someone else.
        """
        secret = _only(authorization, "Authorization")
        digest = b"" if secret is None else self._digest(secret)
        acting = _only(acting_staff, "Acting-Staff")
        known = self._known.get((digest, acting))
        if known is None:
            known = self._principal(digest, acting)
            if len(self._known) < _MAX_KNOWN:
                self._known[digest, acting] = known
        return known

    def _principal(self, digest: bytes, acting: str | None) -> Principal:
        token = self.tokens.get(digest)
        if token is None:
            raise _stranger()
        if token.kind is TokenKind.STAFF:
            own = self._member(token.principal)
            if acting is not None and acting != token.principal:
                raise Refusal("acting_not_allowed", "A member of staff acts as themselves only.")
            return Principal(id=own.staff_id, role=own.level, token_id=token.token_id, player_id=own.player_id)
        if acting is None:
            return Principal(id=token.principal, role=Role.GAME_SERVER, token_id=token.token_id)
        member = self._member(acting)
        return Principal(id=member.staff_id, role=member.level, token_id=token.token_id, via=token.principal, player_id=member.player_id)

    def _digest(self, header: str) -> bytes:
        """By what the header's token is known; nothing but its hash is kept."""
        token = token_of_header(header)
        if token is None or (is_dev(token) and not self.accept_dev_tokens):
            raise _stranger()
        return self.token_hash.digest(token)

    def _member(self, staff_id: str) -> StaffMember:
        member = self.staff.get(staff_id)
        if member is None or not member.active:
            raise Refusal("unknown_staff", "This member of staff is not in the register, or not active.")
        return member


def _only(values: HeaderValues, name: str) -> str | None:
    """The header's one value, None when it is absent; a repeated one is nobody's word."""
    if values is None or isinstance(values, str):
        return values
    if len(values) > 1:
        raise Refusal("unauthenticated", f"The header {name} was sent more than once.")
    return values[0] if values else None


_ATTEMPTS: Final = 3


class DirectoryHolder:
    """The directory of now: loaded again as soon as a request sees a newer epoch, by one load however many ask.

    `load` MUST read epoch, tokens and staff from one snapshot of the database; what it raises, every waiting request gets.
    """

    def __init__(self, load: Callable[[], Awaitable[Directory]]) -> None:
        self._load = load
        self._current: Directory | None = None
        self._loading: asyncio.Task[Directory] | None = None

    def held(self, epoch: int) -> Directory | None:
        """The directory in hand, if it is of this epoch or a later one."""
        current = self._current
        return current if current is not None and current.epoch >= epoch else None

    async def at(self, epoch: int) -> Directory:
        """The directory at this epoch or a later one; raises `Unavailable` when the database stays behind it."""
        current = self._current
        for _ in range(_ATTEMPTS):
            if current is not None and current.epoch >= epoch:
                return current
            # A load that began before the epoch moved may come back with the older one: then the next attempt loads again.
            current = await self._reloaded()
        if current is not None and current.epoch >= epoch:
            return current
        msg = "the principals of this epoch cannot be read"
        raise Unavailable(msg)

    async def _reloaded(self) -> Directory:
        task = self._loading
        if task is None:
            task = self._loading = asyncio.ensure_future(self._run())
            task.add_done_callback(self._loaded)
        # Shielded: a request that goes away must not take the load from the others.
        return await asyncio.shield(task)

    async def _run(self) -> Directory:
        directory = await self._load()
        if self._current is None or directory.epoch >= self._current.epoch:
            self._current = directory
        return directory

    def _loaded(self, task: asyncio.Task[Directory]) -> None:
        self._loading = None
        if not task.cancelled():
            task.exception()  # retrieved here, so that a failure nobody waits for any more is no warning
