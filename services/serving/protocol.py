"""uvicorn's HTTP/1.1 protocol with the limits and the manners it lacks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from shared.feed.stream import TRANSPORT
from shared.http.whole import WHOLE

MAX_HEAD_BYTES = 65_536
MAX_CONNECTIONS = 4_096
HEAD_TIMEOUT = 20.0  # seconds that a request's head may take to arrive, and a new connection to send one

_UNSAFE = bytes(set(range(32)) - {9}) + b"\x7f"  # in no header's name or value, or it would end there


class DrainState(ServerState):
    """What the connections of one server share. `draining`: answer what comes, and close each connection after its answer."""

    def __init__(self) -> None:
        super().__init__()
        self.draining = False
        self.closing = False


class DrainingProtocol(HttpToolsProtocol):
    """One connection.

    While the server drains, a connection that is idle stays open for a moment: its client may be sending a request right now, and closing
    would lose that request. Heads are bounded in size and time (the parser does neither), and what is no HTTP is answered with a problem document.
    """

    server_state: DrainState
    head_bytes = 0
    head_since: float | None = None

    def connection_made(self, transport) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  as the base class
        """Accept, or say that there are too many connections."""
        super().connection_made(transport)
        self.head_since = self.loop.time()
        if len(self.connections) > MAX_CONNECTIONS:
            self.refuse(503, "Service Unavailable", "unavailable", "Too many connections.", "retry-after: 1\r\n")

    def data_received(self, data: bytes) -> None:
        """Feed the parser, and watch the size of a head that is not complete."""
        self.head_bytes += len(data)
        super().data_received(data)
        if self.head_since is None:
            self.head_bytes = 0
        elif self.head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.refuse(431, "Request Header Fields Too Large", "malformed_request", f"A request's head has at most {MAX_HEAD_BYTES} bytes.")

    def on_message_begin(self) -> None:
        """A head begins."""
        self.head_since = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A head has ended; while draining its reply is this connection's last."""
        self.head_since = None
        self.scope[TRANSPORT] = self.transport  # type: ignore[typeddict-unknown-key]  # ours, for streams
        super().on_headers_complete()
        self.scope[WHOLE] = partial(send_whole, self.cycle)  # type: ignore[typeddict-unknown-key]
        if self.server_state.draining:
            self.cycle.keep_alive = False

    def on_response_complete(self) -> None:
        """A reply has ended: from here on idle, which the keep-alive timeout bounds."""
        super().on_response_complete()
        self.head_bytes = 0

    def shutdown(self) -> None:
        """First call (draining): finish what is under way. Second call (closing): close what is idle."""
        asked = self.cycle is not None  # None until the first request, whatever the base class says
        if self.server_state.closing or (asked and not self.cycle.response_complete):
            super().shutdown()

    def overdue(self, now: float) -> bool:
        """Whether this connection owes us a head for too long."""
        return self.head_since is not None and now - self.head_since > HEAD_TIMEOUT

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP request."""
        self.refuse(400, "Bad Request", "malformed_request", msg)

    def refuse(self, status: int, title: str, code: str, detail: str, headers: str = "") -> None:
        """Answer with a problem document and close."""
        if self.transport.is_closing():
            return
        body = f'{{"type":"/problems/{code}","title":"{title}","status":{status},"detail":"{detail}","code":"{code}"}}'
        head = f"HTTP/1.1 {status} {title}\r\ncontent-type: application/problem+json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(f"{head}{headers}connection: close\r\n\r\n{body}".encode("ascii", "replace"))
        self.transport.close()


def send_whole(cycle: RequestResponseCycle, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bool:
    """Send an answer (`shared.http.whole.SendWhole`) by one write. What the cycle would do in two steps is done here in the same order."""
    if cycle.response_started or cycle.disconnected or cycle.flow.write_paused:
        return False
    lines = [b"%b: %b" % pair for pair in (*cycle.default_headers, *headers)]
    if not cycle.keep_alive:
        lines.append(b"connection: close")
    text = b"\r\n".join(lines)
    if len(text) - len(text.translate(None, _UNSAFE)) != 2 * (len(lines) - 1):
        raise RuntimeError("a header holds a control character")
    head = b"%b%b\r\n\r\n" % (STATUS_LINE[status], text)
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.transport.write(head if cycle.scope["method"] == "HEAD" else head + body)
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True
