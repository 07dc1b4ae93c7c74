"""The erasure ledger: a file outside the database that tells a restored backup whom it must forget again.

One line of JSON an erasure: ids and the moment, nothing personal but the player's id. Each carries a MAC under a key derived from the master key, so
that nobody who can only write the file has players erased.
"""

from __future__ import annotations

import fcntl
import hmac
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO

import msgspec

from shared.security.keys import KeyedHash


class LedgerError(Exception):
    """The ledger can't be used; the text says why and in which line."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One erasure; `at` in UTC."""

    erasure_id: str
    player_id: str
    at: datetime


class _Line(Entry, frozen=True, kw_only=True):
    mac: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Line).decode


class Ledger:
    """The ledger in a file; a file that is not there is an empty ledger."""

    def __init__(self, path: Path, key: KeyedHash) -> None:
        self._path = path
        self._key = key

    def read(self) -> list[Entry]:
        """All entries, oldest first. A last line without its end was never acknowledged. Raises `LedgerError`."""
        return [self._entry(line, number) for number, line in enumerate(self._raw().split(b"\n")[:-1], 1)]

    def add(self, entries: Iterable[Entry]) -> int:
        """Add those that are not there yet, durably; how many. Raises `LedgerError`.

        One at a time over all processes: what looks like a torn line might else be another one's that is just being written.
        """
        wanted = list(entries)
        if not wanted:
            return 0
        try:
            with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                return self._add(file, wanted)
        except OSError as error:
            raise LedgerError(f"{self._path} can't be written ({type(error).__name__})") from error

    def _add(self, file: IO[bytes], entries: Sequence[Entry]) -> int:
        raw = self._raw()
        known = {entry.erasure_id for entry in self.read()}
        new = [entry for entry in entries if entry.erasure_id not in known]
        if not new:
            return 0
        if raw and not raw.endswith(b"\n"):
            file.truncate(raw.rfind(b"\n") + 1)
        file.write(b"".join(self.line(entry) for entry in new))
        file.flush()
        os.fsync(file.fileno())
        self._sync_folder()
        return len(new)

    def line(self, entry: Entry) -> bytes:
        """The entry as it stands in the file."""
        whole = _Line(erasure_id=entry.erasure_id, player_id=entry.player_id, at=entry.at, mac=self._mac(entry))
        return _encode(whole) + b"\n"

    def _entry(self, line: bytes, number: int) -> Entry:
        try:
            found = _decode(line)
        except msgspec.MsgspecError as error:
            raise LedgerError(f"{self._path}, line {number}: this is no entry") from error
        entry = Entry(erasure_id=found.erasure_id, player_id=found.player_id, at=found.at)
        if not hmac.compare_digest(found.mac, self._mac(entry)):
            raise LedgerError(f"{self._path}, line {number}: the entry was altered, or written under another master key")
        return entry

    def _mac(self, entry: Entry) -> str:
        return self._key.digest(_encode([entry.erasure_id, entry.player_id, entry.at]).decode()).hex()

    def _raw(self) -> bytes:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise LedgerError(f"{self._path} can't be read ({type(error).__name__})") from error

    def _sync_folder(self) -> None:
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
