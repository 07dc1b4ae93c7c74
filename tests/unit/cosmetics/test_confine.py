"""What a file that took its decoder over could reach: nothing but itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from services.cosmetics.imaging import process as running
from services.cosmetics.imaging.decoders import Decoders

TRIES = """
import json, os, socket, subprocess, sys, threading

def attempt(work):
    try:
        work()
    except OSError as error:
        return type(error).__name__
    return "done"

def fork():
    if os.fork() == 0:
        os._exit(0)
    os.wait()

def thread():
    ran = []
    made = threading.Thread(target=lambda: ran.append(1))
    made.start()
    made.join()
    assert ran

def tries(path, secret):
    return {
        "its file": attempt(lambda: open(path, "rb").close()),
        "a thread": attempt(thread),
        "another file": attempt(lambda: open(secret, "rb").close()),
        "a folder": attempt(lambda: os.listdir("/")),
        "its file, to write": attempt(lambda: open(path, "r+b").close()),
        "a new file": attempt(lambda: open(secret + ".new", "wb").close()),
        "the memory of its parent": attempt(lambda: open(f"/proc/{os.getppid()}/mem", "rb").close()),
        "a socket": attempt(lambda: socket.socket(socket.AF_INET).close()),
        "a local socket": attempt(lambda: socket.socket(socket.AF_UNIX).close()),
        "a process": attempt(fork),
        "a program": attempt(lambda: os.execv("/bin/true", ["/bin/true"]) if CONFINED else subprocess.run(["/bin/true"])),
        "a signal to its parent": attempt(lambda: os.kill(os.getppid(), 0)),
    }
"""
MAY = {"its file", "a thread"}


@pytest.fixture
def secret() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "master.key")
        path.write_bytes(b"secret")
        yield path


def spooled() -> int:
    """As an upload is kept: a file without a name."""
    descriptor = os.open(tempfile.gettempdir(), os.O_RDWR | os.O_TMPFILE, 0o600)
    os.write(descriptor, b"hostile")
    return descriptor


async def test_a_decoder_that_is_taken_over_reaches_its_file_and_nothing_else(secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real decoder, with its decoding replaced by what an attacker would try."""
    hostile = secret.with_name("hostile.py")
    hostile.write_text(
        f"import runpy\nCONFINED = True\n{TRIES}\nworker = runpy.run_path({running._WORKER!r})\n"
        f"taken = lambda _vips, path, _job: ({{}}, [json.dumps(tries(path, {str(secret)!r})).encode()])\n"
        "worker['main'].__globals__['run'] = taken\nworker['main']()\n"
    )
    monkeypatch.setattr(running, "_WORKER", str(hostile))
    decoders, descriptor = Decoders(idle_seconds=20), spooled()
    try:
        (said,) = (await decoders._run({"op": "fit", "sizes": []}, descriptor, whole=False)).parts
    finally:
        os.close(descriptor)
        await decoders.close()
    assert not secret.with_suffix(".key.new").exists()
    assert {name for name, outcome in json.loads(said).items() if outcome == "done"} == MAY, json.loads(said)


def test_control_a_process_that_is_not_confined_reaches_all_of_it(secret: Path) -> None:
    descriptor = spooled()
    program = f"CONFINED = False\n{TRIES}\nprint(json.dumps(tries('/proc/self/fd/{descriptor}', {str(secret)!r})))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, pass_fds=(descriptor,)).stdout
    os.close(descriptor)
    assert {outcome for name, outcome in json.loads(said).items() if name != "the memory of its parent"} == {"done"}, json.loads(said)


async def test_a_decoder_has_one_thread_when_it_is_confined(secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one would keep all that it may."""
    counting = secret.with_name("counting.py")
    counting.write_text(
        f"import os, runpy\nworker = runpy.run_path({running._WORKER!r})\nfound = runpy.run_path\n"
        "def spied(path):\n"
        "    made = found(path)\n"
        "    confine = made['confine']\n"
        "    def counted(descriptor):\n"
        "        threads.append(len(os.listdir('/proc/self/task')))\n"
        "        return confine(descriptor)\n"
        "    return {'confine': counted}\n"
        "threads = []\nrunpy.run_path = spied\n"
        "worker['main'].__globals__['run'] = lambda *_: ({'threads': threads}, [])\nworker['main']()\n"
    )
    monkeypatch.setattr(running, "_WORKER", str(counting))
    decoders, descriptor = Decoders(idle_seconds=20), spooled()
    try:
        answer = await decoders._run({"op": "fit", "sizes": []}, descriptor, whole=False)
    finally:
        os.close(descriptor)
        await decoders.close()
    assert answer.head["threads"] == [1]


async def test_the_operator_is_told_once_when_the_kernel_does_not_confine_decoders(secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel without Landlock: decoding goes on."""
    old = secret.with_name("old.py")
    old.write_text(
        f"import runpy\nworker = runpy.run_path({running._WORKER!r})\nrunpy.run_path = lambda _: {{'confine': lambda _: (False, True)}}\n"
        "worker['main'].__globals__['run'] = lambda *_: ({}, [])\nworker['main']()\n"
    )
    monkeypatch.setattr(running, "_WORKER", str(old))
    decoders, descriptor = Decoders(idle_seconds=20), spooled()
    with capture_logs() as logs:
        for _ in range(2):
            await decoders._run({"op": "fit", "sizes": []}, descriptor, whole=False)
    os.close(descriptor)
    await decoders.close()
    assert [(line["event"], line["landlock"], line["seccomp"]) for line in logs] == [("decoders are not fully confined", False, True)]
