"""`moderation demo duel`: a call to an admin on the terminal, with the feed beside it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from services.commands.demo_duel import NeverTold, play
from services.commands.replay import printable
from services.commands.stage import Stage
from shared.client import Problem, Unreachable
from shared.clock import SystemClock
from shared.ids import new_id

START_SECONDS: Final = 90.0
STOP_SECONDS: Final = 20.0


class DemoError(Exception):
    """It can't be played; one line says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is shown, and on which service."""
    plays = parser.add_subparsers(dest="play", required=True, metavar="PLAY")
    duel = plays.add_parser("duel", help="two players and an admin: a call, a penalty, an appeal, with the feed beside it")
    duel.add_argument("--url", help="a running `moderation dev` (one is started for the time of the demonstration)")
    duel.add_argument("--tokens-file", type=Path, help="the file that it wrote its tokens to; needed with --url")
    duel.add_argument("--fast", action="store_true", help="without pauses for reading")
    duel.epilog = "Players and duel get new ids in every run. NO_COLOR=1 turns the colours off."


def run(arguments: argparse.Namespace) -> int:
    """Play it; 0 when everything went as told."""
    if (arguments.url is None) != (arguments.tokens_file is None):
        print("demo: --url and --tokens-file go together", file=sys.stderr)
        return 2
    try:
        with contextlib.ExitStack() as stack:
            if arguments.url is None:
                print("starting `moderation dev` with a database of its own ...", flush=True)
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="moderation-demo-")))
                url, tokens_file = stack.enter_context(own_service(folder)), folder / "tokens.json"
            else:
                url, tokens_file = arguments.url, arguments.tokens_file
            tokens = read_tokens(tokens_file)
            stage = Stage.on(sys.stdout, paced=not arguments.fast)
            stage.title("A call to an admin")
            asyncio.run(play(stage, url, tokens, suffix=new_id()[-12:], now=SystemClock().now()))
            stage.title("That was it.")
    except (DemoError, NeverTold, Problem, Unreachable) as problem:
        print(f"demo: {printable(problem)}", file=sys.stderr)
        return 1
    return 0


def read_tokens(file: Path) -> dict[str, str]:
    """The tokens by their keys in the file of `moderation dev --tokens-file`. Raises `DemoError`."""
    try:
        content = json.loads(file.read_text())
        tokens = {key: entry if isinstance(entry, str) else str(entry["token"]) for key, entry in content.items()}
        missing = {"game_server", "admin", "senior_admin"} - tokens.keys()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as problem:
        msg = f"{file} is no file of tokens as `moderation dev --tokens-file` writes it: {problem}"
        raise DemoError(msg) from problem
    if missing:
        msg = f"{file} lacks the tokens of {', '.join(sorted(missing))}"
        raise DemoError(msg)
    return tokens


@contextlib.contextmanager
def own_service(folder: Path) -> Iterator[str]:
    """The URL of a `moderation dev` whose database lives in this folder; both end with the block. Raises `DemoError`."""
    folder.chmod(0o711)  # the database may run as a user of its own
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL" and not name.startswith("MODERATION_")}
    words = [sys.executable, "-m", "services.cli", "dev", "--port", "0", "--data-dir", str(folder / "data")]
    words += ["--tokens-file", str(folder / "tokens.json")]
    root = str(Path(__file__).resolve().parents[2])
    environment = {**kept, "PYTHONPATH": os.pathsep.join(filter(None, [root, kept.get("PYTHONPATH", "")])), "PYTHONUNBUFFERED": "1"}
    with ending_in_order(), (folder / "errors.log").open("w+") as errors:
        process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert process.stdout is not None
            url = _first_url(process, process.stdout)
            if url is None:
                errors.seek(0)
                said = errors.read().strip().splitlines()
                msg = f"`moderation dev` did not start: {said[-1] if said else 'it said nothing'}"
                raise DemoError(msg)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """SIGTERM and a closed terminal end the block as Ctrl-C does, so that nothing goes on behind it."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _first_url(process: subprocess.Popen[str], out: IO[str]) -> str | None:
    """The address that it prints once it serves; None when it ends before, or takes too long (then it is ended)."""
    late = threading.Timer(START_SECONDS, process.kill)
    late.start()
    try:
        for line in out:
            for word in line.split():
                if word.startswith("http://"):
                    return word
    finally:
        late.cancel()
    return None
