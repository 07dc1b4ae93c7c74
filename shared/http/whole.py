"""Answers handed to the server whole: status, headers and body in one call and one write, where ASGI takes two messages and two writes.

(A fifth of a small answer's cost.) A server that can do it says so in the scope; everywhere else an answer goes the ordinary way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from shared.http.observe import info_of, with_our_headers

WHOLE: Final = "moderation.whole"

SendWhole = Callable[[int, Iterable[tuple[bytes, bytes]], bytes], bool]
"""Sends an answer (status, headers with names in lower case, body); False when it can't just now: then nothing was sent."""


class Prepared(Response):
    """An answer whose headers are final: names in lower case, the length among them where there is a body."""

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status_code = status
        self.raw_headers = headers
        self.body = body
        self.background = None


async def deliver(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the answer, whole when that is possible."""
    whole: SendWhole | None = scope.get(WHOLE)
    if whole is not None and type(answer) in _COMPLETE:
        info = info_of(scope)
        if whole(answer.status_code, with_our_headers(answer.raw_headers, info.request_id), bytes(answer.body)):
            info.status = answer.status_code
            return
    await answer(scope, receive, send)


_COMPLETE = frozenset({Response, Prepared})
