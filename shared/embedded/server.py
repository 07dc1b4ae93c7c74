"""`EmbeddedPostgres`: a durable PostgreSQL server for one machine, without an installation step."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from shared.embedded import cluster
from shared.embedded.binaries import PgBinaries, find_pg_bin
from shared.embedded.errors import EmbeddedPostgresError
from shared.embedded.identity import RunAs, place_binaries, place_data, run_as
from shared.embedded.process import ServerProcess, spawn
from shared.embedded.sockets import PORT, remove_socket_folder, socket_folder

MARKER = "moderation-data"
_OTHER_FILES = frozenset({"master.key", "headers", "media"})  # what `moderation dev` keeps here when the database is elsewhere
_START_TIMEOUT = 120.0  # seconds: recovery after a crash may take a while
_LEAVE_TIMEOUT = 30.0  # seconds that a predecessor's server gets to end
_LOG_LIMIT = 10_000_000  # bytes of log kept from one start to the next
_SHARED_MEMORY = "pre-existing shared memory block"


class EmbeddedPostgres:
    """A PostgreSQL server over `data_dir`, which stops with this process, however that ends.

    `data_dir` is a folder of our own (0700): the cluster in `postgres/`, the socket in `run/`, the log in `postgres.log`. It is created when
    missing; an existing one is continued, also after a crash. The server listens on a Unix socket alone, whose folder nobody else can enter;
    whoever could enter it could read the data files too, so no password adds anything and the addresses hold no secret. `port` only names the
    socket. Nothing is written but durably: fsync, full_page_writes and synchronous_commit are on.

    As root the processes run as the owner of existing data, else as `postgres` or `nobody`; what that user can't reach is placed below
    /var/lib/moderation.
    """

    def __init__(self, data_dir: Path, *, port: int | None = None) -> None:
        self.data_dir = Path(os.path.abspath(data_dir))  # noqa: PTH100  not resolve(): a link stays where the person put it
        self.port = PORT if port is None else port
        self._home = self.data_dir
        self._sockets: Path | None = None
        self._server: ServerProcess | None = None
        self._lock: int | None = None
        self.binaries: PgBinaries | None = None

    def start(self) -> str:
        """Start the server and wait until it answers; the address of the database for the application's role.

        Raises `EmbeddedPostgresError`: no PostgreSQL, the folder is in use or not ours, or PostgreSQL's own words.
        """
        try:
            who = self._claim()
            data = place_data(self._home / "postgres", who)
            self._wait_for_predecessor(data)
            self.binaries = self._matching_binaries(data, who)
            if cluster.major_of(data) is None:
                cluster.create(data, self.binaries, who)
            self._sockets = socket_folder(self._home if data.parent == self._home else data.parent, who, self.port)
            self._launch(self.binaries, data, who)
        except PermissionError as problem:
            self.stop()
            msg = f"{self._home} can't be used by this user ({problem}): run as its owner, or choose another --data-dir"
            raise EmbeddedPostgresError(msg) from problem
        except BaseException:
            self.stop()
            raise
        return self.dsn

    def stop(self) -> None:
        """Fast shutdown; the data folder can then be used by another."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        if self._sockets is not None:
            remove_socket_folder(self._sockets, self._home)
            self._sockets = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    @property
    def dsn(self) -> str:
        """The database, for the application's role: it can't change the log."""
        return self.address(cluster.APP_ROLE)

    @property
    def owner_dsn(self) -> str:
        """The database, for the role that owns the tables and migrates."""
        return self.address(cluster.OWNER_ROLE)

    @property
    def superuser_dsn(self) -> str:
        """The maintenance database, for the superuser: tests make their databases with it."""
        return self.address(cluster.SUPERUSER, "postgres")

    @property
    def pid(self) -> int | None:
        """The server's process id, None when it does not run."""
        return self._server.pid if self._server is not None and self._server.running() else None

    def address(self, role: str, database: str = cluster.DATABASE) -> str:
        """A connection string (libpq and asyncpg) for this role and database."""
        if self._sockets is None:
            msg = "the embedded database is not running"
            raise EmbeddedPostgresError(msg)
        return f"postgresql://{role}@/{database}?host={quote(os.fspath(self._sockets), safe='/')}&port={self.port}"

    def _claim(self) -> RunAs:
        """Make the folder ours and lock it, so that two commands can't use it at once."""
        home = self._home
        cluster_owner = (home / "postgres").stat().st_uid if (home / "postgres").exists() else None
        who = run_as(cluster_owner)
        if not home.exists():
            try:
                home.mkdir(mode=0o700, parents=True)
            except OSError as problem:
                msg = f"{home} can't be made ({problem.strerror}); choose another --data-dir"
                raise EmbeddedPostgresError(msg) from problem
        elif not home.is_dir():
            msg = f"{home} is not a folder; choose another --data-dir"
            raise EmbeddedPostgresError(msg)
        elif not (home / MARKER).exists() and any(path.name not in _OTHER_FILES for path in home.iterdir()):
            msg = f"{home} holds other files and no database of this service; choose another --data-dir (or an empty folder)"
            raise EmbeddedPostgresError(msg)
        self._lock = os.open(home / MARKER, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._lock_or_say(home)
        self._hand_over(home, who)
        return who

    def _lock_or_say(self, home: Path) -> None:
        lock = self._lock
        if lock is None:
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 32, 0).decode(errors="replace").strip()
            os.close(lock)
            self._lock = None
            msg = f"{home} is in use by another moderation process (pid {holder or 'unknown'}): stop that one, or choose another --data-dir"
            raise EmbeddedPostgresError(msg) from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)

    def _hand_over(self, home: Path, who: RunAs) -> None:
        """Give our own folder to the user that the server runs as, where that user can reach it at all; nobody else can enter it."""
        status = home.stat()
        if status.st_uid not in (os.geteuid(), who.uid):
            msg = f"{home} belongs to another user; choose another --data-dir"
            raise EmbeddedPostgresError(msg)
        if who.switch and status.st_uid != who.uid and who.can("-x", home.parent):
            who.give(home)
        if stat.S_IMODE(status.st_mode) != 0o700:
            home.chmod(0o700)

    def _wait_for_predecessor(self, data: Path) -> None:
        """A killed command's server is still writing its last pages: let it end."""
        deadline = time.monotonic() + _LEAVE_TIMEOUT
        while (other := cluster.postmaster(data)) is not None:
            if time.monotonic() > deadline:
                msg = f"{data} is in use by another PostgreSQL server (pid {other.pid}): stop it, or choose another --data-dir"
                raise EmbeddedPostgresError(msg)
            time.sleep(0.05)

    def _matching_binaries(self, data: Path, who: RunAs) -> PgBinaries:
        major = cluster.major_of(data)
        found = find_pg_bin(prefer_major=major)
        if major not in (None, found.major):
            msg = (
                f"{data} was made by PostgreSQL {major}, and the one found is {found.version} ({found.bin}): name a PostgreSQL {major} in"
                " MODERATION_PG_BIN, move the data with pg_upgrade, or choose another --data-dir"
            )
            raise EmbeddedPostgresError(msg)
        return place_binaries(found, who)

    def _launch(self, binaries: PgBinaries, data: Path, who: RunAs) -> None:
        log = self._home / "postgres.log"
        if log.exists() and log.stat().st_size > _LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))
        deadline = time.monotonic() + _START_TIMEOUT
        while True:
            begin = log.stat().st_size if log.exists() else 0
            self._server = server = spawn([binaries.bin / "postgres", *self._options(data)], who, log)
            while server.running() and time.monotonic() < deadline:
                found = cluster.postmaster(data)
                if found is not None and found.pid == server.pid and found.ready:
                    return
                time.sleep(0.01)
            server.stop()
            with log.open("rb") as file:
                file.seek(begin)
                words = file.read().decode(errors="replace").strip()
            if _SHARED_MEMORY not in words or time.monotonic() > deadline:  # else: the processes of a killed postmaster are about to end
                msg = f"PostgreSQL did not start (log: {log}):\n{words[-2000:]}"
                raise EmbeddedPostgresError(msg)
            time.sleep(0.2)

    def _options(self, data: Path) -> list[str]:
        settings = {
            "listen_addresses": "",
            "port": str(self.port),
            "unix_socket_directories": f'"{self._sockets}"',
            "unix_socket_permissions": "0700",
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "max_connections": "100",
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_min_error_statement": "panic",  # statements and row contents may hold personal data
            "log_error_verbosity": "terse",
            "logging_collector": "off",
        }
        return ["-D", os.fspath(data), *(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))]
