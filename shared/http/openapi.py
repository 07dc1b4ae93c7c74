"""The API's description (OpenAPI 3.1), made from the declared endpoints and nothing else: what is checked is what is described."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from shared.http.auth import role_names
from shared.http.codes import CODES
from shared.http.endpoint import Endpoint
from shared.http.problems import MEDIA_TYPE, document
from shared.http.types import GAME_ID_PATTERN, UUID_PATTERN
from shared.refusal import Refusal
from shared.security.roles import Role

REF = "#/components/schemas/{name}"
Json = dict[str, Any]

_PATH_SCHEMAS: dict[str, Json] = {
    "game_id": {"type": "string", "pattern": GAME_ID_PATTERN, "maxLength": 64, "examples": ["p1"]},
    "uuid": {"type": "string", "format": "uuid", "pattern": UUID_PATTERN, "examples": ["01890a5d-ac96-774b-bcce-b302099a8057"]},
    "text": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}

_PARAMETERS: dict[str, Json] = {
    "ActingStaff": {
        "name": "Acting-Staff", "in": "header", "required": False, "schema": {"type": "string", "pattern": GAME_ID_PATTERN},
        "description": "The member of staff for whom a game server acts, at the level of the staff register.",
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key", "in": "header", "required": False, "schema": {"type": "string", "pattern": "^[ -~]{1,255}$"},
        "description": "Names the command, per principal: a repeat with the same body gets the first answer, with `Idempotency-Replayed: true`.",
    },
    "IfMatch": {
        "name": "If-Match", "in": "header", "required": False, "schema": {"type": "string", "pattern": '^"(0|[1-9][0-9]{0,17})"$'},
        "description": "The stream's version that the decision is based on, quoted. Another one now: 412 `stale_version`.",
    },
    "IfNoneMatch": {
        "name": "If-None-Match", "in": "header", "required": False, "schema": {"type": "string"},
        "description": "The `ETag` of what the caller has: 304 while it is still that.",
    },
    "LastEventID": {
        "name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,14})?$"},
        "description": "The last `id` that the reader has had; it wins over `after`.",
    },
    "PlayerTier": {
        "name": "Player-Tier", "in": "header", "required": False, "schema": {"type": "string", "examples": ["pro"]},
        "description": "What the game server knows of the account: `pro`; anything else is not PRO.",
    },
    "DryRun": {
        "name": "dry_run", "in": "query", "required": False, "schema": {"type": "boolean", "default": False},
        "description": "`true`: the same answer and the same errors with status 200, and nothing is recorded.",
    },
}  # fmt: skip

_HEADERS: dict[str, Json] = {
    "RequestId": {"description": "The request's id, as in the log.", "schema": {"type": "string"}},
    "Replayed": {"description": "`true` when this is the first answer to the same key, given again.", "schema": {"type": "string", "enum": ["true"]}},
    "ETag": {"description": "Stands for what is shown (RFC 9110, 8.8.3), for `If-None-Match`.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds after which the request may be sent again.", "schema": {"type": "integer", "minimum": 0}},
    "Challenge": {"description": "The challenge (RFC 9110, 11.6.1).", "schema": {"type": "string"}},
}

_PROBLEM: Json = {
    "title": "Problem",
    "description": "A problem document (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": sorted(CODES)},
        "errors": {
            "type": "array",
            "items": {"type": "object", "required": ["field", "message"], "properties": {"field": {"type": "string"}, "message": {"type": "string"}}},
        },
        "allowed": {"description": "What would be accepted."},
        "current": {"description": "The state that stood in the way."},
    },
}


def describe(endpoints: Iterable[Endpoint], *, title: str, version: str, description: str) -> Json:
    """The whole document."""
    declared = sorted(endpoints, key=lambda e: (e.path, e.method))
    schemas = _Schemas(declared)
    paths: dict[str, Json] = {}
    for endpoint in declared:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, schemas)
    components = {
        "schemas": {"Problem": _PROBLEM, **schemas.components},
        "parameters": _PARAMETERS,
        "headers": _HEADERS,
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "A token of a game server or a member of staff."}},
    }
    info = {"title": title, "version": version, "description": description}
    whole: Json = _portable({"openapi": "3.1.0", "info": info, "paths": paths, "components": components})
    return whole


class _Schemas:
    """JSON Schemas of all declared types, shared as components; those of queries are taken apart into parameters instead."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        types = _unique(t for e in endpoints for t in (e.body, e.reply) if t is not None)
        found, self.components = msgspec.json.schema_components(types, schema_hook=_anything, ref_template=REF)
        self._by_type = list(zip(types, found, strict=True))

    def of(self, declared: Any) -> Json:
        """The schema of a body or reply."""
        return next(schema for kind, schema in self._by_type if kind is declared or kind == declared)

    def parameters(self, query: type) -> list[Json]:
        """The parameters of a query struct."""
        (reference,), components = msgspec.json.schema_components([query], schema_hook=_anything, ref_template=REF)
        schema = components[reference["$ref"].rsplit("/", 1)[1]]
        self.components.update({name: part for name, part in components.items() if part is not schema})
        required = set(schema.get("required", ()))
        return [_parameter(name, part, required=name in required) for name, part in schema.get("properties", {}).items()]


def _anything(declared: type) -> Json:
    """The schema of `object`: any JSON value."""
    if declared is object:
        return {"description": "Any JSON value."}
    raise NotImplementedError


