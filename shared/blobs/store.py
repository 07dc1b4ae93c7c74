"""Where blobs are kept: a folder by default, any S3-compatible store in production, memory in tests.

Keys are names of ours, never a client's (I20). A blob is whole or absent: the backends write it under another name first. In a folder it is also
on the disk when `put` returns, as the event that names it will be.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, MemoryStore, S3Store

from shared.refusal import Unavailable

IN_MEMORY: Final = "memory:"
PATIENCE: Final = 10.0
"""Seconds until a store that does not answer is given up (the library tries again for minutes); who waits for an image is told "not now"."""
_PAGE: Final = 500
_T = TypeVar("_T")
_UNFINISHED: Final = re.compile(r".+#[0-9]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobInfo:
    """A stored blob."""

    key: str
    modified: datetime


class BlobStore:
    """See the module. Every method raises `Unavailable` when the backend can't say."""

    def __init__(self, backend: Any, folder: Path | None = None) -> None:
        self._backend = backend
        self._folder = folder

    @classmethod
    def at(cls, place: str) -> BlobStore:
        """The store at this place: `memory:`, `s3://BUCKET/PREFIX` (credentials and endpoint from the environment: AWS_*), else a folder's path."""
        if place == IN_MEMORY:
            return cls(MemoryStore())
        parts = urlsplit(place)
        if parts.scheme == "s3":
            return cls(S3Store(parts.netloc, prefix=parts.path.strip("/") or None))
        folder = Path(parts.path if parts.scheme == "file" else place).absolute()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cls(LocalStore(prefix=folder), folder)

    async def put(self, key: str, data: bytes) -> None:
        """Store the blob; one of this key is replaced."""
        await _done(lambda: obstore.put_async(self._backend, key, data))
        if self._folder is not None:
            try:
                await asyncio.to_thread(_sync, self._folder / key, self._folder)
            except OSError as error:  # the disk failed, or it was deleted meanwhile: either way it is not kept
                raise _unavailable(error) from error

    async def get(self, key: str) -> bytes | None:
        """The blob, None when there is none."""

        async def whole() -> bytes:
            return bytes(await (await obstore.get_async(self._backend, key)).bytes_async())

        try:
            return await _done(whole)
        except (NotFoundError, FileNotFoundError):
            return None

    async def delete(self, key: str) -> None:
        """Destroy the blob; nothing when there is none."""
        try:
            await _done(lambda: obstore.delete_async(self._backend, key))
        except (NotFoundError, FileNotFoundError):
            return

    async def blobs(self, prefix: str) -> AsyncIterator[BlobInfo]:
        """All blobs below the prefix, in no order."""
        pages = aiter(obstore.list(self._backend, prefix, chunk_size=_PAGE))
        while page := await _done(lambda: anext(pages, None)):
            for item in page:
                yield BlobInfo(key=item["path"], modified=item["last_modified"])

    async def tidied(self, before: datetime) -> int:
        """Delete what writes that were cut off before this moment left in the folder, which no list shows, and empty folders; how many files."""
        return await asyncio.to_thread(_tidied, self._folder, before.timestamp()) if self._folder is not None else 0


async def _done(work: Callable[[], Awaitable[_T]]) -> _T:
    try:
        async with asyncio.timeout(PATIENCE):
            return await work()
    except (NotFoundError, FileNotFoundError):
        raise
    except (BaseError, OSError) as error:
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> Unavailable:
    return Unavailable(f"The image store can't be reached now ({type(error).__name__}).")


def _tidied(folder: Path, before: float) -> int:
    deleted = 0
    for top, folders, files in os.walk(folder, topdown=False):
        for path in (Path(top, name) for name in files if _UNFINISHED.match(name)):
            with contextlib.suppress(OSError):  # it was finished or deleted just now
                if path.stat().st_mtime < before:
                    path.unlink()
                    deleted += 1
        for path in (Path(top, name) for name in folders):
            with contextlib.suppress(OSError):  # not empty, nearly always
                if path.stat().st_mtime < before:
                    path.rmdir()
    return deleted


def _sync(file: Path, top: Path) -> None:
    """Have the file and the folders that lead to it on the disk."""
    for path in (file, *file.parents):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if path == top:
            return
