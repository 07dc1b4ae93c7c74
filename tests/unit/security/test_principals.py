"""Who a token stands for, and how soon that changes (contract, General)."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.refusal import Refusal, Unavailable
from shared.security.keys import KeyedHash
from shared.security.principals import Directory, DirectoryHolder, HeaderValues, Role, StaffMember, TokenEntry, TokenKind
from shared.security.tokens import is_dev, new_token, token_of_header

HASH = KeyedHash(bytes(32))
GAME, ADMIN, GONE, DEV, STRAY = new_token(), new_token(), new_token(), new_token(dev=True), new_token()


def entry(name: str, kind: TokenKind) -> TokenEntry:
    return TokenEntry(token_id=f"t-{name}", kind=kind, principal=name)


def directory(*, epoch: int = 1, accept_dev_tokens: bool = False) -> Directory:
    members = (
        StaffMember(staff_id="admin-1", level=Role.ADMIN, player_id="p-admin", active=True),
        StaffMember(staff_id="head-1", level=Role.HEAD_ADMIN, player_id=None, active=True),
        StaffMember(staff_id="gone-1", level=Role.ADMIN, player_id=None, active=False),
    )
    tokens = {
        GAME: entry("game-1", TokenKind.GAME_SERVER),
        ADMIN: entry("admin-1", TokenKind.STAFF),
        GONE: entry("gone-1", TokenKind.STAFF),
        DEV: entry("head-1", TokenKind.STAFF),
        STRAY: entry("never-registered", TokenKind.STAFF),
    }
    return Directory(
        epoch=epoch,
        tokens={HASH.digest(token): value for token, value in tokens.items()},
        staff={member.staff_id: member for member in members},
        token_hash=HASH,
        accept_dev_tokens=accept_dev_tokens,
    )


def code(authorization: HeaderValues, acting: HeaderValues = None) -> str:
    with pytest.raises(Refusal) as caught:
        directory().authenticate(authorization, acting)
    return caught.value.code


def test_a_staff_token_acts_as_itself_at_the_registers_level() -> None:
    found = directory().authenticate(f"Bearer {ADMIN}", None)
    assert (found.id, found.role, found.via, found.player_id, found.token_id) == ("admin-1", Role.ADMIN, None, "p-admin", "t-admin-1")


def test_a_game_server_is_itself_without_the_header() -> None:
    found = directory().authenticate(f"bearer {GAME}", ())
    assert (found.id, found.role, found.via) == ("game-1", Role.GAME_SERVER, None)


def test_a_game_server_acts_for_a_member_of_staff() -> None:
    found = directory().authenticate([f"Bearer {GAME}"], ["head-1"])
    assert (found.id, found.role, found.via) == ("head-1", Role.HEAD_ADMIN, "game-1")


@pytest.mark.parametrize("acting", ["nobody", "gone-1", "", "no id at all ä", "admin-1 ", "x" * 9000])
def test_a_game_server_acts_for_nobody_else(acting: str) -> None:
    assert code(f"Bearer {GAME}", acting) == "unknown_staff"


def test_naming_oneself_is_no_harm_and_naming_another_is_refused() -> None:
    assert directory().authenticate(f"Bearer {ADMIN}", "admin-1").id == "admin-1"
    assert code(f"Bearer {ADMIN}", "head-1") == "acting_not_allowed"
    assert code(f"Bearer {ADMIN}", "nobody") == "acting_not_allowed"


@pytest.mark.parametrize("token", [GONE, STRAY], ids=["gone", "stray"])
def test_the_token_of_an_inactive_or_unregistered_member_is_nobodys(token: str) -> None:
    assert code(f"Bearer {token}") == "unknown_staff"
    assert code(f"Bearer {token}", "head-1") == "unknown_staff"


@pytest.mark.parametrize(
    "header",
    [
        None,
        (),
        "",
        "Bearer",
        "Bearer ",
        "Bearer not-a-token",
        "Basic YWRtaW46YWRtaW4=",
        "Bearer " + "x" * 5000,
        "Bearer a b c",
        f"Bearer {new_token()}",
        f"Bearer {ADMIN}x",
        f"Bearer {ADMIN}\n",
        f"Bearer {ADMIN}, Bearer {ADMIN}",
        ADMIN,
        f"Token {ADMIN}",
        [f"Bearer {ADMIN}", f"Bearer {ADMIN}"],
    ],
    ids=[str(number) for number in range(16)],  # the tokens in them are new at each run, and every worker must name a case alike
)
def test_anything_but_one_token_in_force_is_unauthenticated(header: HeaderValues) -> None:
    assert code(header) == "unauthenticated"


def test_two_acting_headers_are_nobodys_word() -> None:
    assert code(f"Bearer {GAME}", ["admin-1", "head-1"]) == "unauthenticated"
    assert code(f"Bearer {GAME}", ["admin-1", "admin-1"]) == "unauthenticated"


def test_a_development_token_is_refused_unless_development_is_asked_for() -> None:
    assert code(f"Bearer {DEV}") == "unauthenticated"
    assert directory(accept_dev_tokens=True).authenticate(f"Bearer {DEV}", None).id == "head-1"


@given(st.text(max_size=80) | st.lists(st.text(max_size=60), max_size=3), st.none() | st.text(max_size=70))
def test_no_header_is_ever_an_error(header: str | list[str], acting: str | None) -> None:
    """Header values arrive as any Latin-1 text; the answer is always a refusal."""
    assert code(header, acting) == "unauthenticated"


def test_a_directory_prints_no_token_and_no_person() -> None:
    assert "admin-1" not in repr(directory())


def test_tokens_have_one_shape() -> None:
    token = new_token()
    assert len(token) == 47
    assert token.startswith("mod_")
    assert not is_dev(token)
    assert is_dev(new_token(dev=True))
    assert token_of_header(f"BEARER  {token}") == token


class Source:
    """A database of one number, whose directory can be read slowly."""

    def __init__(self, epoch: int = 1) -> None:
        self.epoch = epoch
        self.loads = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.broken = False

    async def load(self) -> Directory:
        self.loads += 1
        epoch = self.epoch
        await self.gate.wait()
        if self.broken:
            raise Unavailable("away")
        return directory(epoch=epoch)


async def test_a_directory_is_loaded_once_for_all_who_ask() -> None:
    source = Source()
    holder = DirectoryHolder(source.load)
    found = await asyncio.gather(*(holder.at(1) for _ in range(50)))
    assert source.loads == 1
    assert {one.epoch for one in found} == {1}
    assert (await holder.at(1)).epoch == 1
    assert source.loads == 1


async def test_a_moved_epoch_counts_at_once() -> None:
    source = Source()
    holder = DirectoryHolder(source.load)
    await holder.at(1)
    source.epoch = 2
    assert (await holder.at(2)).epoch == 2
    assert (await holder.at(1)).epoch == 2
    assert source.loads == 2


async def test_a_load_that_began_before_the_change_does_not_answer_for_it() -> None:
    """A revoked token must not live on because someone else's load was under way."""
    source = Source()
    holder = DirectoryHolder(source.load)
    source.gate.clear()
    early = asyncio.create_task(holder.at(1))
    for _ in range(5):  # so that the load has begun
        await asyncio.sleep(0)
    assert source.loads == 1
    source.epoch = 2
    late = asyncio.create_task(holder.at(2))
    await asyncio.sleep(0)
    source.gate.set()
    assert (await late).epoch == 2
    assert (await early).epoch == 1


async def test_a_request_that_goes_away_does_not_take_the_load_with_it() -> None:
    source = Source()
    holder = DirectoryHolder(source.load)
    source.gate.clear()
    first, second = asyncio.create_task(holder.at(1)), asyncio.create_task(holder.at(1))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    source.gate.set()
    assert (await second).epoch == 1
    assert source.loads == 1


async def test_a_failed_load_is_told_to_all_and_tried_again() -> None:
    source = Source()
    holder = DirectoryHolder(source.load)
    source.broken = True
    outcomes = await asyncio.gather(*(holder.at(1) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(outcome, Unavailable) for outcome in outcomes)
    assert source.loads == 1
    source.broken = False
    assert (await holder.at(1)).epoch == 1


async def test_a_database_behind_the_epoch_is_not_waited_for_for_ever() -> None:
    source = Source()
    with pytest.raises(Unavailable):
        await DirectoryHolder(source.load).at(9)
    assert source.loads == 3
