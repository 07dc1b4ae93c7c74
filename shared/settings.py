"""What an installation may set, read once from the environment at start."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
T = TypeVar("T")

MASTER_KEY_BYTES = 32
LOG_NAME = "moderation.invalid/v1/log"
LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(Exception):
    """The environment is wrong. The text has one line for each bad variable and never repeats a secret."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one process.

    `database_url` is the application's role (it can't change the log), `owner_database_url` the one that migrates. `allow_dev_tokens` is no
    variable on purpose: only `moderation dev` sets it. `shutdown_seconds` bounds the draining after SIGTERM. `log_name` is the origin of the signed
    log and never changes; `log_key` the seed of the key that signs it (None: one derived from the master key), `log_previous_keys` the verifier
    keys of those before it. `erasure_ledger` is the file that outlives the database and tells a restored backup whom to forget again. `media` is
    where pictures are kept: a folder, or `s3://BUCKET/PREFIX` (`memory:` in tests only).
    """

    database_url: str = field(repr=False)
    owner_database_url: str = field(repr=False)
    master_key: bytes = field(repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    log_level: str = "info"
    log_format: str = "json"
    trusted_proxies: tuple[Network, ...] = ()
    shutdown_seconds: int = 30
    allow_dev_tokens: bool = False
    log_name: str = LOG_NAME
    log_key: bytes | None = field(default=None, repr=False)
    log_previous_keys: tuple[str, ...] = ()
    erasure_ledger: Path | None = None
    media: str = "memory:"


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this environment. Raises `SettingsError` that names every bad or missing variable at once."""
    env = os.environ if environment is None else environment
    problems: list[str] = []
    read = _Reader(env, problems)
    database_url = read("DATABASE_URL", "", _database_url, required=True)
    settings = Settings(
        database_url=database_url,
        owner_database_url=read("MODERATION_OWNER_DATABASE_URL", database_url, _database_url),
        master_key=_master_key(env, problems),
        host=read("MODERATION_HOST", "127.0.0.1", _text),
        port=read("MODERATION_PORT", 8000, _between(0, 65535)),
        workers=read("MODERATION_WORKERS", 1, _between(1, 64)),
        log_level=read("MODERATION_LOG_LEVEL", "info", _one_of(*LOG_LEVELS)),
        log_format=read("MODERATION_LOG_FORMAT", "json", _one_of("json", "console")),
        trusted_proxies=read("MODERATION_TRUSTED_PROXIES", (), _networks),
        shutdown_seconds=read("MODERATION_SHUTDOWN_SECONDS", 30, _between(1, 600)),
        log_name=read("MODERATION_LOG_NAME", LOG_NAME, _log_name),
        log_key=_key(env, "MODERATION_LOG_KEY", problems),
        media=read("MODERATION_MEDIA", "media", _text),
        log_previous_keys=read("MODERATION_LOG_PREVIOUS_KEYS", (), _verifier_keys),
        erasure_ledger=read("MODERATION_ERASURE_LEDGER", None, _file),
    )
    if problems:
        raise SettingsError(problems)
    return settings


def owner_database_url(environment: Mapping[str, str] | None = None) -> str:
    """What `moderation migrate` needs and no more: MODERATION_OWNER_DATABASE_URL, else DATABASE_URL. Raises `SettingsError`."""
    env = os.environ if environment is None else environment
    problems: list[str] = []
    name = "MODERATION_OWNER_DATABASE_URL" if env.get("MODERATION_OWNER_DATABASE_URL") else "DATABASE_URL"
    url = _Reader(env, problems)(name, "", _database_url, required=True)
    if problems:
        raise SettingsError(problems)
    return url


def parse_master_key(text: str) -> bytes:
    """The 32 bytes of a key written in base64 (either alphabet). Raises ValueError, without the text."""
    try:
        key = base64.b64decode(text.strip().replace("-", "+").replace("_", "/") + "=" * (-len(text.strip()) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != MASTER_KEY_BYTES:
        msg = "not 32 bytes in base64 (make one with: moderation key)"
        raise ValueError(msg)
    return key


def _master_key(env: Mapping[str, str], problems: list[str]) -> bytes:
    """The key from the variable or from the file. Without it nothing works."""
    known = len(problems)
    key = _key(env, "MODERATION_MASTER_KEY", problems)
    if key is None and len(problems) == known:
        problems.append("MODERATION_MASTER_KEY or MODERATION_MASTER_KEY_FILE is missing (make a key with: moderation key)")
    return key or b""


def _key(env: Mapping[str, str], name: str, problems: list[str]) -> bytes | None:
    """The key in the variable `name`, or in the file that `name_FILE` names and nobody else may read; None when there is neither, or it is wrong."""
    text = env.get(name, "")
    if not text:
        name = f"{name}_FILE"
        file = env.get(name, "")
        if not file:
            return None
        try:
            if Path(file).stat().st_mode & (stat.S_IRWXO | stat.S_IWGRP):
                problems.append(f"{name}: {file} may be read by everyone or written by its group; chmod 0600 it")
                return None
            text = Path(file).read_text()
        except (OSError, UnicodeDecodeError) as problem:
            problems.append(f"{name}: {file} can't be read ({type(problem).__name__})")
            return None
    try:
        return parse_master_key(text)
    except ValueError as problem:
        problems.append(f"{name}: {problem}")
        return None


class _Reader:
    """Reads one variable after another and collects what is wrong, so that a person mends all of it at once."""

    def __init__(self, env: Mapping[str, str], problems: list[str]) -> None:
        self.env = env
        self.problems = problems

    def __call__(self, name: str, default: T, parse: Callable[[str], T], *, required: bool = False) -> T:
        text = self.env.get(name, "").strip()
        if not text:
            if required:
                self.problems.append(f"{name} is missing")
            return default
        try:
            return parse(text)
        except ValueError as problem:
            self.problems.append(f"{name}: {problem}")
            return default


def _text(text: str) -> str:
    return text


def _file(text: str) -> Path | None:
    path = Path(text)
    if not path.is_absolute() or not path.parent.is_dir():
        msg = "must be the whole path of a file in a folder that is there"
        raise ValueError(msg)
    return path


def _database_url(text: str) -> str:
    """A libpq address. What is wrong is told without the text, which may hold a password."""
    if urlsplit(text).scheme not in ("postgresql", "postgres"):
        msg = "must look like postgresql://USER@HOST/DATABASE"
        raise ValueError(msg)
    return text


def _between(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
            msg = f"must be a whole number from {least} to {most}"
            raise ValueError(msg)
        return int(text)

    return parse


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in choices:
            msg = f"must be one of {', '.join(choices)}"
            raise ValueError(msg)
        return text.lower()

    return parse


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        msg = "must be addresses or networks with commas between them, such as 10.0.0.0/8,::1"
        raise ValueError(msg) from None


def _log_name(text: str) -> str:
    if not text.isprintable() or "+" in text or " " in text or len(text) > 200:
        msg = "must be a name without blanks and plus signs, best the address of the log without its scheme, such as HOST/v1/log"
        raise ValueError(msg)
    return text


def _verifier_keys(text: str) -> tuple[str, ...]:
    from shared.translog.notes import parse_verifier

    return tuple(str(parse_verifier(part)) for part in text.replace(",", " ").split())
