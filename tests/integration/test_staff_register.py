"""The register and tokens over PostgreSQL: what is recorded is who one is, at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import asyncpg
import msgspec
import pytest

from services.moderation.staff.commands import PutStaff
from services.moderation.staff.directory import list_tokens, load_directory
from services.moderation.staff.handler import StaffRegister
from services.moderation.staff.operator import Operator
from shared.clock import SystemClock
from shared.commands import CommandReply, Executor
from shared.context import CommandContext
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.ids import new_id
from shared.refusal import Refusal, Unavailable
from shared.security.data_keys import DataKeys
from shared.security.keys import derive_keys
from shared.security.principals import Directory, DirectoryHolder, Principal
from shared.security.roles import Role, TokenKind
from tests.golden.files import registry
from tests.support.database import Database

HEAD = Principal(id="head-1", role=Role.HEAD_ADMIN, token_id="t")
PUT = PutStaff(staff_id="admin-7", level=Role.ADMIN, player_id="p7", active=True, by="head-1")
KEYS = derive_keys(bytes(32))


@dataclass(frozen=True, slots=True)
class Office:
    """The register, the operator and the directory over one database."""

    store: PostgresEventStore
    register: StaffRegister
    operator: Operator
    holder: DirectoryHolder

    async def put(self, command: PutStaff, **context: Any) -> CommandReply:
        ctx = CommandContext(principal=HEAD, route="PUT /v1/staff/x", fingerprint=b"f", **context)
        return await self.register.put(ctx, command)

    async def principal(self, token: str, acting: str | None = None) -> Principal:
        """Who the token stands for, as a request finds out."""
        directory = await self.holder.at(await self.store.epoch())
        return directory.authenticate(f"Bearer {token}", acting)

    async def code(self, token: str, acting: str | None = None) -> str:
        with pytest.raises(Refusal) as caught:
            await self.principal(token, acting)
        return caught.value.code


@pytest.fixture
def office(postgres_store: PostgresEventStore) -> Office:
    codec = Codec(registry())

    async def load() -> Directory:
        return await load_directory(postgres_store.fetch, KEYS.token_hash)

    executor = Executor(postgres_store, codec, DataKeys(postgres_store, KEYS.key_wrapping), SystemClock(), new_id)
    operator = Operator(store=postgres_store, codec=codec, token_hash=KEYS.token_hash, clock=SystemClock(), new_id=new_id)
    return Office(postgres_store, StaffRegister(postgres_store, codec, executor), operator, DirectoryHolder(load))


async def test_a_member_is_registered_then_changed_then_left_alone(office: Office) -> None:
    """Contract, Operations: 201 first, 200 then; an unchanged PUT records nothing."""
    first = await office.put(PUT)
    second = await office.put(replace(PUT, level=Role.SENIOR_ADMIN))
    third = await office.put(replace(PUT, level=Role.SENIOR_ADMIN))
    assert [reply.status for reply in (first, second, third)] == [201, 200, 200]
    assert msgspec.json.decode(second.body) == {
        "staff_id": "admin-7",
        "level": "senior_admin",
        "player_id": "p7",
        "active": True,
        "version": 2,
        "position": 2,
    }
    assert msgspec.json.decode(third.body)["version"] == 2
    assert (await office.register.get("admin-7")).level is Role.SENIOR_ADMIN
    assert await office.store.head() == 2


async def test_the_register_says_so_when_it_knows_nobody(office: Office) -> None:
    with pytest.raises(Refusal, match="not_found"):
        await office.register.get("nobody")


async def test_a_stale_page_changes_nothing(office: Office) -> None:
    await office.put(PUT)
    with pytest.raises(Refusal, match="stale_version"):
        await office.put(replace(PUT, active=False), if_match=2)
    await office.put(replace(PUT, active=False), if_match=1)


async def test_the_same_command_twice_is_one_change(office: Office) -> None:
    """Contract, General: the first answer again, status included."""
    first = await office.put(PUT, idempotency_key="k")
    again = await office.put(PUT, idempotency_key="k")
    assert (again.status, again.body, again.replayed) == (201, first.body, True)


async def test_what_the_register_says_counts_from_the_next_request(office: Office) -> None:
    """Contract, General: level, inactivity and return, for a token in use."""
    await office.put(PUT)
    token = (await office.operator.issue_token(kind=TokenKind.STAFF, principal="admin-7", label="laptop")).token
    assert (await office.principal(token)).role is Role.ADMIN
    await office.put(replace(PUT, level=Role.HEAD_ADMIN, player_id="p8"))
    found = await office.principal(token)
    assert (found.role, found.player_id) == (Role.HEAD_ADMIN, "p8")
    await office.put(replace(PUT, active=False))
    assert await office.code(token) == "unknown_staff"
    await office.put(PUT)
    assert (await office.principal(token)).id == "admin-7"


async def test_a_revoked_token_is_refused_from_the_next_request(office: Office) -> None:
    issued = await office.operator.issue_token(kind=TokenKind.GAME_SERVER, principal="game-1", label="")
    assert (await office.principal(issued.token)).role is Role.GAME_SERVER
    assert await office.operator.revoke_token(issued.token_id)
    assert await office.code(issued.token) == "unauthenticated"
    assert not await office.operator.revoke_token(issued.token_id)


async def test_a_game_server_acts_for_whom_the_register_knows(office: Office) -> None:
    await office.put(PUT)
    token = (await office.operator.issue_token(kind=TokenKind.GAME_SERVER, principal="game-1", label="")).token
    found = await office.principal(token, "admin-7")
    assert (found.id, found.via, found.player_id) == ("admin-7", "game-1", "p7")
    assert await office.code(token, "admin-8") == "unknown_staff"


async def test_a_token_is_kept_nowhere(office: Office) -> None:
    """Only its keyed hash: not in the log, not in the table, not in what is printed."""
    issued = await office.operator.issue_token(kind=TokenKind.GAME_SERVER, principal="game-1", label="edge")
    log = await office.store.read_log()
    assert issued.token not in repr(issued)
    assert all(issued.token[4:].encode() not in stored.payload + stored.meta for stored in log)
    assert issued.token[4:] not in repr(await office.store.fetch("SELECT * FROM tokens"))
    listed = await list_tokens(office.store.fetch)
    assert [(one.token_id, one.principal, one.label, one.revoked_at) for one in listed] == [(issued.token_id, "game-1", "edge", None)]


async def test_no_token_for_a_member_whom_nobody_registered(office: Office) -> None:
    with pytest.raises(Refusal, match="unknown_staff"):
        await office.operator.issue_token(kind=TokenKind.STAFF, principal="nobody", label="")


async def test_the_operator_registers_the_first_head_admin(office: Office) -> None:
    entry = await office.operator.put_staff(PutStaff(staff_id="head-1", level=Role.HEAD_ADMIN, player_id=None, active=True, by=None))
    assert (entry.staff_id, entry.version) == ("head-1", 1)
    again = await office.operator.put_staff(PutStaff(staff_id="head-1", level=Role.HEAD_ADMIN, player_id=None, active=True, by=None))
    assert again == entry


async def test_a_level_of_a_newer_release_is_nobodys(office: Office, database: Database) -> None:
    """Deny by default: an old process beside a new one."""
    await office.put(PUT)
    connection = await asyncpg.connect(database.superuser)
    try:
        await connection.execute("UPDATE staff SET level = 'emperor'")
        assert (await load_directory(connection.fetch, KEYS.token_hash)).staff == {}
    finally:
        await connection.close()
    with pytest.raises(Unavailable):
        await load_directory(connection.fetch, KEYS.token_hash)
