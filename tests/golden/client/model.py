"""Which types the API speaks in, what they are called in the client, and to which resource they belong."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import inspect as mi

from shared.http.endpoint import Endpoint

COMMON = "common"
GENERATED_TYPES = ("application/json", "text/plain", "image/webp")
Kind = mi.StructType | mi.DataclassType


def covered(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    """The operations that the client has: pages for people and streams are not among them."""
    return [e for e in endpoints if e.reply_type in GENERATED_TYPES]


def resource_of(endpoint: Endpoint) -> str:
    """The resource that an operation belongs to: its first tag."""
    return endpoint.tags[0].replace("-", "_").replace(" ", "_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A type of bodies or replies.

    `home` is the resource of its file, or `common`; `seen_by` are all resources that have it. One that is sent and received is a reply type.
    """

    cls: type
    name: str
    home: str
    seen_by: frozenset[str]
    sent: bool
    received: bool

    @property
    def module(self) -> str:
        """`replies` or `bodies`."""
        return "replies" if self.received else "bodies"


class Model:
    """All named types of these operations."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        homes: dict[type, set[str]] = {}
        sent: set[type] = set()
        received: set[type] = set()
        for e in endpoints:
            for declared, seen in ((e.body, sent), (e.reply, received)):
                for cls in [] if declared is None else _reached(declared):
                    homes.setdefault(cls, set()).add(resource_of(e))
                    seen.add(cls)
        names = _names(homes)
        self.types = {
            cls: Named(
                cls=cls,
                name=names[cls],
                home=COMMON if len(where) > 1 else next(iter(where)),
                seen_by=frozenset(where),
                sent=cls in sent,
                received=cls in received,
            )
            for cls, where in homes.items()
        }

    def of(self, declared: Any) -> list[Named]:
        """The types that an annotation names."""
        return [self.types[kind.cls] for kind in _parts(mi.type_info(declared)) if isinstance(kind, Kind)]

    def uses(self, cls: type) -> list[Named]:
        """The types that stand in a type's own fields and bases."""
        found = [kind.cls for field in own_fields(cls) for kind in _parts(field.type) if isinstance(kind, Kind)]
        return [self.types[used] for used in (*found, *bases(cls))]


def own_fields(cls: type) -> list[mi.Field]:
    """The fields that a type does not have from a base."""
    taken = {field.name for base in bases(cls) for field in _info(base).fields}
    return [field for field in _info(cls).fields if field.name not in taken]


def bases(cls: type) -> list[type]:
    """The base that a type adds its fields to: none, or one."""
    return [base for base in cls.__bases__ if base is not msgspec.Struct and (issubclass(base, msgspec.Struct) or dataclasses.is_dataclass(base))]


def is_page(declared: Any) -> bool:
    """Whether a reply is a page of a list."""
    info = mi.type_info(declared)
    return isinstance(info, Kind) and {"items", "next_cursor"} <= {field.name for field in info.fields}


def _info(cls: type) -> Kind:
    info = mi.type_info(cls)
    assert isinstance(info, Kind), cls
    return info


def _reached(declared: Any) -> list[type]:
    """Every type that values of the declared one may hold."""
    found: dict[type, None] = {}
    queue = [kind.cls for kind in _parts(mi.type_info(declared)) if isinstance(kind, Kind)]
    while queue:
        cls = queue.pop()
        if cls not in found:
            found[cls] = None
            queue += [kind.cls for field in own_fields(cls) for kind in _parts(field.type) if isinstance(kind, Kind)]
            queue += bases(cls)
    return list(found)


def _parts(kind: mi.Type) -> Iterator[mi.Type]:
    """A type and what it is made of, not looking into named types."""
    yield kind
    match kind:
        case mi.UnionType(types=parts) | mi.TupleType(item_types=parts):
            for part in parts:
                yield from _parts(part)
        case mi.CollectionType(item_type=part) | mi.Metadata(type=part):
            yield from _parts(part)
        case mi.DictType(value_type=part):
            yield from _parts(part)
        case _:
            pass


def _names(homes: Mapping[type, set[str]]) -> dict[type, str]:
    """The server's names without `Shape`. Those that two types would share in one resource, or in what is common, begin with the folder of each."""
    short = {cls: cls.__name__.removesuffix("Shape") for cls in homes}
    made = {cls: f"{_folder(cls)}{name}" if _meets(cls, short, homes) else name for cls, name in short.items()}
    doubled = sorted({name for cls, name in made.items() if _meets(cls, made, homes)})
    if doubled:
        msg = f"two types of one folder have the same name: {doubled}"
        raise ValueError(msg)
    return made


def _meets(cls: type, names: Mapping[type, str], homes: Mapping[type, set[str]]) -> bool:
    """Whether another type that is seen together with this one has the same name."""
    same = [homes[other] for other, name in names.items() if name == names[cls] and other is not cls]
    return any(where & homes[cls] or min(len(where), len(homes[cls])) > 1 for where in same)


def _folder(cls: type) -> str:
    return cls.__module__.split(".")[-2].title().replace("_", "")
