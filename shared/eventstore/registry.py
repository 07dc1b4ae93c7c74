"""The names under which events are stored: explicit, versioned, independent of where a class lives or what it is called."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\Z")


class RegistryError(Exception):
    """The registrations contradict each other or are incomplete: a fault of the program, found when it starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """How one event class is stored now: `type` is `name.vN`, `personal` names the fields that are stored encrypted."""

    name: str
    version: int
    cls: type
    personal: tuple[str, ...]

    @property
    def type(self) -> str:
        """The stored name of the current version."""
        return f"{self.name}.v{self.version}"


class EventRegistry:
    """Which stored name means which class.

    A name has one class, that of its current version; what was stored under an older version is lifted by upcasters, one version at a time.
    """

    def __init__(self) -> None:
        self._forms: dict[str, EventForm] = {}
        self._names: dict[type, str] = {}
        self._upcasters: dict[tuple[str, int], Upcaster] = {}
        self._frozen = False

    def register(self, name: str, version: int, cls: type, *, personal: tuple[str, ...] = ()) -> None:
        """Store events of `cls` as `name.v{version}`; each personal field MUST be annotated `SomeDataclass | None`."""
        self._must_be_open()
        if not _NAME.match(name) or version < 1:
            msg = f"{name!r} v{version} is no stored name: it is service.what_happened, versions count from 1"
            raise RegistryError(msg)
        if name in self._forms or cls in self._names:
            msg = f"{name} or {cls.__name__} is registered already"
            raise RegistryError(msg)
        if not is_dataclass(cls):
            msg = f"{cls.__name__} is no dataclass"
            raise RegistryError(msg)
        for field in personal:
            personal_class(cls, field)
        self._forms[name] = EventForm(name=name, version=version, cls=cls, personal=personal)
        self._names[cls] = name

    def upcast(self, name: str, version: int, step: Upcaster) -> None:
        """Lift what was stored as version `version` of `name` to the next one; `step` gets the JSON object and returns the newer one.

        A personal field passes through it encrypted, and MUST keep its name: the name is part of what its encryption vouches for.
        """
        self._must_be_open()
        if (name, version) in self._upcasters:
            msg = f"{name}.v{version} has an upcaster already"
            raise RegistryError(msg)
        self._upcasters[name, version] = step

    def freeze(self) -> None:
        """Check that every older version can be lifted to the current one, and accept no more registrations.

        Raises `RegistryError` for a missing upcaster, or one without a version that needs it.
        """
        needed = {(form.name, version) for form in self._forms.values() for version in range(1, form.version)}
        if missing := sorted(needed - set(self._upcasters)):
            msg = f"no upcaster for {missing}"
            raise RegistryError(msg)
        if idle := sorted(set(self._upcasters) - needed):
            msg = f"upcasters that nothing needs: {idle}"
            raise RegistryError(msg)
        self._frozen = True

    def forms(self) -> tuple[EventForm, ...]:
        """Every registered event, in order of registration."""
        return tuple(self._forms.values())

    def steps(self, name: str, version: int) -> tuple[Upcaster, ...]:
        """The upcasters from this version of `name` to the current one, in order."""
        return tuple(self._upcasters[name, step] for step in range(version, self._forms[name].version))

    def stored_types(self) -> tuple[str, ...]:
        """Every stored name that can be read, old versions included."""
        return tuple(f"{form.name}.v{version}" for form in self._forms.values() for version in range(1, form.version + 1))

    def _must_be_open(self) -> None:
        if self._frozen:
            msg = "register events before a codec is made of the registry"
            raise RegistryError(msg)


def personal_class(cls: type, field: str) -> type:
    """The dataclass behind a personal field `SomeDataclass | None`; raises `RegistryError` when the field is none."""
    known = {f.name for f in fields(cls)}
    hint = get_type_hints(cls).get(field) if field in known else None
    options = get_args(hint) if get_origin(hint) in {Union, UnionType} else ()
    classes = [option for option in options if isinstance(option, type) and is_dataclass(option)]
    if len(classes) != 1 or set(options) != {classes[0], NoneType}:
        msg = f"{cls.__name__}.{field} cannot be personal: it must be SomeDataclass | None"
        raise RegistryError(msg)
    return classes[0]
