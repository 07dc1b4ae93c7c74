"""Query strings, as strict as bodies: unknown and repeated parameters, NUL, bad UTF-8 and bent values are 422 `invalid_request`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec

from shared.http.parse import check_text, from_validation, normaliser, printable
from shared.http.problems import invalid

T = TypeVar("T")

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})\Z")
MAX_PARAMETERS = 64


def split(raw: bytes) -> dict[str, str]:
    """The parameters of a query string by name. Raises `Refusal` for what no parameter may be."""
    values: dict[str, str] = {}
    for part in raw.split(b"&"):
        if not part:
            continue
        name, _, text = part.partition(b"=")
        key = _decode(name, "query")
        if key in values:
            raise invalid(printable(key), "A parameter is given once.")
        if len(values) == MAX_PARAMETERS:
            raise invalid("query", "There are too many parameters.")
        values[key] = _decode(text, printable(key) or "query")
    return values


def _decode(raw: bytes, field: str) -> str:
    try:
        text = unquote_to_bytes(raw.replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        raise invalid(field, "A query is text in UTF-8.") from None
    check_text(text, field)
    return text


class QueryParser(Generic[T]):
    """Parses query strings into one declared struct, whose fields are text, whole numbers, booleans, enumerations or moments."""

    __slots__ = ("_convert", "_declared", "_empty", "_names", "_normalise")

    def __init__(self, declared: type[T]) -> None:
        self._declared = declared
        self._normalise = normaliser(declared)
        info = msgspec.inspect.type_info(declared)
        if not isinstance(info, msgspec.inspect.StructType):
            raise TypeError(f"a query is a struct, not {declared!r}")
        self._empty: T | None = None
        self._names = frozenset(field.encode_name for field in info.fields)
        self._convert = {field.encode_name: convert for field in info.fields if (convert := _conversion(field.type)) is not None}

    def parse(self, values: dict[str, str]) -> T:
        """The typed query. Raises `Refusal` `invalid_request`."""
        if not values and self._empty is not None:
            return self._empty
        typed: dict[str, Any] = {}
        for name, text in values.items():
            if name not in self._names:
                raise invalid(printable(name), "There is no such parameter.", allowed=sorted(self._names))
            convert = self._convert.get(name)
            typed[name] = text if convert is None else convert(text, name)
        try:
            value = msgspec.convert(typed, self._declared)
        except msgspec.ValidationError as error:
            raise from_validation(error) from None
        query: T = self._normalise(value, "")
        if not values:
            self._empty = query  # the structs of queries are frozen, so one will do for all that ask for nothing
        return query


def integer(text: str, field: str) -> int:
    """A whole number in plain decimal digits."""
    if not _INTEGER.match(text):
        raise invalid(field, "A whole number in decimal digits is expected.")
    return int(text)


def boolean(text: str, field: str) -> bool:
    """`true` or `false`."""
    if text not in {"true", "false"}:
        raise invalid(field, "`true` or `false` is expected.", allowed=["true", "false"])
    return text == "true"


def _conversion(info: Any) -> Callable[[str, str], Any] | None:
    """How the text of such a parameter is read; None: as it stands."""
    parts = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    types = [one.type if isinstance(one, msgspec.inspect.Metadata) else one for one in parts]
    if any(isinstance(one, msgspec.inspect.BoolType) for one in types):
        return boolean
    texts = any(isinstance(one, msgspec.inspect.StrType | msgspec.inspect.DateTimeType) for one in types)
    if any(isinstance(one, msgspec.inspect.IntType) for one in types) and not texts:
        return integer
    return None
