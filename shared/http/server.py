"""Turns declared endpoints into routes: one pipeline of checks, in one order, for all of them.

Credentials, role, path, query, headers, media type, body; then the handler. Whatever is raised becomes a problem document.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope

from shared.http import headers as head
from shared.http import problems
from shared.http.auth import Authenticator, caller, check_role
from shared.http.call import Call, Reply
from shared.http.dispatch import Table
from shared.http.endpoint import Endpoint
from shared.http.limits import has_body, read_body
from shared.http.lingering import lingering
from shared.http.observe import RequestInfo, info_of
from shared.http.parse import BodyParser
from shared.http.query import QueryParser, boolean, split
from shared.http.resources import Resources
from shared.http.types import GAME_ID_PATTERN, UUID_PATTERN, NoBody, NoQuery
from shared.http.whole import Prepared
from shared.refusal import Refusal

_PATTERNS = {"game_id": re.compile(GAME_ID_PATTERN), "uuid": re.compile(UUID_PATTERN), "text": re.compile(r"[!-~]{1,200}\Z")}
_NOT_CACHED = (b"cache-control", b"no-store")
_JSON = (b"content-type", b"application/json")
_BODILESS = frozenset({204, 304})


class Server:
    """What all endpoints share: the resources (an `Authenticator` among them, from start-up on), and the list of what is declared."""

    __slots__ = ("endpoints", "resources", "table")

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.endpoints: list[Endpoint] = []
        self.table = Table()

    def register(self, endpoints: Iterable[Endpoint]) -> None:
        """Add the endpoints to the table, before the application starts; `ValueError` for one that is there already."""
        for endpoint in endpoints:
            self.table.add(endpoint.method, endpoint.path, self.serve(endpoint))
            self.endpoints.append(endpoint)

    def serve(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint as a function from request to response that never raises (but for a client that went away)."""
        work = endpoint.raw or _Checked(endpoint, self).respond

        async def run(request: Request) -> Response:
            info = info_of(request.scope)
            info.route = endpoint.path
            try:
                return await work(request)
            except (Refusal, ClientDisconnect) as refusal:
                if isinstance(refusal, ClientDisconnect):
                    raise
                info.code = refusal.code
                answer = problems.answer(refusal, request_id=info.request_id, route=endpoint.path)
            except Exception as error:  # noqa: BLE001  the last line: never a 500, never a leak
                info.code, info.reason = "unavailable", problems.reason_of(error)
                answer = problems.answer(error, request_id=info.request_id, route=endpoint.path)
            return lingering(answer, request.scope)

        return run


