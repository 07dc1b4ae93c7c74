"""The ledger only grows, survives a torn write, and believes nobody without the key."""

from __future__ import annotations

import fcntl
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.moderation.erasure.ledger import Entry, Ledger, LedgerError
from shared.security.keys import KeyedHash

KEY = KeyedHash(bytes(range(32)))
ENTRIES = [Entry(erasure_id=f"e{n}", player_id=f"p{n}", at=datetime(2026, 11, 30, 10, n, tzinfo=UTC)) for n in range(4)]


def test_entries_come_back_as_they_were_added_and_only_once(tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    ledger = Ledger(file, KEY)
    assert ledger.read() == []
    assert ledger.add(ENTRIES[:2]) == 2
    assert ledger.add(ENTRIES) == 2
    assert ledger.add(ENTRIES) == 0
    assert ledger.read() == ENTRIES
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_line_without_its_end_was_never_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    ledger = Ledger(file, KEY)
    ledger.add(ENTRIES[:2])
    file.write_bytes(file.read_bytes()[:-9])
    assert ledger.read() == ENTRIES[:1]
    ledger.add(ENTRIES)
    assert ledger.read() == ENTRIES


def test_processes_that_add_at_once_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    """Several workers write one file: each waits for the other's line to be whole."""
    file = tmp_path / "ledger"
    with file.open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        whole = Ledger(file, KEY).line(ENTRIES[0])
        other.write(whole[:20])
        other.flush()
        adding = threading.Thread(target=Ledger(file, KEY).add, args=(ENTRIES[:2],))
        adding.start()
        adding.join(0.2)
        assert adding.is_alive()
        other.write(whole[20:])
        other.flush()
        fcntl.flock(other, fcntl.LOCK_UN)
        adding.join(10)
    assert Ledger(file, KEY).read() == ENTRIES[:2]


@pytest.mark.parametrize("change", [("p1", "p9"), ("10:01", "10:02"), ('"mac"', '"mag"')])
def test_an_altered_line_is_named(tmp_path: Path, change: tuple[str, str]) -> None:
    file = tmp_path / "ledger"
    ledger = Ledger(file, KEY)
    ledger.add(ENTRIES)
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(LedgerError, match="line"):
        ledger.read()


def test_a_ledger_of_another_installation_is_refused(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger", KEY).add(ENTRIES)
    with pytest.raises(LedgerError, match="another master key"):
        Ledger(tmp_path / "ledger", KeyedHash(bytes(32))).read()


def test_a_file_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    with pytest.raises(LedgerError):
        Ledger(tmp_path, KEY).read()
    with pytest.raises(LedgerError):
        Ledger(tmp_path / "no" / "folder", KEY).add(ENTRIES)
