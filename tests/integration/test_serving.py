"""The processes behind `moderation serve`: whatever is restarted, no request is lost (bar 21, its first part)."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import httpx
import pytest

from services.serving.listening import ListenError, listen
from services.serving.protocol import MAX_HEAD_BYTES

ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def toy(workers: int, listener: socket.socket, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """The parent process on a socket that is passed as a service manager does; killed at the end of the block."""
    fd = listener.fileno()
    # A shell puts the socket at number 3 and tells the process that it is meant.
    script = f'exec 3<&{fd}; LISTEN_PID=$$ LISTEN_FDS=1 exec "{sys.executable}" -m tests.support.toy_service 0 {workers}'
    with subprocess.Popen(["/bin/bash", "-c", script], pass_fds=(fd,), cwd=ROOT, env={**os.environ, **environment}) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with listen("127.0.0.1", 0) as sock:
        yield sock


def url_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}/"


class Load:
    """Clients that keep their connections and ask without a pause; each answer, or what went wrong."""

    def __init__(self, url: str, clients: int = 6) -> None:
        self.url = url
        self.answers: list[str] = []
        self.failures: list[str] = []
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._ask) for _ in range(clients)]

    def _ask(self) -> None:
        with httpx.Client(timeout=30) as client:
            while not self.over.is_set():
                try:
                    self.answers.append(client.get(self.url).raise_for_status().text)
                except httpx.HTTPError as problem:
                    self.failures.append(repr(problem))

    def __enter__(self) -> Self:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()

    def wait_for_other_than(self, pids: set[str], seconds: float = 60) -> set[str]:
        """Wait until only processes outside `pids` have answered for a while; which they are."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            latest = set(self.answers[-60:])
            if len(self.answers) > 60 and not latest & pids:
                return latest
            time.sleep(0.05)
        raise AssertionError(f"still answered by {set(self.answers[-60:]) & pids}; failures: {self.failures[:3]}")


def test_workers_are_replaced_under_load_without_a_failed_request(listener: socket.socket) -> None:
    """SIGHUP: each new worker answers before its old one goes."""
    with toy(2, listener) as process, Load(url_of(listener)) as load:
        seen = load.wait_for_other_than({""})
        for _ in range(2):
            process.send_signal(signal.SIGHUP)
            seen |= load.wait_for_other_than(seen)
        os.kill(int(load.answers[-1]), signal.SIGTERM)  # one worker alone, told to end by somebody else
        time.sleep(2)
        assert load.failures == []
        assert len(seen) >= 3


def test_a_killed_worker_is_replaced(listener: socket.socket) -> None:
    """Kill -9 costs the requests under way in that worker, and no later one."""
    with toy(1, listener), Load(url_of(listener), clients=2) as load:
        first = load.wait_for_other_than({""})
        os.kill(int(next(iter(first))), signal.SIGKILL)
        load.wait_for_other_than(first)
        assert len(load.failures) <= 2


def test_the_whole_service_restarts_under_load_without_a_failed_request(listener: socket.socket) -> None:
    """SIGTERM to the parent: what is under way is answered; what comes waits in the socket that the service manager holds."""
    with contextlib.ExitStack() as stack, Load(url_of(listener)) as load:
        process = stack.enter_context(toy(1, listener))
        seen = load.wait_for_other_than({""})
        for _ in range(2):
            process.send_signal(signal.SIGTERM)
            successor = stack.enter_context(toy(1, listener))
            assert process.wait(60) == 0
            process = successor
            seen |= load.wait_for_other_than(seen)
        assert load.failures == []


def test_when_no_worker_can_start_the_parent_gives_up(listener: socket.socket) -> None:
    with toy(1, listener, TOY_BROKEN="1") as process:
        assert process.wait(60) == 1


def test_workers_do_not_outlive_a_killed_parent(listener: socket.socket) -> None:
    with toy(1, listener) as process:
        pid = int(httpx.get(url_of(listener), timeout=30).text)
        process.kill()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_what_is_no_request_is_answered_with_a_problem_document(listener: socket.socket) -> None:
    """Bar 17: every answer other than 2xx is one, also where no application was asked. Heads are bounded (the parser has no limit of its own)."""
    with toy(1, listener):
        assert httpx.get(url_of(listener), timeout=30).status_code == 200
        for sent, status in ((b"garbage\r\n\r\n", b"400"), (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * (MAX_HEAD_BYTES // 6 + 1), b"431")):
            with socket.create_connection(listener.getsockname(), timeout=10) as client:
                client.sendall(sent)
                answer = b""
                with contextlib.suppress(ConnectionResetError):
                    while part := client.recv(65536):
                        answer += part
            assert answer.startswith(b"HTTP/1.1 " + status), answer[:100]
            assert b"application/problem+json" in answer
            assert b'"code":"malformed_request"' in answer


def test_a_taken_port_is_told_in_words(listener: socket.socket) -> None:
    with pytest.raises(ListenError, match="is taken by another program"):
        listen("127.0.0.1", listener.getsockname()[1])
