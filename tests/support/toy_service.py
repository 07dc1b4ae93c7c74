"""A parent and workers like those of `moderation serve`, around an application that only says which process answers.

`python -m tests.support.toy_service PORT COUNT` is the parent, `--listen FD --ready FD` a worker of it. With TOY_BROKEN set no worker starts.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from services.serving.listening import listen
from services.serving.server import run_server
from services.serving.supervisor import Supervisor
from shared.settings import Settings

Message = MutableMapping[str, Any]
SETTINGS = Settings(database_url="", owner_database_url="", master_key=b"", shutdown_seconds=10)


async def app(scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]) -> None:
    """Answer every request after 20 ms with the process id."""
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    await asyncio.sleep(0.02)
    body = str(os.getpid()).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body})


def main() -> int:
    """The parent or a worker, by the arguments."""
    if sys.argv[1] != "--listen":
        listener = listen("127.0.0.1", int(sys.argv[1]))
        return Supervisor(listener, int(sys.argv[2]), 10, ("-m", "tests.support.toy_service")).run()
    if os.environ.get("TOY_BROKEN"):
        return 1
    ready = int(sys.argv[4])
    return 0 if run_server(app, SETTINGS, socket.socket(fileno=int(sys.argv[2])), lambda: _tell(ready)) else 1


def _tell(ready: int) -> None:
    os.write(ready, b"1")
    os.close(ready)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise SystemExit(main())
