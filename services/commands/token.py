"""`moderation token`: who may call the service. A token is shown once, when it is made; the service keeps only a keyed hash."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys

from services.commands.register import Register, open_register
from shared.http.types import GAME_ID_PATTERN
from shared.observability import configure_logging
from shared.refusal import Refusal, Unavailable
from shared.settings import SettingsError, load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """create, list, revoke."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="make a token and print it")
    who = create.add_mutually_exclusive_group(required=True)
    who.add_argument("--game-server", metavar="NAME", type=_id, help="for a game server")
    who.add_argument("--staff", metavar="STAFF_ID", type=_id, help="for a member of staff, who acts at the level that the register gives")
    create.add_argument(
        "--level", choices=("admin", "senior_admin", "head_admin", "auditor"), help="with --staff: register this member at this level first"
    )
    create.add_argument("--player-id", type=_id, help="with --level: their own player account, about which they decide nothing")
    create.add_argument("--label", default="", help="a note for the list")
    actions.add_parser("list", help="list the tokens, without their secrets")
    revoke = actions.add_parser("revoke", help="let a token count no more, at once")
    revoke.add_argument("token_id")
    parser.epilog = (
        "Needs the same variables as `moderation serve`. The first head admin of an installation is made by: "
        "moderation token create --staff ID --level head_admin"
    )


def _id(text: str) -> str:
    """A name as the API takes it: with another one nobody could be found, or named in `Acting-Staff`."""
    if re.match(GAME_ID_PATTERN, text) is None:
        msg = "an id has 1 to 64 letters, digits, and . _ : - inside"
        raise argparse.ArgumentTypeError(msg)
    return text


def run(arguments: argparse.Namespace) -> int:
    """Do it; what goes wrong is one line."""
    if arguments.action == "create" and (misused := _misused(arguments)):
        print(f"token create: {misused}", file=sys.stderr)
        return 2
    try:
        settings = load_settings()
        configure_logging("warning", "console")

        async def act() -> int:
            async with open_register(settings) as register:
                return await _act(register, arguments)

        return asyncio.run(act())
    except SettingsError as problem:
        print("token: the settings are wrong:", *problem.problems, sep="\n  ", file=sys.stderr)
    except Refusal as problem:
        print(f"token: {problem.detail}", file=sys.stderr)
    except (Unavailable, OSError) as problem:
        print(f"token: the database can't be used: {problem}", file=sys.stderr)
    return 1


def _misused(arguments: argparse.Namespace) -> str | None:
    """Which option stands there without the one that it belongs to."""
    if arguments.level and not arguments.staff:
        return "--level goes with --staff"
    return "--player-id goes with --level" if arguments.player_id and not arguments.level else None


async def _act(register: Register, arguments: argparse.Namespace) -> int:
    if arguments.action == "create":
        if arguments.level:
            await register.put_staff(staff_id=arguments.staff, level=arguments.level, player_id=arguments.player_id)
        kind, principal = ("game_server", arguments.game_server) if arguments.game_server else ("staff", arguments.staff)
        issued = await register.issue(kind=kind, principal=principal, label=arguments.label)
        print(f"token {issued.token_id}; this is the only time that it is shown:", file=sys.stderr)
        print(issued.token)
        return 0
    if arguments.action == "revoke":
        print("revoked" if await register.revoke(arguments.token_id) else "was revoked before")
        return 0
    for line in await register.tokens():
        state = f"revoked {line.revoked_at:%Y-%m-%dT%H:%M:%SZ}" if line.revoked_at else "valid"
        print(f"{line.token_id}  {line.kind:<11}  {line.principal:<24}  {line.created_at:%Y-%m-%dT%H:%M:%SZ}  {state}  {line.label!a}")
    return 0
