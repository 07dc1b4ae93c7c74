"""The files of `shared/client/api`: one folder for each resource, with its bodies, replies and operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from shared.http.endpoint import Endpoint
from tests.golden.client.model import COMMON, Model, Named, covered, resource_of
from tests.golden.client.operations import is_list, is_media, method, method_name, options_of
from tests.golden.client.text import bracketed, docstring, imported
from tests.golden.client.types import struct

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "client" / "api"
HOME = "shared.client.api"
NOTE = "Written by `python -m tests.golden.client`; not to be edited."
Files = dict[str, str]


def write(endpoints: Iterable[Endpoint]) -> Files:
    """Every file with its text, by its path below `FOLDER`."""
    declared = covered(endpoints)
    model = Model(declared)
    resources = sorted({resource_of(e) for e in declared})
    files: Files = {"__init__.py": _index(resources)}
    for resource in [COMMON, *resources]:
        own = sorted((named for named in model.types.values() if named.home == resource), key=lambda named: named.name)
        for module in ("bodies", "replies"):
            types = [named for named in own if named.module == module]
            if types:
                files[f"{resource}/{module}.py"] = _types_file(module, types, model)
        operations = [e for e in declared if resource_of(e) == resource]
        used = {named for e in operations for kind in (e.body, e.reply) if kind is not None for named in model.of(kind)}
        used |= {other for named in (*own, *used) for other in _all_uses(named, model)} | set(own)
        if operations:
            files[f"{resource}/operations.py"] = _operations_file(resource, operations, model)
        if operations or own:
            files[f"{resource}/__init__.py"] = _front(resource, used, with_operations=bool(operations))
    return files


def _all_uses(named: Named, model: Model) -> set[Named]:
    found: set[Named] = set()
    queue = [named]
    while queue:
        for other in model.uses(queue.pop().cls):
            if other not in found:
                found.add(other)
                queue.append(other)
    return found


def class_name(resource: str) -> str:
    """`call_rooms` as `CallRoomsOperations`."""
    return "".join(part.title() for part in (*resource.split("_"), "operations"))


def _index(resources: Sequence[str]) -> str:
    lines = [*docstring(f"All operations, by resource. {NOTE}"), "", "from __future__ import annotations", ""]
    for resource in resources:
        lines += imported(f"{HOME}.{resource}.operations", [class_name(resource)])
    lines += imported("shared.client.transport", ["Transport"])
    slots = sorted((*resources, "transport"))
    lines += ["", "", "class Resources:", *docstring("The operations of the API, by resource.", "    "), ""]
    lines += bracketed("__slots__ = (", [f'"{name}"' for name in slots], ")", "    ")
    lines += ["", "    def __init__(self, transport: Transport) -> None:", "        self.transport = transport"]
    lines += [f"        self.{resource} = {class_name(resource)}(transport)" for resource in resources]
    return _text(lines)


def _front(resource: str, types: Iterable[Named], *, with_operations: bool) -> str:
    """The resource's `__init__`: everything that its operations take and give."""
    names: dict[str, list[str]] = {}
    for named in types:
        names.setdefault(f"{HOME}.{named.home}.{named.module}", []).append(named.name)
    if with_operations:
        names[f"{HOME}.{resource}.operations"] = [class_name(resource)]
    lines = [*docstring(f"Operations and types of `{resource}`. {NOTE}"), "", "from __future__ import annotations", ""]
    for module in sorted(names):
        lines += imported(module, names[module])
    everything = sorted((name for group in names.values() for name in group), key=lambda name: (not name.isupper(), name))
    return _text([*lines, "", "__all__ = [", *(f'    "{name}",' for name in everything), "]"])


def _types_file(module: str, types: Sequence[Named], model: Model) -> str:
    own = {named.name for named in types}
    body: list[str] = []
    for named in _bases_first(types, model):
        body += ["", "", *struct(named, model)]
    text = "\n".join(body)
    about = "What is sent." if module == "bodies" else "What comes back."
    lines = [*docstring(f"{about} {NOTE}"), "", "from __future__ import annotations", ""]
    standard = [*imported("datetime", _present(text, "datetime", "date")), *imported("typing", _present(text, "Any", "Literal"))]
    standard += imported("uuid", _present(text, "UUID"))
    lines += [*standard, ""] if standard else []
    lines += imported("msgspec", ["Struct", *_present(text, "field", "UNSET", "UnsetType")])
    others: dict[str, list[str]] = {}
    for named in types:
        for used in model.uses(named.cls):
            if used.name not in own:
                others.setdefault(f"{HOME}.{used.home}.{used.module}", []).append(used.name)
    lines += [""] if others else []
    for other in sorted(others):
        lines += imported(other, others[other])
    return _text([*lines, *body])


def _bases_first(types: Sequence[Named], model: Model) -> list[Named]:
    """The types by name, each after the one that it extends."""
    ordered: list[Named] = []
    waiting = list(types)
    while waiting:
        for named in waiting:
            extended = [used for used in model.uses(named.cls) if used.cls in named.cls.__bases__ and used in waiting]
            if not extended:
                ordered.append(named)
                waiting.remove(named)
                break
    return ordered


def _operations_file(resource: str, operations: Sequence[Endpoint], model: Model) -> str:
    names = [method_name(e) for e in operations]
    if len(set(names)) < len(names):
        msg = f"two operations of {resource} have the same name: {sorted(names)}"
        raise ValueError(msg)
    body: list[str] = []
    for e in sorted(operations, key=method_name):
        body += ["", *method(e, model)]
    text = "\n".join(body)
    lines = [*docstring(f"The operations of `{resource}`. {NOTE}"), "", "from __future__ import annotations", ""]
    lines += [*imported("datetime", _present(text, "datetime", "date")), *imported("typing", [*_present(text, "Any", "Literal"), "Unpack"]), ""]
    groups: dict[str, list[str]] = {"shared.client.transport": ["Transport", *_present(text, "segment")]}
    groups["shared.client.options"] = sorted({options_of(e) for e in operations})
    if any(is_media(e) for e in operations):
        groups["shared.client.media"] = ["Media"]
    if any(is_list(e) for e in operations):
        groups["shared.client.paged"] = ["Paged"]
    for named in model.types.values():
        if resource in named.seen_by and named.name in _present(text, named.name):
            groups.setdefault(f"{HOME}.{named.home}.{named.module}", []).append(named.name)
    for module in sorted(groups):
        lines += imported(module, groups[module])
    lines += ["", "", f"class {class_name(resource)}:", *docstring(f"The operations of `{resource}`.", "    "), ""]
    lines += ['    __slots__ = ("transport",)', "", "    def __init__(self, transport: Transport) -> None:", "        self.transport = transport"]
    return _text([*lines, *body])


def _present(text: str, *names: str) -> list[str]:
    """Those of the names that the code (not its docstrings) mentions."""
    code = "\n".join(part for number, part in enumerate(text.split('"""')) if number % 2 == 0)
    words = set("".join(sign if sign.isalnum() or sign == "_" else " " for sign in code).split())
    return [name for name in names if name in words]


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
