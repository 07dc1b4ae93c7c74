"""The text of the operations: one method for each declared endpoint."""

from __future__ import annotations

from typing import Any

from msgspec import inspect as mi

from shared.http.endpoint import Endpoint
from shared.security.roles import Role
from tests.golden.client.model import Kind, Model, is_page
from tests.golden.client.text import bracketed, docstring
from tests.golden.client.types import annotation, declared, default

PAGING = frozenset({"cursor"})


def method_name(e: Endpoint) -> str:
    """The name of the operation: that of its function."""
    function = e.handler or e.raw
    assert function is not None
    return str(getattr(function, "__name__", None) or getattr(function, "func").__name__)  # noqa: B009  a partial's own, unknown to the types


def options_of(e: Endpoint) -> str:
    """The options that the operation takes."""
    if e.takes_if_match:
        return "VersionedOptions"
    if e.command:
        return "CommandOptions"
    return "ReadOptions" if e.roles - {Role.GAME_SERVER} else "PublicOptions"


def is_list(e: Endpoint) -> bool:
    """Whether it is read page by page."""
    return e.reply is not None and is_page(e.reply) and any(field.name == "cursor" for field in query_fields(e))


def query_fields(e: Endpoint) -> list[mi.Field]:
    """The parameters of its query."""
    if e.query is None:
        return []
    info = mi.type_info(e.query)
    assert isinstance(info, Kind)
    return list(info.fields)


def is_media(e: Endpoint) -> bool:
    """Whether it gives a file, in one of several formats."""
    return e.reply_type.startswith("image/")


def headers_of(e: Endpoint) -> dict[str, str]:
    """The headers that it takes as arguments, by the names of these. Of JSON there is one format, and no copy is kept of it."""
    if not is_media(e):
        return {_snake(name): name for name in e.reads if name != "If-None-Match"}
    return {_snake(name): name for name in ("Accept", *e.reads)}


def _snake(header: str) -> str:
    return header.lower().replace("-", "_")


def reply_of(e: Endpoint, model: Model) -> str:
    """What it gives: a type, `Media` for a file, `bytes` for other text than JSON, None for nothing."""
    if is_media(e):
        return "Media"
    if e.reply_type != "application/json":
        return "bytes"
    if e.reply is None:
        return "None" if e.status == 204 else "dict[str, Any]"
    return declared(e.reply, model, exact=False)


def method(e: Endpoint, model: Model) -> list[str]:
    """The method."""
    gives = reply_of(e, model)
    optional = 304 in e.also if is_media(e) else 204 in e.also and gives not in {"None", "bytes"}
    result = f"{gives} | None" if optional else gives
    head, call = "async def", "fetch_optional" if optional else "fetch"
    if is_list(e):
        head, result = "def", f"Paged[{_item(e.reply, model)}]"
    lines = bracketed(f"{head} {method_name(e)}(", _signature(e, model), f") -> {result}:", "    ")
    lines += docstring(_about(e), " " * 8)
    path = _path(e)
    query = _query(e)
    if is_list(e):
        return [*lines, *bracketed("return Paged(", ["self.transport", path, query or "{}", gives, "options"], ")", " " * 8)]
    given = [f'"{e.method}"', path]
    if gives in {"None", "bytes"}:
        call = "content"
    elif is_media(e):
        call = "media"
        given.append(_types(e))
    else:
        given.append(gives)
    given += ["command=True"] if e.command else []
    given += [] if options_of(e) != "PublicOptions" else ["acts=False"]
    given += ["body=body"] if e.body is not None else []
    given += ["data=data"] if e.binary else []
    given += [f"query={query}"] if query else []
    given += [f"headers={{{headers}}}"] if (headers := _headers(e)) else []
    begin = "await" if gives == "None" else "return await"
    return [*lines, *bracketed(f"{begin} self.transport.{call}(", [*given, "options=options"], ")", " " * 8)]


def _signature(e: Endpoint, model: Model) -> list[str]:
    named = [f"{field.name}: {_parameter(field, model)}" for field in query_fields(e) if field.name not in PAGING]
    named += ["dry_run: bool = False"] if e.dry_run else []
    named += [f"{name}: str | None = None" for name in headers_of(e)]
    given = ["self", *(f"{name}: str" for name in e.parameters())]
    given += [f"body: {declared(e.body, model, exact=True)}"] if e.body is not None else []
    given += ["data: bytes"] if e.binary else []
    return [*given, *(["*"] if named else []), *named, f"**options: Unpack[{options_of(e)}]"]


def _parameter(field: mi.Field, model: Model) -> str:
    value = default(field)
    text = annotation(field.type, model, exact=True)
    return text if value is None else f"{text} = {value}"


def _query(e: Endpoint) -> str:
    parts = [f'"{field.encode_name}": {field.name}' for field in query_fields(e) if field.name not in PAGING]
    parts += ['"dry_run": dry_run or None'] if e.dry_run else []
    return "{" + ", ".join(parts) + "}" if parts else ""


def _headers(e: Endpoint) -> str:
    """What is sent: without a wish it is the format that the operation gives by itself, not the client's general one."""
    wish = {"accept": f'accept or "{e.reply_type}"'}
    return ", ".join(f'"{header}": {wish.get(name, name)}' for name, header in headers_of(e).items())


def _types(e: Endpoint) -> str:
    names = ", ".join(f'"{name}"' for name in (e.reply_type, *e.other_types))
    return f"{{{names}}}"


def _path(e: Endpoint) -> str:
    text = e.path
    for name in e.parameters():
        text = text.replace(f"{{{name}}}", f"{{segment({name})}}")
    return f'f"{text}"' if e.parameters() else f'"{text}"'


def _item(reply: Any, model: Model) -> str:
    info = mi.type_info(reply)
    assert isinstance(info, Kind)
    items = next(field for field in info.fields if field.name == "items")
    text = annotation(items.type, model, exact=False)
    return text.removeprefix("list[").removesuffix("]")


def _about(e: Endpoint) -> str:
    parts = [f"{e.summary}.", e.description]
    if is_media(e) and 304 in e.also:
        parts.append("None is 304: what `if_none_match` names is still so.")
    if not e.public:
        parts.append(f"For {', '.join(role.value for role in Role if role in e.roles)}.")
    if e.codes:
        parts.append(f"Problems of its own: {', '.join(e.codes)}.")
    return "\n\n".join(part for part in (parts[0], " ".join(parts[1:]).strip()) if part)
