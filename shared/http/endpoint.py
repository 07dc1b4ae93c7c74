"""Endpoints are declared as data: what the routing, the checks, the API description and the role matrix test are made from."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from shared.http.call import Call, Reply
from shared.http.codes import CODES
from shared.http.limits import JSON_LIMIT
from shared.http.resources import Resources
from shared.security.roles import ANY_ROLE, STAFF, Role

__all__ = [
    "EVERYONE",
    "GAME_SERVER",
    "HEAD_ADMIN",
    "HEAD_ADMIN_REQUIRED",
    "SENIOR_ADMIN",
    "SENIOR_ADMIN_REQUIRED",
    "STAFF",
    "STAFF_AND_AUDITOR",
    "Endpoint",
]

Handler = Callable[[Call], Awaitable[Reply]]
RawHandler = Callable[[Request], Awaitable[Response]]
Ahead = Callable[[Resources, Mapping[str, str]], Awaitable[tuple[int, Any]]]
"""Reads by the path parameters: the configuration's epoch and, from the same snapshot, what the handler will ask for."""

EVERYONE = ANY_ROLE
STAFF_AND_AUDITOR = STAFF | {Role.AUDITOR}
SENIOR_ADMIN = frozenset({Role.SENIOR_ADMIN, Role.HEAD_ADMIN})
GAME_SERVER = frozenset({Role.GAME_SERVER})
HEAD_ADMIN = frozenset({Role.HEAD_ADMIN})
HEAD_ADMIN_REQUIRED = {Role.ADMIN: "head_admin_required", Role.SENIOR_ADMIN: "head_admin_required"}
SENIOR_ADMIN_REQUIRED = {Role.ADMIN: "senior_admin_required"}

GAME_IDS = frozenset({"player_id", "duel_id", "card_id", "tournament_id", "staff_id", "person_id"})
_PARAMETER = re.compile(r"\{([a-z_]+)\}")
READS, GIVES = frozenset({"If-None-Match", "Last-Event-ID", "Player-Tier"}), frozenset({"ETag"})
"""Headers that only some operations read or set; `openapi.py` describes them."""
_METHODS = frozenset({"GET", "POST", "PUT", "DELETE"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endpoint:
    """One operation of the API.

    `roles` may call it, and nobody else: an endpoint has roles or says `public=True`. `role_code` names the 403 code that another role gets
    (default `forbidden`). `codes` are the problem codes of its own, besides the general ones. A `command` takes `Idempotency-Key`, and `If-Match`
    unless `if_match=False`. Path parameters named in `GAME_IDS` follow the pattern of game ids (422), others ending in `_id` are UUIDs (404),
    the rest short text (404); `path_kinds` overrides that with "game_id", "uuid" or "text". With `raw`, the request goes to that function as it is,
    which then does all checks itself (the hot path); the declaration still documents and tests it.
    `ahead` saves a GET without a query string a round trip: it reads what the handler needs along with the epoch at which the caller is then
    authenticated. The handler finds it in `Call.found`, and only after every check; it MUST read nothing else.
    `also` describes further successful statuses (200 of a PUT that changed nothing, 304). With `binary` (media types, for the description) the body
    is no JSON: the handler reads it from the request as it comes, bounds it, and says what it was by `Call.took`.
    `other_types` are media types that a success may have besides `reply_type`. `reads` and `gives` name the headers that the handler itself reads
    from the request and sets on a success; those of every operation are told without.
    """

    method: str
    path: str
    summary: str
    handler: Handler | None = None
    raw: RawHandler | None = None
    ahead: Ahead | None = None
    roles: frozenset[Role] = frozenset()
    public: bool = False
    role_code: Mapping[Role, str] | None = None
    tags: tuple[str, ...] = ()
    description: str = ""
    body: type | None = None
    query: type | None = None
    reply: Any = None
    status: int = 200
    codes: tuple[str, ...] = ()
    command: bool = False
    if_match: bool | None = None
    dry_run: bool = False
    body_example: Any = None
    reply_example: Any = None
    reply_type: str = "application/json"
    other_types: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    body_limit: int = JSON_LIMIT
    binary: tuple[str, ...] = ()
    path_kinds: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wrong = [text for text, bad in _checks(self) if bad]
        if wrong:
            raise ValueError(f"{self.method} {self.path}: {'; '.join(wrong)}")

    @property
    def takes_if_match(self) -> bool:
        """Whether `If-Match` names the version that the command is about."""
        return self.command if self.if_match is None else self.if_match

    @property
    def body_required(self) -> bool:
        """Whether the request has to say something: a body of optional members only may be left out."""
        if self.body is None:
            return False
        return not issubclass(self.body, msgspec.Struct) or any(part.required for part in msgspec.structs.fields(self.body))

    @property
    def name(self) -> str:
        """The operation's id in the API description: `post_v1_incidents`."""
        return re.sub(r"[^a-z0-9]+", "_", f"{self.method}_{self.path}".lower()).strip("_")

    def parameters(self) -> dict[str, str]:
        """The path parameters with their kinds."""
        return {name: self.path_kinds.get(name) or _kind(name) for name in _PARAMETER.findall(self.path)}


def _kind(name: str) -> str:
    if name in GAME_IDS:
        return "game_id"
    return "uuid" if name.endswith("_id") else "text"


def _checks(e: Endpoint) -> list[tuple[str, bool]]:
    """What a declaration must not be, and whether it is."""
    denied = e.role_code or {}
    return [
        ("an endpoint has roles, or is public and says so", bool(e.roles) == e.public),
        ("an endpoint has a handler or a raw one", (e.handler is None) == (e.raw is None)),
        ("only a GET that not everybody may call reads ahead", e.ahead is not None and (e.method != "GET" or e.public)),
        ("the method is none of ours", e.method not in _METHODS),
        ("a path starts with a slash", not e.path.startswith("/")),
        ("an endpoint has a summary", not e.summary.strip()),
        ("a GET is no command and has no body", e.method == "GET" and (e.command or e.body is not None)),
        ("only commands have dry runs", e.dry_run and not e.command),
        (f"unknown codes {sorted(set(e.codes) - CODES.keys())}", not set(e.codes) <= CODES.keys()),
        ("role codes are 403 codes", any(code not in CODES or CODES[code].status != 403 for code in denied.values())),
        ("a role that is allowed has no role code", bool(e.roles & denied.keys())),
        ("a binary body is read by a handler", bool(e.binary) and (e.body is not None or e.handler is None or e.method == "GET")),
        ("a body has an example", e.body is not None and e.body_example is None),
        ("a reply has an example", e.reply is not None and e.reply_example is None),
        ("a header is one that the description knows", not (set(e.reads) <= READS and set(e.gives) <= GIVES)),
        ("who reads If-None-Match gives an ETag, and declares 304", not ("If-None-Match" in e.reads) == ("ETag" in e.gives) == (304 in e.also)),
        ("unknown path kinds", not set(e.path_kinds) <= set(_PARAMETER.findall(e.path))),
        ("the body's example is not of the body's type", not _fits(e.body_example, e.body)),
    ]


def _fits(example: Any, declared: type | None) -> bool:
    if declared is None or example is None:
        return True
    try:
        msgspec.json.decode(msgspec.json.encode(example), type=declared)
    except msgspec.ValidationError:
        return False
    return True
