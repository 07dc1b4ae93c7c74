"""Which installation a command is about: that of the environment, or the one of a running `moderation dev`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from urllib.parse import quote

from shared.settings import Settings, SettingsError, load_settings, parse_master_key
from shared.translog.notes import NoteError, VerifierKey, parse_verifier

_SOCKET = ".s.PGSQL.5432"


def add_data_dir(parser: argparse.ArgumentParser) -> None:
    """`--data-dir`."""
    parser.add_argument("--data-dir", type=Path, help="the data folder of a running `moderation dev` (else DATABASE_URL and the key's variables)")


def settings_of(data_dir: Path | None) -> Settings:
    """The settings of the environment, or those of the `moderation dev` that runs in this folder. Raises `SettingsError`."""
    if data_dir is None:
        return load_settings()
    dsn = f"postgresql://moderation_app@/moderation?host={quote(os.fspath(_sockets(data_dir)), safe='/')}"
    try:
        key = parse_master_key((data_dir / "master.key").read_text())
    except (OSError, ValueError) as problem:
        raise SettingsError([f"{data_dir}/master.key can't be read ({type(problem).__name__})"]) from problem
    return Settings(database_url=dsn, owner_database_url=dsn, master_key=key)


def database_of(data_dir: Path | None) -> str:
    """Only the database's address: what needs no secret. Raises `SettingsError`."""
    if data_dir is not None:
        return settings_of(data_dir).database_url
    url = os.environ.get("DATABASE_URL", "").strip()
    if not url:
        raise SettingsError(["DATABASE_URL is missing (or name the folder of a running `moderation dev` with --data-dir)"])
    return url


def keys_of(texts: list[str]) -> tuple[VerifierKey, ...]:
    """The verifier keys that were written out, or whose file was named. Raises `SettingsError`."""
    found: list[VerifierKey] = []
    for text in texts:
        file = Path(text)
        try:
            written = file.read_text() if "+" not in text and file.is_file() else text
            found += [parse_verifier(line) for line in written.splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError, NoteError) as problem:
            raise SettingsError([f"{text!a} is no verifier key (`GET /v1/log/key` shows it): {problem}"]) from problem
    return tuple(found)


def _sockets(data_dir: Path) -> Path:
    """The folder of the running database's socket."""
    inside = Path(os.path.abspath(data_dir)) / "run"  # noqa: PTH100  a link stays where the person put it
    if (inside / _SOCKET).exists():
        return inside
    try:
        named = Path((data_dir / "postgres" / "postmaster.pid").read_text().split("\n")[4])
    except (OSError, IndexError) as problem:
        raise SettingsError([f"no database runs in {data_dir}; start `moderation dev` first"]) from problem
    return named
