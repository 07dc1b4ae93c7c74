"""One line for each request. The path is left out: it holds ids of people."""

from __future__ import annotations

import sys
import time
from typing import Any

import msgspec
import structlog

from shared.http.observe import METHODS, Record, RequestInfo

_log = structlog.stdlib.get_logger("access")
_encode = msgspec.json.Encoder().encode


def access_log(level: str, form: str) -> Record | None:
    """What writes the lines under these settings; None above `info`."""
    if level not in {"debug", "info"}:
        return None
    return _JsonLines().write if form == "json" else _through_structlog


def _fields(info: RequestInfo) -> dict[str, Any]:
    return {
        "request_id": info.request_id,
        "method": info.method if info.method in METHODS else "other",
        "route": info.route,
        "status": info.status,
        "ms": round(info.seconds * 1000, 2),
        "role": info.role,
        "code": info.code,
    }


def _through_structlog(info: RequestInfo) -> None:
    _log.info("request", **_fields(info))


class _JsonLines:
    """The line that structlog would write, at a fraction of its cost (4 microseconds against 140: more than the rest of a request)."""

    def __init__(self) -> None:
        self._second = 0
        self._prefix = ""

    def write(self, info: RequestInfo) -> None:
        line = {"logger": "access", "level": "info", "timestamp": self._now(), "event": "request", **_fields(info)}
        sys.stderr.write(_encode(line).decode() + "\n")

    def _now(self) -> str:
        """The present moment for a person to read, in RFC 3339; no rule sees it."""
        moment = time.time_ns() // 1000
        second, rest = divmod(moment, 1_000_000)
        if second != self._second:
            self._prefix = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
            self._second = second
        return f"{self._prefix}.{rest:06d}Z"
