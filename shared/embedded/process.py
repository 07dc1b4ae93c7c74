"""The server as a child process: it never outlives its parent, however that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from shared.embedded.identity import RunAs
from shared.processes import die_with_parent

_GRACE = 30.0  # seconds that a shutdown may take before it is made a harder one


class ServerProcess:
    """A running `postgres`. SIGINT is its fast shutdown: sessions are ended, everything is written, nothing needs recovery."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    @property
    def pid(self) -> int:
        """The postmaster's process id."""
        return self.process.pid

    def running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def stop(self) -> None:
        """Fast shutdown, after 30 s an immediate one, then none of its choosing."""
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            if not self.running():
                break
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_GRACE)


def spawn(command: Sequence[str | Path], who: RunAs, log: Path) -> ServerProcess:
    """Start the server as this user, its output appended to the log.

    The kernel ties a child to the *thread* that forked it, so a thread that lives exactly as long as the server does the forking.
    """
    ready = threading.Event()
    outcome: list[ServerProcess | BaseException] = []

    def keep() -> None:
        try:
            with os.fdopen(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600), "ab") as output:
                process = subprocess.Popen(
                    [os.fspath(part) for part in command],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    cwd="/",
                    start_new_session=True,  # Ctrl-C in the terminal reaches the service first, which then stops the database
                    preexec_fn=die_with_parent(signal.SIGINT, os.getpid()),  # noqa: PLW1509  it only calls prctl
                    env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},  # no PG* variable and no secret of ours
                    **who.popen(),
                )
            outcome.append(ServerProcess(process))
        except BaseException as problem:  # noqa: BLE001  handed to the caller's thread
            outcome.append(problem)
            return
        finally:
            ready.set()
        process.wait()

    threading.Thread(target=keep, name="embedded-postgres", daemon=True).start()
    ready.wait()
    first = outcome[0]
    if isinstance(first, BaseException):
        raise first
    return first
