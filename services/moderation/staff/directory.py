"""The principals as the database has them: what `DirectoryHolder` loads, and what the operator lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import asyncpg

from shared.refusal import Unavailable
from shared.security.keys import KeyedHash
from shared.security.principals import Directory, StaffMember, TokenEntry
from shared.security.roles import Role, TokenKind

Fetch = Callable[[str], Awaitable[Sequence[asyncpg.Record]]]
"""Runs a query without parameters: the `fetch` of an asyncpg connection or pool."""

# One statement, so that epoch, tokens and staff come from one snapshot.
_DIRECTORY: Final = """
SELECT 'epoch' AS what, epoch, NULL::text AS id, NULL::bytea AS token_hash, NULL::text AS kind, NULL::text AS principal,
       NULL::text AS player_id, NULL::boolean AS active
  FROM config_epoch
UNION ALL
SELECT 'token', NULL, token_id, token_hash, kind, principal, NULL, NULL FROM tokens WHERE revoked_at IS NULL
UNION ALL
SELECT 'staff', NULL, staff_id, NULL, level, NULL, player_id, active FROM staff
"""

_TOKENS: Final = "SELECT token_id, kind, principal, label, created_at, revoked_at FROM tokens ORDER BY created_at, token_id"

_ROLES: Final = {role.value: role for role in Role if role is not Role.GAME_SERVER}
_KINDS: Final = {kind.value: kind for kind in TokenKind}


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenListing:
    """A token as the operator sees it; `revoked_at` None while it counts."""

    token_id: str
    kind: str
    principal: str
    label: str
    created_at: datetime
    revoked_at: datetime | None


async def load_directory(fetch: Fetch, token_hash: KeyedHash, *, accept_dev_tokens: bool = False) -> Directory:
    """The directory as of now; raises `Unavailable` when the database does not answer.

    A level or kind that this release does not know (a newer one may have written it) is nobody's.
    """
    rows = await _rows(fetch, _DIRECTORY)
    tokens = {
        row["token_hash"]: TokenEntry(token_id=row["id"], kind=_KINDS[row["kind"]], principal=row["principal"])
        for row in rows
        if row["what"] == "token" and row["kind"] in _KINDS
    }
    staff = {
        row["id"]: StaffMember(staff_id=row["id"], level=_ROLES[row["kind"]], player_id=row["player_id"], active=row["active"])
        for row in rows
        if row["what"] == "staff" and row["kind"] in _ROLES
    }
    epoch = max((row["epoch"] for row in rows if row["what"] == "epoch"), default=0)
    return Directory(epoch=epoch, tokens=tokens, staff=staff, token_hash=token_hash, accept_dev_tokens=accept_dev_tokens)


async def list_tokens(fetch: Fetch) -> list[TokenListing]:
    """Every token ever issued, oldest first, without anything secret; raises `Unavailable`."""
    return [TokenListing(**dict(row.items())) for row in await _rows(fetch, _TOKENS)]


async def _rows(fetch: Fetch, query: str) -> Sequence[asyncpg.Record]:
    try:
        return await fetch(query)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
        raise Unavailable("the principals cannot be read") from error
