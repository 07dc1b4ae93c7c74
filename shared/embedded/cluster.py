"""A data folder of PostgreSQL: made, recognised, and read while it is in use."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from shared.embedded.binaries import PgBinaries
from shared.embedded.errors import EmbeddedPostgresError
from shared.embedded.identity import RunAs

SUPERUSER = "postgres"
OWNER_ROLE = "moderation_owner"
APP_ROLE = "moderation_app"
DATABASE = "moderation"

# Run once by the single-user server, one statement a line. The grants within the database are the migrations' business.
_BOOTSTRAP = f"""\
CREATE ROLE {OWNER_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE
CREATE ROLE {APP_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE
CREATE DATABASE {DATABASE} OWNER {OWNER_ROLE}
REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC
GRANT CONNECT, TEMPORARY ON DATABASE {DATABASE} TO {APP_ROLE}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Postmaster:
    """What `postmaster.pid` says of the server that uses a data folder."""

    pid: int
    ready: bool


def major_of(folder: Path) -> int | None:
    """The major version of the cluster in this folder, None when there is none."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / "PG_VERSION").read_text().strip())
    return None


def create(folder: Path, binaries: PgBinaries, who: RunAs) -> None:
    """Make a cluster with the roles and the empty database; it appears under its name only when it is complete.

    Raises `EmbeddedPostgresError` with initdb's own words.
    """
    fresh = folder.with_name(folder.name + ".new")
    if fresh.exists():  # what a start that was killed has left
        shutil.rmtree(fresh)
    fresh.mkdir(mode=0o700)
    who.give(fresh)
    _run(
        [binaries.bin / "initdb", "-D", fresh, "-U", SUPERUSER, "-E", "UTF8", "--locale=C", "--auth=trust", "--data-checksums", "--no-instructions"],
        who,
    )
    _run(
        [binaries.bin / "postgres", "--single", "-j", "-c", "log_min_messages=error", "-D", fresh, "postgres"], who, _BOOTSTRAP.replace("\n", ";\n\n")
    )
    fresh.rename(folder)


def _run(command: list[str | Path], who: RunAs, words: str | None = None) -> None:
    arguments = [os.fspath(part) for part in command]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
    done = subprocess.run(
        arguments, input=words or "", capture_output=True, text=True, check=False, cwd="/", env=environment, umask=0o077, **who.popen()
    )
    if done.returncode != 0 or "ERROR:" in done.stderr:
        msg = f"{arguments[0]} failed: {(done.stderr or done.stdout).strip()[-2000:]}"
        raise EmbeddedPostgresError(msg)


def postmaster(folder: Path) -> Postmaster | None:
    """The living server of this data folder, None when there is none (a file left by a crash counts as none)."""
    try:
        lines = (folder / "postmaster.pid").read_text().splitlines()
        pid = abs(int(lines[0]))
    except (OSError, ValueError, IndexError):
        return None
    if not _is_server_of(pid, folder):
        return None
    return Postmaster(pid=pid, ready=len(lines) >= 8 and lines[7].strip() == "ready")


def _is_server_of(pid: int, folder: Path) -> bool:
    """Whether this process works in that data folder: after a reboot the number may be anybody's."""
    if not Path("/proc/self/cwd").exists():  # no Linux: PostgreSQL's own check has to do
        return _alive(pid)
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == folder.resolve()
    except FileNotFoundError:
        return False
    except OSError:  # another user's: we can't look, so we believe the file
        return True


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
