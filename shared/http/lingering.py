"""Answers that are given before the request's body has been read to its end."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from shared.http.headers import values
from shared.http.limits import drain, has_body
from shared.http.observe import info_of

_EASY = 64 * 1024


def lingering(answer: Response, scope: Scope) -> Response:
    """The answer; when a long body was left unread, one that is sent at once, swallows some of the body, and closes the connection."""
    if info_of(scope).body_read or not has_body(scope):
        return answer
    lengths = values(scope["headers"], b"content-length")
    if lengths and lengths[0].isdigit() and len(lengths[0]) < 10 and int(lengths[0]) <= _EASY:
        return answer
    return _Lingering(answer)


class _Lingering(Response):
    """An answer to a request whose body nobody wants."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.body, answer.status_code)
        self.raw_headers = [*answer.raw_headers, (b"connection", b"close")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  ASGI's signature
        """Send (ASGI)."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": bytes(self.body), "more_body": True})
        await drain(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
