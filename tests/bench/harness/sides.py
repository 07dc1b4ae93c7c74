"""The sides of a comparison, each a process of its own with one worker, on the server and the settings of `moderation serve`.

`bare` is a Starlette route that returns 200 constant bytes, `empty` a FastAPI POST that validates an incident's body and does nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.commands.seeding import Tokens, seed
from services.gateway.app import create_app
from services.serving.listening import listen
from services.serving.server import run_server
from shared.settings import Settings
from tests.bench.harness.pydantic_body import Incident
from tests.support.database import Database

ROOT = Path(__file__).resolve().parents[3]
MASTER = bytes(range(32))
_TICKS = os.sysconf("SC_CLK_TCK")


def settings_of(application: str, owner: str) -> Settings:
    """As in production, without the access log, which the other side does not have either."""
    media = os.environ.get("BENCH_MEDIA", "memory:")
    return Settings(
        database_url=application, owner_database_url=owner, master_key=MASTER, allow_dev_tokens=True, log_level="warning", media=media
    )


def seeded(database: Database) -> Tokens:
    """The example staff with a token each."""
    return asyncio.run(seed(settings_of(database.app, database.superuser)))


def bare(_settings: Settings) -> Starlette:
    """200 constant bytes, at the path of the standing."""

    async def constant(_request: Request) -> Response:
        return Response(b"x" * 200, media_type="application/json")

    return Starlette(routes=[Route("/v1/players/{player_id}/standing", constant)])


def empty(_settings: Settings) -> FastAPI:
    """The body of an incident, validated; nothing is done with it."""
    app = FastAPI()

    async def nothing(body: Incident) -> dict[str, str]:
        return {"player_id": body.player_id}

    app.post("/v1/incidents", status_code=201)(nothing)
    return app


SIDES: Final[Mapping[str, Callable[[Settings], Any]]] = {"service": create_app, "bare": bare, "empty": empty}


@dataclass(frozen=True, slots=True)
class Side:
    """A running side."""

    name: str
    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """The processor time of its process so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_bytes(self, what: str = "VmRSS") -> int:
        """Its resident memory; with `VmHWM` the highest so far."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{what}:"))


@contextmanager
def started(name: str, database: Database) -> Iterator[Side]:
    """The side, ready to answer, until the block ends."""
    arguments = [sys.executable, "-m", "tests.bench.harness.sides", name, database.app, database.superuser]
    process = subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{name} did not start")
        yield Side(name, int(json.loads(line)["port"]), process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        process.stdout.close()


def main(name: str, application: str, owner: str) -> None:
    """Serve one side until SIGTERM; its port is the first line printed."""
    settings = settings_of(application, owner)
    listener = listen("127.0.0.1", 0)
    run_server(SIDES[name](settings), settings, listener, lambda: print(json.dumps({"port": listener.getsockname()[1]}), flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:4])