class _Checked:
    """The checks of one endpoint, prepared once."""

    __slots__ = ("absent", "body", "endpoint", "handler", "patterns", "query", "server", "takes_body", "takes_if_match")

    def __init__(self, endpoint: Endpoint, server: Server) -> None:
        if endpoint.handler is None:
            raise ValueError(f"{endpoint.path} has no handler")
        self.endpoint = endpoint
        self.handler = endpoint.handler
        self.server = server
        self.patterns = tuple((name, kind, _PATTERNS[kind].match) for name, kind in endpoint.parameters().items())
        self.takes_body = endpoint.method != "GET" and not endpoint.binary
        self.takes_if_match = endpoint.takes_if_match
        self.absent = None if endpoint.body_required else (endpoint.body or NoBody)()
        self.body: BodyParser[Any] = BodyParser(endpoint.body or NoBody)
        self.query: QueryParser[Any] = QueryParser(endpoint.query or NoQuery)

    async def respond(self, request: Request) -> Response:
        endpoint, scope = self.endpoint, request.scope
        info = info_of(scope)
        wrong = self.misfit(scope["path_params"])
        principal = found = epoch = None
        if not endpoint.public:
            authenticator = self.server.resources.get(Authenticator)
            if endpoint.ahead is None or wrong is not None or scope["query_string"]:
                epoch = await authenticator.epoch()
            else:  # the epoch of the same read as what the handler will ask for
                epoch, found = await endpoint.ahead(self.server.resources, scope["path_params"])
            principal = await caller(scope, authenticator, epoch)
            info.role = principal.role.value
            check_role(endpoint, principal)
        if wrong is not None:
            raise wrong
        call = self.shape(request, info)
        call.caller, call.found, call.epoch = principal, found, epoch
        if self.takes_body:
            call.body, call.plain = await self.read(scope, request.receive)
        return to_response(await self.handler(call))

    def misfit(self, given: Mapping[str, str]) -> Refusal | None:
        """Why the path parameters are not each of its kind: 422 for a game id outside the pattern, 404 for what can name nothing."""
        for name, kind, match in self.patterns:
            if match(given[name]) is None:
                if kind == "game_id":
                    return problems.invalid(name, "An id of the game has 1 to 64 letters, digits, and . _ : - inside.")
                return Refusal("not_found", "There is nothing with this id.")
        return None

    def shape(self, request: Request, info: RequestInfo) -> Call:
        """Everything but the body."""
        endpoint, scope = self.endpoint, request.scope
        raw_query: bytes = scope["query_string"]
        parameters = split(raw_query) if raw_query else {}
        dry_run = False
        asked: dict[str, str] = parameters
        if endpoint.dry_run and "dry_run" in parameters:
            dry_run = boolean(parameters["dry_run"], "dry_run")
            asked = {name: value for name, value in parameters.items() if name != "dry_run"}
        query = self.query.parse(asked)
        raw_headers = scope["headers"]
        return Call(
            request=request,
            caller=None,
            body=None,
            query=query,
            path=scope["path_params"],
            idempotency_key=head.idempotency_key(raw_headers) if endpoint.command and not dry_run else None,
            if_match=self.version(raw_headers) if endpoint.command else None,
            dry_run=dry_run,
            request_id=info.request_id,
            route=f"{endpoint.method} {scope['path']}",
            template=endpoint.path,
            parameters=parameters,
            resources=self.server.resources,
        )

    def version(self, raw_headers: head.RawHeaders) -> int | None:
        """`If-Match`; a command that has no version to match refuses it rather than ignore the condition."""
        if self.takes_if_match:
            return head.if_match(raw_headers)
        if head.values(raw_headers, b"if-match"):
            raise problems.invalid("If-Match", "This command is about no versioned stream.")
        return None

    async def read(self, scope: Scope, receive: Receive) -> tuple[Any, Any]:
        """The body, typed and plain."""
        raw = b""
        if has_body(scope):
            head.expect_json(scope["headers"])
            raw = await read_body(scope, receive, self.endpoint.body_limit)
            info_of(scope).body_read = True
        if raw:
            return self.body.parse(raw)
        if self.absent is None:
            raise problems.invalid("body", "A JSON object is expected.")
        return self.absent, {}


def to_response(reply: Reply) -> Response:
    """The reply as it is sent: never cached unless the handler says so."""
    if reply.response is not None:
        return reply.response
    body = reply.body
    headers = []
    cached = False
    for name, value in reply.headers.items():
        lower = name.lower()
        cached = cached or lower == "cache-control"
        headers.append((lower.encode("latin-1"), value.encode("latin-1")))
    if not cached:
        headers.append(_NOT_CACHED)
    if reply.status not in _BODILESS:
        headers.append((b"content-length", b"%d" % len(body)))
        headers.append(_JSON if reply.media_type == "application/json" else (b"content-type", _with_charset(reply.media_type)))
    return Prepared(reply.status, headers, body)


def _with_charset(media_type: str) -> bytes:
    """The media type as it is sent; text says that it is UTF-8."""
    text = media_type.startswith("text/") and "charset=" not in media_type.lower()
    return f"{media_type}; charset=utf-8".encode("latin-1") if text else media_type.encode("latin-1")
