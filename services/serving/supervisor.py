"""The parent of the workers. It holds the listening socket, so a worker that ends, crashes or is replaced never costs a connection."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field

from prometheus_client import multiprocess

from services.serving.listening import notify_manager
from shared.observability import get_logger
from shared.processes import die_with_parent

log = get_logger(__name__)

_BACK_OFF = (0.0, 0.2, 1.0, 5.0)  # seconds before the n-th attempt in a row
_TRIES_AT_START = 3
_START_TIMEOUT = 60.0


@dataclass(slots=True, kw_only=True)
class Worker:
    """One worker process and the pipe on which it says that it answers."""

    process: subprocess.Popen[bytes]
    pipe: int
    replaces: Worker | None = None
    since: float = field(default_factory=time.monotonic)
    ready: bool = False
    kill_at: float | None = None


class Supervisor:
    """Keeps `count` workers running until SIGTERM or SIGINT; SIGHUP replaces them one for one, each new one before its old one goes.

    A new worker is a new interpreter: after an upgrade of the code SIGHUP is the whole deployment.
    """

    def __init__(
        self, listener: socket.socket, count: int, stop_seconds: float, command: tuple[str, ...] = ("-m", "services.serving.worker")
    ) -> None:
        self.listener = listener
        self.count = count
        self.stop_seconds = stop_seconds
        self.command = command
        self.workers: list[Worker] = []
        self.failures = 0
        self.served = False
        self.next_start = 0.0
        self.stopping = False
        self.reload = False
        self.selector = selectors.DefaultSelector()

    def run(self) -> int:
        """The exit code: 0 after an orderly end, 1 when no worker could ever start."""
        wake, waker = socket.socketpair()
        wake.setblocking(False)  # noqa: FBT003  the socket's own interface
        waker.setblocking(False)  # noqa: FBT003  the socket's own interface
        self.selector.register(wake, selectors.EVENT_READ)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, self._on_signal)
        while not (self.stopping and not self.workers):
            self._tick()
            if not self.served and self.failures >= _TRIES_AT_START and not self.stopping:
                log.error("no worker can start; giving up")
                self._stop()
                return 1
            for key, _ in self.selector.select(timeout=0.25):
                if key.fileobj is wake:
                    with contextlib.suppress(BlockingIOError):
                        wake.recv(4096)
                else:
                    self._on_pipe(int(key.fd))
        log.info("stopped")
        return 0

    def _on_signal(self, number: int, _frame: object) -> None:
        if number == signal.SIGHUP:
            self.reload = True
        elif number != signal.SIGCHLD:
            self.stopping = True

    def _tick(self) -> None:
        now = time.monotonic()
        for worker in [worker for worker in self.workers if worker.process.poll() is not None]:
            self._ended(worker, now)
        for worker in self.workers:
            if not worker.ready and now - worker.since > _START_TIMEOUT:
                worker.process.kill()
            if worker.kill_at is not None and now > worker.kill_at:
                worker.process.kill()
        if self.stopping:
            self._stop()
            return
        if self.reload:
            self.reload = False
            log.info("replacing the workers")
            busy = {id(worker.replaces) for worker in self.workers if worker.replaces is not None}
            for worker in [worker for worker in self.workers if worker.kill_at is None and worker.replaces is None and id(worker) not in busy]:
                self._start(worker)
        wanted = self.count - sum(1 for worker in self.workers if worker.kill_at is None and worker.replaces is None)
        if wanted > 0 and now >= self.next_start:
            for _ in range(wanted):
                self._start(None)

    def _start(self, replaces: Worker | None) -> None:
        pipe, other = os.pipe()
        handles = (self.listener.fileno(), other)
        command = [sys.executable, *self.command, "--listen", str(handles[0]), "--ready", str(handles[1])]
        process = subprocess.Popen(command, pass_fds=handles, preexec_fn=die_with_parent(signal.SIGTERM, os.getpid()))  # noqa: PLW1509  ours; only prctl
        os.close(other)
        self.workers.append(Worker(process=process, pipe=pipe, replaces=replaces))
        self.selector.register(pipe, selectors.EVENT_READ)

    def _on_pipe(self, pipe: int) -> None:
        worker = next(worker for worker in self.workers if worker.pipe == pipe)
        worker.ready = os.read(pipe, 1) == b"1"
        self._drop_pipe(worker)
        if not worker.ready:
            return  # it ended before it answered; its exit is seen to elsewhere
        log.info("worker answers", worker=worker.process.pid)
        self.failures = 0
        if worker.replaces is not None:
            self._end(worker.replaces)
            worker.replaces = None
        if not self.served and sum(1 for other in self.workers if other.ready) >= self.count:
            self.served = True
            notify_manager("READY=1")

    def _drop_pipe(self, worker: Worker) -> None:
        if worker.pipe >= 0:
            self.selector.unregister(worker.pipe)
            os.close(worker.pipe)
            worker.pipe = -1

    def _ended(self, worker: Worker, now: float) -> None:
        self.workers.remove(worker)
        self._drop_pipe(worker)
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            multiprocess.mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]
        for other in self.workers:
            if other.replaces is worker:
                other.replaces = None  # it crashed before its successor was ready
        if worker.kill_at is not None or self.stopping:
            return
        if not worker.ready:
            self.failures += 1
        log.error("worker ended", worker=worker.process.pid, code=worker.process.returncode, replacement=worker.replaces is not None)
        self.next_start = now + _BACK_OFF[min(self.failures, len(_BACK_OFF) - 1)]

    def _end(self, worker: Worker) -> None:
        if worker.kill_at is None:
            worker.kill_at = time.monotonic() + self.stop_seconds + 5
            worker.process.send_signal(signal.SIGTERM)

    def _stop(self) -> None:
        notify_manager("STOPPING=1")
        self.listener.close()
        for worker in self.workers:
            self._end(worker)
