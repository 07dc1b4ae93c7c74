"""The text of the types: structs that are lenient where they are read and exact where they are sent."""

from __future__ import annotations

from enum import Enum
from typing import Any

from msgspec import NODEFAULT
from msgspec import inspect as mi

from tests.golden.client.model import Kind, Model, Named, bases, own_fields
from tests.golden.client.text import bracketed, docstring

_PLAIN: dict[type[mi.Type], str] = {
    mi.AnyType: "Any",
    mi.CustomType: "Any",
    mi.StrType: "str",
    mi.IntType: "int",
    mi.FloatType: "float",
    mi.BoolType: "bool",
    mi.NoneType: "None",
    mi.BytesType: "bytes",
    mi.DateTimeType: "datetime",
    mi.DateType: "date",
    mi.UUIDType: "UUID",
}


def annotation(kind: mi.Type, model: Model, *, exact: bool) -> str:
    """The type as it is written. Where values are read, words of a fixed list are any text: a newer service may have more of them."""
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)]
    if isinstance(kind, Kind):
        return model.types[kind.cls].name
    match kind:
        case mi.Metadata(type=part):
            return annotation(part, model, exact=exact)
        case mi.UnionType(types=parts):
            return " | ".join(dict.fromkeys(annotation(part, model, exact=exact) for part in parts))
        case mi.TupleType(item_types=parts):
            return f"tuple[{', '.join(annotation(part, model, exact=exact) for part in parts)}]"
        case mi.VarTupleType(item_type=part):
            return f"tuple[{annotation(part, model, exact=exact)}, ...]"
        case mi.ListType(item_type=part):
            return f"list[{annotation(part, model, exact=exact)}]"
        case mi.DictType(key_type=key, value_type=value):
            return f"dict[{annotation(key, model, exact=exact)}, {annotation(value, model, exact=exact)}]"
        case mi.LiteralType(values=values):
            return _words(list(values), exact=exact)
        case mi.EnumType(cls=cls):
            return _words([member.value for member in cls], exact=exact)
        case _:
            msg = f"the client has no word for {kind}"
            raise TypeError(msg)


def declared(kind: Any, model: Model, *, exact: bool) -> str:
    """The same for a type as it stands in code."""
    return annotation(mi.type_info(kind), model, exact=exact)


def default(field: mi.Field) -> str | None:
    """The field's default as text; None where it has none."""
    if field.required:
        return None
    if field.default is NODEFAULT and field.default_factory is NODEFAULT:
        return "UNSET"  # what may be absent has no default that could be seen
    value = field.default if field.default is not NODEFAULT else field.default_factory()
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool | int | float) or value in ((), [], {}):
        return repr(value)
    if isinstance(value, str):
        return '"' + repr(value)[1:-1].replace('"', '\\"') + '"'
    msg = f"{field.name}: no text for the default {value!r}"
    raise TypeError(msg)


def struct(named: Named, model: Model) -> list[str]:
    """The class. What is sent leaves out what was not given; what is sent and read refuses the unknown, lest that is lost on the way back."""
    options = ["frozen=True", "kw_only=True"]
    if named.sent:
        options.append("omit_defaults=True")
    if named.sent and named.received:
        options.append("forbid_unknown_fields=True")
    base = next((model.types[cls].name for cls in bases(named.cls)), "Struct")
    lines = [f"class {named.name}({base}, {', '.join(options)}):", *docstring(named.cls.__doc__ or named.name, "    ")]
    fields = [line for one in own_fields(named.cls) for line in _field(one, model, exact=not named.received)]
    return [*lines, *([""] if fields else []), *fields]


def _field(field: mi.Field, model: Model, *, exact: bool) -> list[str]:
    text, value = annotation(field.type, model, exact=exact), default(field)
    text = f"{text} | UnsetType" if value == "UNSET" else text
    if field.encode_name != field.name:
        given = [f'name="{field.encode_name}"', *([] if value is None else [f"default={value}"])]
        value = f"field({', '.join(given)})"
    end = "" if value is None else f" = {value}"
    begin, bracket, rest = text.partition("[")
    if not bracket:
        return [f"    {field.name}: {text}{end}"]
    inner, _, after = rest.rpartition("]")
    return bracketed(f"{field.name}: {begin}[", inner.split(", "), f"]{after}{end}", "    ")


def _words(values: list[Any], *, exact: bool) -> str:
    if not exact:
        return " | ".join(dict.fromkeys(type(value).__name__ for value in values))
    return f"Literal[{', '.join(_quoted(value) for value in values)}]"


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
