"""`moderation token`: who may call the service. A token is shown once, when it is made; the service keeps only a keyed hash."""

from __future__ import annotations

import argparse
import asyncio
import sys

from services.commands.register import Register, open_register
from shared.observability import configure_logging
from shared.refusal import Refusal, Unavailable
from shared.settings import SettingsError, load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """create, list, revoke."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="make a token and print it")
    who = create.add_mutually_exclusive_group(required=True)
    who.add_argument("--game-server", metavar="NAME", help="for a game server")
    who.add_argument("--staff", metavar="STAFF_ID", help="for a member of staff, who acts at the level that the register gives")
    create.add_argument(
        "--level", choices=("admin", "senior_admin", "head_admin", "auditor"), help="with --staff: register this member at this level first"
    )
    create.add_argument("--player-id", help="with --level: their own player account, about which they decide nothing")
    create.add_argument("--label", default="", help="a note for the list")
    actions.add_parser("list", help="list the tokens, without their secrets")
    revoke = actions.add_parser("revoke", help="let a token count no more, at once")
    revoke.add_argument("token_id")
    parser.epilog = (
        "Needs the same variables as `moderation serve`. The first head admin of an installation is made by: "
        "moderation token create --staff ID --level head_admin"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do it; what goes wrong is one line."""
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


async def _act(register: Register, arguments: argparse.Namespace) -> int:
    if arguments.action == "create":
        if arguments.level and not arguments.staff:
            print("token create: --level goes with --staff", file=sys.stderr)
            return 2
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
