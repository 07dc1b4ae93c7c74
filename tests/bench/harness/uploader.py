"""So many uploads at once, and one more in their midst: a process that runs only while nothing else wants the core, as in life it is elsewhere.

Says how many had which status, and how many seconds all of them took, and the one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from pathlib import Path

from tests.bars.harness.uploads import whole

HEAD_START = 5.0


async def upload(port: int, token: str, picture: bytes, name: str, *, count: int, rate: float) -> dict[str, object]:
    """All at once, each with its share of the rate; the one more comes a little later, as fast as it is taken."""
    loop = asyncio.get_running_loop()

    async def one_more() -> tuple[int, float]:
        await asyncio.sleep(HEAD_START)
        began = loop.time()
        return await whole(port, f"/v1/players/{name}-more/cosmetics/playmat", token, picture), loop.time() - began

    began = loop.time()
    paths = [f"/v1/players/{name}-{number}/cosmetics/playmat" for number in range(count)]
    more = asyncio.create_task(one_more())
    statuses = Counter(await asyncio.gather(*(whole(port, path, token, picture, rate=rate / count) for path in paths)))
    status, seconds = await more
    statuses[status] += 1
    return {"statuses": statuses, "seconds": loop.time() - began, "one_more": seconds}


if __name__ == "__main__":
    port, token, path, name, count, rate = sys.argv[1:7]
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    print(json.dumps(asyncio.run(upload(int(port), token, Path(path).read_bytes(), name, count=int(count), rate=float(rate)))))
