"""The processes that decode: whatever becomes of one, the next picture has its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from services.cosmetics.imaging.decoders import Decoders
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
