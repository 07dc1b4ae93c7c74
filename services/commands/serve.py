"""`moderation serve`: the service in production. It starts only when what it promises can be kept."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile

from services.serving.listening import ListenError, listen, where
from shared.observability import configure_logging, get_logger
from shared.settings import Settings, SettingsError, load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Each has a variable of its own, which it overrides."""
    parser.add_argument("--host", help="address to listen on (MODERATION_HOST; 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (MODERATION_PORT; 8000)")
    parser.add_argument("--workers", type=int, help="worker processes (MODERATION_WORKERS; 1)")
    parser.epilog = (
        "Needs DATABASE_URL and MODERATION_MASTER_KEY or MODERATION_MASTER_KEY_FILE, and a database that `moderation migrate` has brought up"
        " to date. SIGTERM drains and ends; SIGHUP replaces the workers one for one, which loses no request. A socket passed by systemd"
        " (LISTEN_FDS) is used as it is."
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, listen, keep the workers running."""
    from services.moderation.policy.loader import PolicyFileError, packaged_policy

    for name in ("host", "port", "workers"):
        value = getattr(arguments, name)
        if value is not None:
            os.environ[f"MODERATION_{name.upper()}"] = str(value)  # the workers read the same environment
    try:
        settings = load_settings()
        configure_logging(settings.log_level, settings.log_format)
        packaged_policy()
        asyncio.run(_check_database(settings))
        asyncio.run(_forget_again(settings))
        listener = listen(settings.host, settings.port)
    except SettingsError as problem:
        print("serve: the settings are wrong:", *problem.problems, sep="\n  ", file=sys.stderr)
        return 1
    except (NotReadyError, ListenError, PolicyFileError) as problem:
        print(f"serve: {problem}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="moderation-metrics-") as folder:
        if settings.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # where the workers' metrics meet, whichever of them is asked
        from services.serving.supervisor import Supervisor

        get_logger(__name__).info("listening", url=where(listener), workers=settings.workers)
        return Supervisor(listener, settings.workers, settings.shutdown_seconds).run()


async def _forget_again(settings: Settings) -> None:
    """Bar 14: a restored backup erases again whom it had not forgotten yet, before it serves anybody."""
    if settings.erasure_ledger is None:
        get_logger(__name__).warning("no_erasure_ledger", hint="set MODERATION_ERASURE_LEDGER, or a restored backup brings erased words back")
        return
    from services.moderation.erasure.ledger import Ledger, LedgerError
    from services.moderation.erasure.operator import sync
    from shared.refusal import Unavailable
    from shared.security.keys import derive_keys

    try:
        done = await sync(settings, Ledger(settings.erasure_ledger, derive_keys(settings.master_key).erasure_ledger))
    except (LedgerError, Unavailable) as problem:
        msg = f"the erasure ledger could not be held against the database: {problem}"
        raise NotReadyError(msg) from problem
    get_logger(__name__).info("erasure_ledger", applied=done.applied, entered=done.entered)


class NotReadyError(Exception):
    """The database is not one that this service may run on."""


async def _check_database(settings: Settings) -> None:
    """Bar 2: a database that does not write durably is refused, since every answer of ours is a promise."""
    import asyncpg

    from shared.eventstore.postgres import check_durability

    try:
        connection = await asyncpg.connect(settings.database_url, timeout=10)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
        msg = f"DATABASE_URL can't be connected to ({type(problem).__name__}: {problem})"
        raise NotReadyError(msg) from problem
    try:
        await check_durability(connection)
        migrated = await connection.fetchval("SELECT to_regclass('public.events')") is not None
    except Exception as problem:
        raise NotReadyError(str(problem)) from problem
    finally:
        await connection.close()
    if not migrated:
        msg = "the database has no tables; run `moderation migrate` first"
        raise NotReadyError(msg)
