"""One request as its handler sees it, checked and typed; and the handler's reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from shared.context import CommandContext
from shared.http.resources import Resources
from shared.security.keys import Keys
from shared.security.principals import Principal

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


@dataclass(slots=True, kw_only=True)
class Call:
    """A request that passed authentication, its role check and every check of its shape.

    `body` and `query` are of the endpoint's declared types (moments in UTC); `path` holds the checked path parameters; `route` is the method and
    the path as called, `template` the path as declared; `plain` is the body as plain values.
    `about` is for the handler to set: the player whose words the reply shows, where the path does not name them. `epoch` is the configuration's
    number at which the caller was authenticated. `found` is what the endpoint read ahead, None when it didn't.
    `principal` raises `LookupError` on a public endpoint.
    """

    request: Request
    caller: Principal | None
    body: Any
    query: Any
    path: Mapping[str, str]
    idempotency_key: str | None
    if_match: int | None
    dry_run: bool
    request_id: str
    route: str
    template: str
    parameters: Mapping[str, str]
    resources: Resources
    plain: Any = None
    about: str | None = None
    found: Any = None
    epoch: int | None = None
    _fingerprint: bytes | None = field(default=None, repr=False)

    @property
    def principal(self) -> Principal:
        """Who calls."""
        if self.caller is None:
            raise LookupError("a public endpoint has no principal")
        return self.caller

    @property
    def fingerprint(self) -> bytes:
        """A keyed hash of what was asked: the body's canonical form (members sorted, no blanks) and the query parameters but `dry_run`.

        It is kept for ever and the body holds words about a player: without the key nobody can tell whether a guess was what was asked. The layout
        and the order of members don't count, so a client that rebuilds its body for a retry still asks for the same.
        """
        if self._fingerprint is None:
            asked = {name: value for name, value in self.parameters.items() if name != "dry_run"}
            self._fingerprint = self.get(Keys).request_hash.digest_bytes(_encode_sorted([self.plain, asked]))
        return self._fingerprint

    def took(self, said: Mapping[str, Any]) -> None:
        """Say what a binary body was (its digest, the headers that count), which the fingerprint is then made of."""
        self.plain, self._fingerprint = said, None

    def get(self, kind: type[T]) -> T:
        """The application's resource of this type."""
        return self.resources.get(kind)

    def context(self) -> CommandContext:
        """What the command brings along for the executor; the idempotency key as a keyed hash, since callers may make keys of personal words."""
        key = self.idempotency_key
        return CommandContext(
            principal=self.principal,
            idempotency_key=None if key is None else self.get(Keys).kept_key(key),
            route=self.route,
            fingerprint=self.fingerprint,
            if_match=self.if_match,
            dry_run=self.dry_run,
            request_id=self.request_id,
            epoch=self.epoch,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a handler answers: a status and JSON bytes (or, with `media_type`, something else), or a `response` that sends itself (a stream)."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    response: Response | None = None

    @classmethod
    def json(cls, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
        """The value as JSON: dicts, dataclasses and structs as they are, moments as RFC 3339 with Z."""
        return cls(status=status, body=_encode(value), headers=headers or {})
