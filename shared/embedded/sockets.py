"""The folder of the Unix socket: private, and with a path that fits into a socket's address."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from pathlib import Path

from shared.embedded.errors import EmbeddedPostgresError
from shared.embedded.identity import RunAs

MAX_PATH = 107  # bytes of sun_path on Linux, without the closing NUL
PORT = 5432  # only part of the socket's name: there is no TCP listener


def socket_path(folder: Path, port: int = PORT) -> Path:
    """The socket's file in this folder."""
    return folder / f".s.PGSQL.{port}"


def fits(folder: Path, port: int = PORT) -> bool:
    """Whether the socket's path stays under the limit (107 bytes)."""
    return len(os.fsencode(socket_path(folder, port))) < MAX_PATH


def socket_folder(home: Path, who: RunAs, port: int = PORT) -> Path:
    """A folder that only `who` (and root) can enter: `home`/run, or a short one in /tmp when that path is too long.

    Raises `EmbeddedPostgresError` when somebody else has taken the short one.
    """
    inside = home / "run"
    if fits(inside, port):
        if not inside.is_dir():
            inside.mkdir(mode=0o700)
            who.give(inside)
        return inside
    digest = hashlib.sha256(os.fsencode(home.absolute())).hexdigest()[:16]
    short = Path(f"/tmp/moderation-{who.uid}-{digest}")  # noqa: S108  checked below: not a link, ours, 0700
    try:
        short.mkdir(mode=0o700)
        who.give(short)
    except FileExistsError:
        status = short.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != who.uid or stat.S_IMODE(status.st_mode) != 0o700:
            msg = f"{short} is not ours; remove it, or choose a shorter --data-dir"
            raise EmbeddedPostgresError(msg) from None
    return short


def remove_socket_folder(folder: Path, home: Path) -> None:
    """Tidy away the short folder; the one inside `home` stays."""
    if folder.parent != home:
        shutil.rmtree(folder, ignore_errors=True)
