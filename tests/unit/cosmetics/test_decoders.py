"""The processes that decode: whatever becomes of one, the next picture has its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cosmetics.imaging import process as running
from services.cosmetics.imaging.decoders import Decoders
from shared.refusal import Refusal, Unavailable
from tests.support.images import encode, texture


@pytest.fixture
def file() -> Iterator[int]:
    descriptor = os.memfd_create("upload")
    os.write(descriptor, encode(texture("decoders")))
    yield descriptor
    os.close(descriptor)


async def test_a_picture_is_not_called_damaged_because_the_process_that_waited_for_it_was_killed(file: int) -> None:
    """By the kernel that needs memory, or by an operator."""
    decoders = Decoders()
    try:
        header = await decoders.header(file)
        await decoders.fit(file, header, [(512, 512)])
        assert decoders._spare is not None
        spare = await decoders._spare
        spare.process.kill()
        spare.process.wait()
        answer = await decoders.fit(file, header, [(512, 512)])
        assert len(answer.parts) == 3
    finally:
        await decoders.close()


async def test_a_decoder_gives_way_to_whatever_else_wants_the_core(file: int) -> None:
    decoders = Decoders()
    try:
        await decoders.fit(file, await decoders.header(file), [(512, 512)])
        assert decoders._spare is not None
        spare = await decoders._spare
        policy = os.SCHED_OTHER
        for _ in range(200):  # it says so itself, a moment after it was started
            policy = os.sched_getscheduler(spare.process.pid)
            if policy == os.SCHED_IDLE:
                break
            await asyncio.sleep(0.05)
        assert policy == os.SCHED_IDLE
    finally:
        await decoders.close()


async def test_a_picture_that_gets_no_idle_moment_is_decoded_with_a_share_of_the_core(
    file: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine that others keep busy: a process that may only run when nobody else does never would."""
    starving = tmp_path / "starving.py"
    starving.write_text(
        f"import runpy, sys, time\nif sys.argv[1:] == ['idle']:\n    time.sleep(600)\nrunpy.run_path({running._WORKER!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(running, "_WORKER", str(starving))
    jobs = list[str]()
    decoders = Decoders(idle_seconds=0.2, on_job=lambda outcome, _seconds: jobs.append(outcome))
    try:
        answer = await decoders.fit(file, await decoders.header(file), [(512, 512)])
        assert len(answer.parts) == 3
        assert jobs == ["done"]  # one picture, one job
    finally:
        await decoders.close()


async def test_a_picture_that_is_not_read_in_time_is_not_now_and_leaves_no_process(
    file: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    stuck = tmp_path / "stuck.py"
    stuck.write_text(f"import os, time\nopen({str(started)!r}, 'a').write(f'{{os.getpid()}} ')\ntime.sleep(600)\n")
    monkeypatch.setattr(running, "_WORKER", str(stuck))
    decoders = Decoders(idle_seconds=0.5, wall_seconds=0.5)
    with pytest.raises(Unavailable) as caught:
        await decoders.fit(file, await decoders.header(file), [(512, 512)])
    assert caught.value.retry_after == 10
    await decoders.close()
    for pid in started.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


async def test_a_picture_whose_decoder_somebody_killed_is_not_now_and_one_that_broke_it_is_damaged(
    file: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel kills when memory is short, which is no fault of the picture; of what crashes or exceeds its limits the file is the cause."""
    dying = tmp_path / "dying.py"
    monkeypatch.setattr(running, "_WORKER", str(dying))
    for name in ("SIGKILL", "SIGSEGV", "SIGXCPU"):
        dying.write_text(f"import os, signal, socket\nsocket.recv_fds(socket.socket(fileno=0), 9999, 1)\nos.kill(os.getpid(), signal.{name})\n")
        decoders = Decoders(idle_seconds=20)
        with pytest.raises(Unavailable if name == "SIGKILL" else Refusal, match="was ended" if name == "SIGKILL" else "corrupt_image"):
            await decoders.fit(file, await decoders.header(file), [(512, 512)])
        await decoders.close()
