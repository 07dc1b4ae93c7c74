"""The command `moderation`. A subcommand's module is imported only when it is the one asked for."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import services
import shared

COMMANDS: Final = {
    "dev": "everything on this machine, for trying and developing: embedded database, example staff, tokens",
    "demo": "a call to an admin played on the terminal, with the feed beside it",
    "serve": "the service in production",
    "migrate": "bring the database's tables up to date, or tell how they are",
    "rebuild": "build the tables that answers come from anew from the log, or check them against it",
    "erasures": "the ledger of erasures, which a restored backup is held against",
    "token": "create, list and revoke the tokens of game servers and staff",
    "webhook": "where the feed is pushed to: add, list, test, redeliver, rotate, remove",
    "key": "make a master key",
    "policy": "see what publishing a rule table would change, and who would stand differently",
    "replay": "print a player's record step by step, with what each event changed",
    "diff": "compare a player's standing at two versions or moments",
    "verify": "check the whole log: every hash, the order, the tree, every signed checkpoint",
    "witness": "confirm from outside, with a key of one's own, that the log only grows",
    "export": "write a player's record, or the whole log, as a file that proves itself",
    "verify-bundle": "check such a file with nothing but the log's public key",
    "import": "import incidents decided before this service existed",
    "bench": "measure how fast it is on this machine, beside what is possible there (needs a checkout)",
}
MODULES: Final = {"import": "importing"}  # where the command's name can't be a module's


def main(argv: list[str] | None = None) -> int:
    """Run one subcommand; the exit code (2: wrong usage, 1: it failed, with one clear message)."""
    words = sys.argv[1:] if argv is None else argv
    _check_origin()
    parser = argparse.ArgumentParser(prog="moderation", description="The conduct record of an online card-duel site.")
    choices = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        child = choices.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if words and words[0] == name:
            _module(name).add_arguments(child)
    arguments = parser.parse_args(words)
    try:
        return int(_module(arguments.command).run(arguments))
    except KeyboardInterrupt:
        return 130


def _module(command: str) -> ModuleType:
    return import_module(f"services.commands.{MODULES.get(command, command).replace('-', '_')}")


def _check_origin() -> None:
    """`services` and `shared` are common names: make sure that both are ours, not some other package's that comes first on the path."""
    homes = {Path(str(package.__file__)).resolve().parent.parent for package in (services, shared)}
    if len(homes) != 1:
        msg = f"the packages `services` and `shared` come from different places: {sorted(map(str, homes))}"
        raise SystemExit(msg)


if __name__ == "__main__":
    raise SystemExit(main())
