"""From the bytes of a body to a value of the declared type, or a refusal that names the field.

The order: well-formed JSON in UTF-8 without lone surrogates (400), values that nothing may hold wherever they stand (NUL, overlong text, numbers
that are not kept exactly: 422), an object (422), and the declared type, without any conversion (422). Of a member given twice the last counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from shared.http.problems import invalid
from shared.http.types import MAX_INT, MAX_TEXT, utc
from shared.refusal import Refusal

T = TypeVar("T")

MAX_DEPTH = 32
_LONG_NUMBER = re.compile(rb"[0-9]{16}")
_AT = re.compile(r"^(?P<what>.*) - at `(?P<path>.*)`\Z", re.DOTALL)
_MEMBER = re.compile(r"^Object (?:missing required|contains unknown) field `(?P<name>.*)`\Z", re.DOTALL)
_decode_any = msgspec.json.Decoder().decode


class BodyParser(Generic[T]):
    """Parses JSON bodies into one declared type."""

    __slots__ = ("_decode", "_normalise")

    def __init__(self, declared: type[T]) -> None:
        self._decode = msgspec.json.Decoder(declared).decode
        self._normalise = normaliser(declared)

    def parse(self, raw: bytes) -> tuple[T, Any]:
        """The typed value and the plain one. Raises `Refusal`: `malformed_request` or `invalid_request`."""
        try:
            plain = plain_json(raw)
        except msgspec.ValidationError:
            raise self._out_of_range(raw) from None
        if type(plain) is not dict:
            raise Refusal("invalid_request", "The body is a JSON object.", field="body")
        try:
            value = self._decode(raw)
        except msgspec.ValidationError as error:
            raise from_validation(error) from None
        return self._normalise(value, ""), plain


    def _out_of_range(self, raw: bytes) -> Refusal:
        """Which number no value can hold: the declared type knows fields by name, where plain values know places."""
        try:
            self._decode(raw)
        except msgspec.ValidationError as error:
            return from_validation(error)
        return invalid("body", "A number is out of range.")


def plain_json(raw: bytes) -> Any:
    """The body as plain values, free of what no field may hold. Raises `msgspec.ValidationError` for a number that no value can hold."""
    try:
        plain = _decode_any(raw)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError as error:
        raise Refusal("malformed_request", f"The body is no JSON text in UTF-8: {error}.") from None
    except RecursionError:
        raise Refusal("malformed_request", "The body is nested too deeply.") from None
    if _needs_a_look(raw):
        inspect(plain)
    return plain


def _needs_a_look(raw: bytes) -> bool:
    """Whether the text may hold something that `inspect` refuses: cheap searches that spare nearly every body the walk."""
    return b"\\u0000" in raw or len(raw) > MAX_TEXT or _LONG_NUMBER.search(raw) is not None or raw.count(b"[") + raw.count(b"{") > MAX_DEPTH


def inspect(plain: Any) -> None:
    """Refuse NUL, overlong text, inexact numbers and deep nesting wherever they stand, in member names too."""
    todo: list[tuple[Any, str, int]] = [(plain, "", 1)]
    while todo:
        value, path, depth = todo.pop()
        if depth > MAX_DEPTH:
            raise Refusal("malformed_request", "The body is nested too deeply.")
        if isinstance(value, str):
            check_text(value, path or "body")
        elif isinstance(value, dict):
            for key, member in value.items():
                check_text(key, path or "body", what="A member's name")
                todo.append((member, f"{path}.{key}" if path else key, depth + 1))
        elif isinstance(value, list):
            todo.extend((member, f"{path}[{index}]", depth + 1) for index, member in enumerate(value))
        elif isinstance(value, int | float) and not -MAX_INT <= value <= MAX_INT:
            raise invalid(path or "body", "A number lies within ±(2^53 - 1).")


def check_text(text: str, field: str, *, what: str = "Text") -> None:
    """Refuse NUL and more than 4,000 characters."""
    if "\0" in text:
        raise invalid(field, f"{what} never holds NUL.")
    if len(text) > MAX_TEXT:
        raise invalid(field, f"{what} is at most {MAX_TEXT} characters long.")


def from_validation(error: msgspec.ValidationError) -> Refusal:
    """The refusal that says the same, naming the field as `offenses[0].discretion.days`."""
    text = str(error)
    found = _AT.match(text)
    what, path = (found["what"], _strip(found["path"])) if found else (text, "")
    member = _MEMBER.match(what)
    if member:
        name = printable(member["name"])
        path = f"{path}.{name}" if path else name
        what = "This field is required." if what.startswith("Object missing") else "There is no such field."
    else:
        what = printable(what, 300) + "."
    return invalid(path or "body", what)


def _strip(path: str) -> str:
    return path.removeprefix("$").removeprefix(".")


def printable(text: str, limit: int = 100) -> str:
    """Text of the caller's, fit for a message: shortened, unprintable characters escaped."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:limit])
    return shown if len(text) <= limit else shown + "…"


def _same(value: Any, _path: str) -> Any:
    return value


def normaliser(declared: Any) -> Callable[[Any, str], Any]:
    """What turns the moments inside a decoded value into UTC; a no-op for types that hold none, and for such members of an object."""
    info = msgspec.inspect.type_info(declared)
    if not _holds_moments(info, set()):
        return _same
    if not isinstance(info, msgspec.inspect.StructType):
        return _to_utc
    members = [(field.name, field.encode_name) for field in info.fields if _holds_moments(field.type, set())]

    def normalise(value: Any, path: str) -> Any:
        _members_to_utc(value, path, members)
        return value

    return normalise


def _holds_moments(info: Any, seen: set[type]) -> bool:
    """Whether a value of the type may hold a moment."""
    if isinstance(info, msgspec.inspect.DateTimeType):
        return True
    if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
        if info.cls in seen:
            return False
        seen.add(info.cls)
        return any(_holds_moments(field.type, seen) for field in info.fields)
    parts: list[Any] = [*getattr(info, "types", ()), *getattr(info, "item_types", ())]
    for name in ("type", "item_type", "value_type"):
        part = getattr(info, name, None)
        if isinstance(part, msgspec.inspect.Type):
            parts.append(part)
    return any(_holds_moments(part, seen) for part in parts)


def _to_utc(value: Any, path: str) -> Any:
    if isinstance(value, datetime):
        return utc(value, path or "body")
    if isinstance(value, msgspec.Struct):
        _members_to_utc(value, path, zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True))
        return value
    if isinstance(value, list):
        return [_to_utc(item, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, tuple):
        return tuple(_to_utc(item, f"{path}[{index}]") for index, item in enumerate(value))
    if isinstance(value, dict):
        return {key: _to_utc(item, f"{path}.{key}" if path else str(key)) for key, item in value.items()}
    return value


def _members_to_utc(value: msgspec.Struct, path: str, members: Iterable[tuple[str, str]]) -> None:
    """The same for these members, given by name and by the name that callers know."""
    for name, shown in members:
        old = getattr(value, name)
        new = _to_utc(old, f"{path}.{shown}" if path else shown)
        if new is not old:
            msgspec.structs.force_setattr(value, name, new)
