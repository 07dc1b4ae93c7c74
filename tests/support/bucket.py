"""A bucket, in a library's server that speaks S3."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from subprocess import DEVNULL
from unittest.mock import patch

import httpx

NAME = "pictures"


@dataclass(slots=True, kw_only=True)
class Bucket:
    """The bucket and its server, which may be away for a while."""

    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The server's, with the bucket."""
        return f"http://127.0.0.1:{self.port}/{NAME}"

    async def start(self) -> None:
        """Start the server with an empty bucket."""
        words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = await asyncio.to_thread(subprocess.Popen, words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
        async with httpx.AsyncClient() as client, asyncio.timeout(60):
            while True:
                try:
                    (await client.put(self.address)).raise_for_status()
                except httpx.TransportError:
                    assert self.process.poll() is None, "the S3 server has ended"
                    await asyncio.sleep(0.1)
                else:
                    return

    def end(self) -> None:
        """End the server; what was in the bucket is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    async def keys(self) -> list[str]:
        """What is in the bucket, asked of the server itself, not by the store under test."""
        async with httpx.AsyncClient() as client:
            text = (await client.get(self.address, params={"list-type": "2"})).raise_for_status().text
        return sorted(part.partition("</Key>")[0] for part in text.split("<Key>")[1:])


@asynccontextmanager
async def bucket(port: int) -> AsyncIterator[Bucket]:
    """A bucket that the environment names as in production."""
    made = Bucket(port=port)
    told = {"AWS_ENDPOINT": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1"}
    try:
        await made.start()
        with patch.dict(os.environ, {**told, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}):
            yield made
    finally:
        made.end()
