"""Broken files by the thousand: what the service's own process does with them (read their header), and what a decoder does, many in one process.

Run as `python -m tests.bars.harness.mutants SEED FIRST COUNT EVERY`: prints `READ REFUSED DECODED FAILED` so far, after each hundred.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from services.cosmetics.imaging import worker
from services.cosmetics.imaging.formats import read_header
from shared.refusal import Refusal
from tests.support.corpus import corpus

SIZES = [[64, 64], [32, 32]]
STEP = 100


@dataclass(slots=True)
class Outcome:
    """How many headers were read and refused, how many files then were decoded and failed, and how often the decoding process died."""

    read: int = 0
    refused: int = 0
    decoded: int = 0
    failed: int = 0
    died: int = 0


def mutants(seed: int, first: int, count: int) -> Iterator[bytes]:
    """The files with these numbers: a small file of the corpus with bytes changed, removed, doubled or cut off, in its first kilobyte or anywhere."""
    seeds = [case.data for case in corpus() if 100 < len(case.data) < 20_000]
    for number in range(first, first + count):
        chance = random.Random(seed * 1_000_003 + number)
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.randrange(1, 10)):
            at = chance.randrange(min(len(data), 1024 if chance.random() < 0.5 else len(data)))
            match chance.randrange(4):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    data[at] ^= 1 << chance.randrange(8)
                case 2:
                    del data[at : at + chance.randrange(1, 5)]
                case _:
                    data[at:at] = data[max(0, at - chance.randrange(1, 9)) : at]
            data = data or bytearray(b"\0")
        yield bytes(data if chance.random() < 0.9 else data[: chance.randrange(len(data) + 1)])


def run(seed: int, first: int, count: int, every: int, abort_at: int) -> None:
    """The child's work; see the module."""
    import pyvips

    pyvips.cache_set_max(0)
    pyvips.operation_block_set("VipsForeignLoad", state=True)
    for loader in worker._LOADERS:
        pyvips.operation_block_set(loader, state=False)
    seen = Outcome()
    for number, data in enumerate(mutants(seed, first, count), first):
        if number == abort_at:
            os.abort()
        try:
            read_header(data)
            seen.read += 1
            if number % every == 0:
                _decode(pyvips, data, seen)
        except Refusal:
            seen.refused += 1
        if (number - first + 1) % STEP == 0:
            print(seen.read, seen.refused, seen.decoded, seen.failed, flush=True)


def _decode(vips: object, data: bytes, seen: Outcome) -> None:
    descriptor = os.memfd_create("mutant")
    try:
        os.write(descriptor, data)
        worker.run(vips, f"/proc/self/fd/{descriptor}", {"op": "fit", "sizes": SIZES})
        seen.decoded += 1
    except vips.Error:  # type: ignore[attr-defined]
        seen.failed += 1
    finally:
        os.close(descriptor)


def tried(seed: int, count: int, *, every: int = 1, abort_at: int = -1) -> Outcome:
    """All of them, in a child that is started again behind the hundred in which it died."""
    total, first = Outcome(), 0
    while first < count:
        words = [sys.executable, "-m", "tests.bars.harness.mutants", str(seed), str(first), str(count - first), str(every), str(abort_at)]
        environment = {**os.environ, "VIPS_CONCURRENCY": "1", "VIPS_BLOCK_UNTRUSTED": "1"}
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
        lines = done.stdout.splitlines()
        if lines:
            read, refused, decoded, failed = (int(word) for word in lines[-1].split())
            total.read, total.refused = total.read + read, total.refused + refused
            total.decoded, total.failed = total.decoded + decoded, total.failed + failed
        if done.returncode == 0:
            break
        assert done.returncode < 0, done.stderr  # it died of a signal; anything else is a fault of this program
        total.died += 1
        first += (len(lines) + 1) * STEP
    return total


if __name__ == "__main__":
    run(*(int(word) for word in sys.argv[1:6]))
