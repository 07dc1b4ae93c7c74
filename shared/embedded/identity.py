"""Which user the database runs as, and what that user can reach.

PostgreSQL refuses to run as root. An existing unprivileged user is borrowed; none is created, and no mode of a folder that isn't ours is changed.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.embedded.binaries import WHEEL, PgBinaries, probe
from shared.embedded.errors import EmbeddedPostgresError

SYSTEM_ROOT = Path("/var/lib/moderation")
BORROWED_USERS = ("postgres", "nobody")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAs:
    """The user that the database's processes run as. `switch`: the calling process is another one (root)."""

    uid: int
    gid: int
    name: str
    switch: bool

    def popen(self) -> dict[str, Any]:
        """The arguments for `subprocess` that drop to this user, all groups included."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switch else {}

    def give(self, path: Path) -> None:
        """Make the file or folder this user's; only for paths that we have just created."""
        if self.switch:
            os.chown(path, self.uid, self.gid)

    def can(self, flag: str, path: Path) -> bool:
        """Whether this user passes `test FLAG PATH`; asked as that user, so that ACLs and mount options count."""
        command = ["/bin/sh", "-c", f'test {flag} "$1"', "sh", os.fspath(path)]
        return subprocess.run(command, check=False, cwd="/", **self.popen()).returncode == 0


def run_as(owner_uid: int | None = None) -> RunAs:
    """Ourselves, or as root an existing unprivileged user: the owner of the existing data (`owner_uid`), postgres, nobody.

    Raises `EmbeddedPostgresError` when there is none, or when existing data is somebody else's and we may not become them.
    """
    me = os.geteuid()
    if me != 0:
        if owner_uid not in (None, me):
            msg = f"the data belongs to the user {_name(owner_uid)}, not to {_name(me)}: run as that user or as root, or choose another --data-dir"
            raise EmbeddedPostgresError(msg)
        return RunAs(uid=me, gid=os.getegid(), name=_name(me), switch=False)
    if owner_uid:
        try:
            entry = pwd.getpwuid(owner_uid)
        except KeyError:
            return RunAs(uid=owner_uid, gid=owner_uid, name=str(owner_uid), switch=True)
        return RunAs(uid=entry.pw_uid, gid=entry.pw_gid, name=entry.pw_name, switch=True)
    for name in BORROWED_USERS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return RunAs(uid=entry.pw_uid, gid=entry.pw_gid, name=name, switch=True)
    msg = f"PostgreSQL does not run as root, and none of the users {', '.join(BORROWED_USERS)} exists: run this command as an ordinary user"
    raise EmbeddedPostgresError(msg)


def place_data(wanted: Path, who: RunAs) -> Path:
    """Where the database's files go: `wanted`, or a folder below /var/lib/moderation (with a symbolic link at `wanted`) when `who` can't reach it.

    `wanted` does not exist yet or is the link made earlier; its parent exists.
    """
    if not who.switch or wanted.is_symlink():
        return wanted.resolve()
    if who.can("-x", wanted.parent):
        return wanted
    digest = hashlib.sha256(os.fspath(wanted.absolute()).encode()).hexdigest()[:16]
    home = system_folder() / digest
    if not home.exists():
        home.mkdir(mode=0o700)
        who.give(home)
    if not who.can("-w", home):
        msg = f"the user {who.name} reaches neither {wanted.parent} nor {home}: choose another --data-dir"
        raise EmbeddedPostgresError(msg)
    wanted.symlink_to(home / wanted.name)
    return home / wanted.name


def place_binaries(found: PgBinaries, who: RunAs) -> PgBinaries:
    """The programs where `who` can run them: where they are, or a copy below /var/lib/moderation (of the wheel; a system's are for everyone)."""
    if not who.switch or who.can("-x", found.bin / "postgres"):
        return found
    if found.root is None:
        msg = f"the user {who.name} may not run {found.bin}/postgres; name another folder in MODERATION_PG_BIN"
        raise EmbeddedPostgresError(msg)
    target = system_folder() / f"postgresql-{found.version}"
    package = target / WHEEL
    if not target.exists():
        fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        shutil.copytree(found.root / "pginstall", fresh / WHEEL / "pginstall", symlinks=True, ignore=shutil.ignore_patterns("include", "doc"))
        libraries = found.root.parent / f"{WHEEL}.libs"  # the programs look for them three folders up, so that place is kept
        if libraries.is_dir():
            shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
        _open_to_all(fresh)
        try:
            fresh.rename(target)
        except OSError:  # another process was first
            shutil.rmtree(fresh, ignore_errors=True)
    placed = probe(package / "pginstall" / "bin", root=package)
    if placed is None or target.stat().st_uid != 0:
        msg = f"the copy of PostgreSQL in {target} does not work: remove that folder and start again"
        raise EmbeddedPostgresError(msg)
    return placed


def system_folder() -> Path:
    """/var/lib/moderation, made when missing. Only root asks for it."""
    SYSTEM_ROOT.mkdir(mode=0o755, parents=True, exist_ok=True)
    status = SYSTEM_ROOT.lstat()
    if SYSTEM_ROOT.is_symlink() or status.st_uid != os.geteuid():
        msg = f"{SYSTEM_ROOT} is not root's own folder; it will not be used"
        raise EmbeddedPostgresError(msg)
    return SYSTEM_ROOT


def _open_to_all(tree: Path) -> None:
    """Let everyone read our own fresh copy, whatever the umask was."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or bool(path.stat().st_mode & 0o100)
            path.chmod(0o755 if executable else 0o644)


def _name(uid: int | None) -> str:
    try:
        return pwd.getpwuid(uid or 0).pw_name
    except KeyError:
        return str(uid)