def _unique(types: Iterable[Any]) -> list[Any]:
    kept: list[Any] = []
    for one in types:
        if not any(one is other or one == other for other in kept):
            kept.append(one)
    return kept


def _parameter(name: str, schema: Json, *, required: bool) -> Json:
    """A query parameter: absent rather than null."""
    schema = dict(schema)
    options = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    if len(options) == 1:
        schema = {**{key: value for key, value in schema.items() if key != "anyOf"}, **options[0]}
    if schema.get("default", ...) is None:
        del schema["default"]
    made: Json = {"name": name, "in": "query", "required": required, "schema": schema}
    if "description" in schema:
        made["description"] = schema.pop("description")
    return made


def _operation(e: Endpoint, schemas: _Schemas) -> Json:
    parameters: list[Json] = [{"name": name, "in": "path", "required": True, "schema": _PATH_SCHEMAS[kind]} for name, kind in e.parameters().items()]
    if e.query is not None:
        parameters += schemas.parameters(e.query)
    shared = {"DryRun": e.dry_run, "IdempotencyKey": e.command, "IfMatch": e.takes_if_match, "ActingStaff": bool(e.roles - {Role.GAME_SERVER})}
    used = [*(name for name, taken in shared.items() if taken), *(name.replace("-", "") for name in e.reads)]
    parameters += [{"$ref": f"#/components/parameters/{name}"} for name in used]
    operation: Json = {"operationId": e.name, "summary": e.summary, "tags": list(e.tags), "parameters": parameters, "x-roles": role_names(e.roles)}
    if e.description:
        operation["description"] = e.description
    if e.body is not None:
        content = {"schema": schemas.of(e.body), "examples": {"example": {"value": e.body_example}}}
        operation["requestBody"] = {"required": e.body_required, "content": {"application/json": content}}
    if e.binary:
        bytes_of = {"schema": {"type": "string", "format": "binary", "maxLength": e.body_limit}}
        operation["requestBody"] = {"required": True, "content": dict.fromkeys(e.binary, bytes_of)}
    operation["security"] = [] if e.public else [{"token": []}]
    operation["responses"] = {**_successes(e, schemas), **_problems(e)}
    return operation


def _successes(e: Endpoint, schemas: _Schemas) -> dict[str, Json]:
    headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if e.command:
        headers["Idempotency-Replayed"] = {"$ref": "#/components/headers/Replayed"}
    headers |= {name: {"$ref": f"#/components/headers/{name}"} for name in e.gives}
    described = {e.status: "Done.", **({200: "A dry run: nothing was recorded."} if e.dry_run and e.status != 200 else {}), **e.also}
    made: dict[str, Json] = {}
    for status, words in sorted(described.items()):
        made[str(status)] = {"description": words, "headers": headers}
        if status not in {204, 304}:
            schema = schemas.of(e.reply) if e.reply is not None else {"type": "object" if e.reply_type == "application/json" else "string"}
            example = {} if e.reply_example is None else {"examples": {"example": {"value": e.reply_example}}}
            made[str(status)]["content"] = {media_type: {"schema": schema, **example} for media_type in (e.reply_type, *e.other_types)}
    return made


def codes_of(e: Endpoint) -> list[str]:
    """Every problem code that the endpoint can answer: its own and the general ones."""
    general = ["unavailable"]
    if not e.public:
        general += ["unauthenticated", "unknown_staff", "acting_not_allowed"]
        if e.roles != frozenset(Role):
            general += ["forbidden", *(e.role_code or {}).values()]
    if e.parameters() or e.raw is not None:
        general.append("not_found")
    if e.query is not None or e.parameters() or e.method != "GET" or not e.public:
        general.append("invalid_request")
    if e.method != "GET":
        general += ["malformed_request", "too_large", "unsupported_media_type"]
    if e.command:
        general.append("idempotency_key_reused")
    if e.takes_if_match:
        general.append("stale_version")
    return sorted({*general, *e.codes})


def _problems(e: Endpoint) -> dict[str, Json]:
    """The refusals by status, each code with an example."""
    by_status: dict[int, list[str]] = {}
    for code in codes_of(e):
        by_status.setdefault(CODES[code].status, []).append(code)
    made: dict[str, Json] = {}
    for status, codes in sorted(by_status.items()):
        headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
        if status in {429, 503}:
            headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
        if status == 401:
            headers["WWW-Authenticate"] = {"$ref": "#/components/headers/Challenge"}
        examples = {code: {"summary": CODES[code].title, "value": example_of(code)} for code in codes}
        content = {MEDIA_TYPE: {"schema": {"$ref": REF.format(name="Problem")}, "examples": examples}}
        made[str(status)] = {"description": ", ".join(f"`{code}`" for code in codes), "headers": headers, "content": content}
    return made


def example_of(code: str) -> Json:
    """A problem document with this code."""
    fields = {"invalid_request": "offenses[0].infraction", "stale_version": "If-Match"}
    return document(Refusal(code, f"{CODES[code].title}.", field=fields.get(code)))


def _portable(value: Any) -> Any:
    r"""The document with patterns as ECMA-262 has them: Python's `\Z` is its `$`."""
    if isinstance(value, dict):
        return {key: part.replace("\\Z", "$") if key == "pattern" and isinstance(part, str) else _portable(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_portable(part) for part in value]
    return value
