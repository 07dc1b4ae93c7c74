"""`moderation dev`: everything on this machine, ready to try. Loopback only; its tokens are refused by `moderation serve`."""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from services.serving.listening import ListenError, listen, where
from shared.embedded import EmbeddedPostgres, EmbeddedPostgresError
from shared.observability import configure_logging
from shared.settings import MASTER_KEY_BYTES, Settings, SettingsError, parse_master_key

HOST = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to listen, where to keep things."""
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (8000)")
    parser.add_argument(
        "--data-dir", type=Path, default=Path(".moderation"), help="folder of the database and of the key (./.moderation)"
    )
    parser.add_argument("--tokens-file", type=Path, help="also write the tokens to this file, as JSON (0600, replaced at each start)")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="warning", help="(warning)")
    parser.epilog = (
        "With DATABASE_URL set that database is used (MODERATION_OWNER_DATABASE_URL migrates it), else an embedded one in the data folder."
    )


def run(arguments: argparse.Namespace) -> int:
    """Start the database, migrate, seed, serve; on SIGTERM or Ctrl-C end in the reverse order."""
    from services.moderation.policy.loader import PolicyFileError, packaged_policy

    configure_logging(arguments.log_level, "console")
    try:
        packaged_policy()
        with contextlib.closing(listen(HOST, arguments.port)) as listener, _database(arguments.data_dir) as (database_url, owner_url):
            settings = Settings(
                database_url=database_url,
                owner_database_url=owner_url,
                master_key=_master_key(arguments.data_dir),
                host=HOST,
                port=listener.getsockname()[1],
                log_level=arguments.log_level,
                log_format="console",
                shutdown_seconds=10,
                allow_dev_tokens=True,
                media=os.environ.get("MODERATION_MEDIA", "").strip() or str(arguments.data_dir / "media"),
            )
            return _serve(settings, listener, arguments)
    except (EmbeddedPostgresError, ListenError, PolicyFileError, SettingsError) as problem:
        print(f"dev: {problem}", file=sys.stderr)
        return 1


def _serve(settings: Settings, listener: socket.socket, arguments: argparse.Namespace) -> int:
    from migrations.runner import MigrationError, upgrade
    from services.commands.seeding import seed, write_headers, write_tokens
    from services.gateway.app import create_app
    from services.serving.server import run_server

    try:
        upgrade(settings.owner_database_url)
    except MigrationError as problem:
        print(f"dev: {problem}", file=sys.stderr)
        return 1
    tokens = asyncio.run(seed(settings))
    try:
        headers = write_headers(arguments.data_dir / "headers", tokens)
        if arguments.tokens_file is not None:
            write_tokens(arguments.tokens_file, tokens)
    except OSError as problem:
        print(f"dev: the tokens can't be written ({problem})", file=sys.stderr)
        return 1

    def started() -> None:
        print(_how_to_try(where(listener), headers, arguments.tokens_file), flush=True)

    return 0 if run_server(create_app(settings), settings, listener, started) else 1


@contextlib.contextmanager
def _database(data_dir: Path) -> Iterator[tuple[str, str]]:
    """The application's and the owner's address: of DATABASE_URL, else of an embedded server that ends with the block."""
    given = os.environ.get("DATABASE_URL", "").strip()
    if given:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield given, os.environ.get("MODERATION_OWNER_DATABASE_URL", "").strip() or given
        return
    with EmbeddedPostgres(data_dir) as server:
        yield server.dsn, server.owner_dsn


def _master_key(data_dir: Path) -> bytes:
    """The key of the environment, else the data folder's own, made once: without it nothing that is sealed in the database can be read again."""
    given = os.environ.get("MODERATION_MASTER_KEY", "")
    file = data_dir / "master.key"
    try:
        if not given:
            if not file.exists():
                with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                    out.write(base64.b64encode(secrets.token_bytes(MASTER_KEY_BYTES)).decode() + "\n")
            given = file.read_text()
        return parse_master_key(given)
    except (OSError, ValueError) as problem:
        raise SettingsError([f"master key: {problem}"]) from problem


def _how_to_try(url: str, headers: Path, tokens_file: Path | None) -> str:
    """What to type next; every line can be copied as it is."""
    lines = [
        f"The moderation service listens on {url} (API: {url}/docs). Stop it with Ctrl-C.",
        "",
        "# admin-1 reports an incident: a first spam-major of player p1",
        f"curl -sS {url}/v1/incidents -H @{headers}/admin-1 -H 'Content-Type: application/json' \\",
        """  -d '{"player_id": "p1", "offenses": [{"infraction": "spam-major"}]}'""",
        "",
        "# the game server asks how p1 stands",
        f"curl -sS {url}/v1/players/p1/standing -H @{headers}/game-1",
        "",
        f"Tokens of admin-1 admin-2 senior-1 senior-2 head-1 head-2 auditor-1 game-1: {headers}/NAME",
    ]
    if tokens_file is not None:
        lines.append(f"All tokens as JSON: {tokens_file}")
    return "\n".join(lines)
