"""The service as a person starts it: `moderation dev` as a process of its own, over a database of the test run's server."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from shared.client import Client
from tests.support.database import Database

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A running service. `folder` is where it was started: tokens are below `.moderation/headers` there, as the README has it."""

    url: str
    folder: Path
    tokens: dict[str, str]

    def client(self, name: str) -> Client:
        """A client for one of the example principals: `game-1`, `admin-1`, `admin-2`, `senior-1`, `senior-2`, `head-1`, `head-2`, `auditor-1`."""
        return Client(self.url, self.tokens[name])


@contextlib.contextmanager
def running(folder: Path, database: Database) -> Iterator[Live]:
    """Start it in this folder and wait until it answers; ends with the block."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MODERATION_", "DATABASE_"))}
    environment |= {"DATABASE_URL": database.app, "MODERATION_OWNER_DATABASE_URL": database.superuser, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "services.cli", "dev", "--port", "0", "--tokens-file", "tokens.json"]
    output = folder / "service.log"
    with output.open("w") as log:
        process = subprocess.Popen(words, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield Live(url=_await_answer(process, output), folder=folder, tokens=_tokens(folder))
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _await_answer(process: subprocess.Popen[bytes], output: Path) -> str:
    """The address that the service prints once it listens, when it is ready."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        url = next((word for word in output.read_text().split() if word.startswith("http://")), None)
        if url is not None:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{url}/readyz", trust_env=False).status_code == 200:
                    return url
        time.sleep(0.1)
    raise AssertionError(f"the service did not start:\n{output.read_text()}")


def _tokens(folder: Path) -> dict[str, str]:
    """The tokens by the names of their principals."""
    content = json.loads((folder / "tokens.json").read_text())
    staff = {entry["id"]: entry["token"] for key, entry in content.items() if key != "game_server"}
    return {"game-1": content["game_server"], **staff}
