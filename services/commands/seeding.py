"""The example staff of `moderation dev`, and the files through which a person and the black-box cases get at their tokens."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from services.commands.register import Register, open_register
from shared.settings import Settings

GAME_SERVER: Final = "game-1"
LABEL: Final = "moderation dev"
STAFF: Final[Mapping[str, tuple[str, str]]] = {  # key in the tokens file -> (staff id, level)
    "admin": ("admin-1", "admin"),
    "admin_b": ("admin-2", "admin"),
    "senior_admin": ("senior-1", "senior_admin"),
    "senior_admin_b": ("senior-2", "senior_admin"),
    "head_admin": ("head-1", "head_admin"),
    "head_admin_b": ("head-2", "head_admin"),
    "auditor": ("auditor-1", "auditor"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """One token a principal: the game server's, and each member of staff's by staff id."""

    game_server: str
    staff: Mapping[str, str]


async def seed(settings: Settings) -> Tokens:
    """Make the example staff and give everyone a new token. The tokens of earlier starts are revoked: only their hashes are known any more."""
    async with open_register(settings) as register:
        return await seed_register(register)


async def seed_register(register: Register) -> Tokens:
    """The same on an open register."""
    old = [line.token_id for line in await register.tokens() if line.label == LABEL and line.revoked_at is None]
    for staff_id, level in STAFF.values():
        await register.put_staff(staff_id=staff_id, level=level, player_id=f"{staff_id}-player")
    game = await register.issue(kind="game_server", principal=GAME_SERVER, label=LABEL, dev=True)
    staff = {}
    for staff_id, _ in STAFF.values():
        staff[staff_id] = (await register.issue(kind="staff", principal=staff_id, label=LABEL, dev=True)).token
    for token_id in old:
        await register.revoke(token_id)
    return Tokens(game_server=game.token, staff=staff)


def write_tokens(file: Path, tokens: Tokens) -> None:
    """What the black-box cases read: `game_server` is a token, everyone else `{"id", "token"}`."""
    content: dict[str, object] = {"game_server": tokens.game_server}
    content.update({key: {"id": staff_id, "token": tokens.staff[staff_id]} for key, (staff_id, _) in STAFF.items()})
    _write_private(file, json.dumps(content, indent=2) + "\n")


def write_headers(folder: Path, tokens: Tokens) -> Path:
    """A file a principal, for `curl -H @FILE`; returns the folder as a person would type it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for name, token in {GAME_SERVER: tokens.game_server, **tokens.staff}.items():
        _write_private(folder / name, f"Authorization: Bearer {token}\n")
    return folder


def _write_private(file: Path, text: str) -> None:
    """Replace the file at once by one that nobody else can read."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
    fresh.replace(file)
