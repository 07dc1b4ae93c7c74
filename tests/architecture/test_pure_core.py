"""What decides and folds asks for nothing: no I/O, no clock, no chance, not even through a helper (architecture, section 3; bar 7)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ("events", "commands", "state", "decider")
ROOTS = [
    *(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted((ROOT / "services").rglob("*.py")) if path.stem in CORE),
    "services.moderation.policy.tables",
    "services.moderation.policy.ladder",
    "services.moderation.policy.penalties",
    "services.moderation.tournaments.advice",
    "services.moderation.views.standing",
    "services.moderation.views.timeline",
]
FORBIDDEN = {
    "asyncio", "asyncpg", "fastapi", "httpx", "logging", "os", "pathlib", "psycopg", "random", "secrets", "socket", "sqlalchemy", "starlette",
    "structlog", "subprocess", "threading", "time", "uuid", "uuid_utils", "zoneinfo", "shared.clock", "shared.ids", "shared.eventstore",
}  # fmt: skip
ASKING = {"now", "utcnow", "today", "fromtimestamp", "astimezone", "localtime"}


def tree_of(module: str) -> ast.Module:
    return ast.parse(file_of(module).read_text(encoding="utf-8"))


def file_of(module: str) -> Path:
    """The file of a module, or of a package."""
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imports(module: str) -> set[str]:
    """The modules that this one imports."""
    found: set[str] = set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            below = {f"{node.module}.{name.name}" for name in node.names}
            found |= {node.module, *(name for name in below if file_of(name).exists())}
    return found


def reached() -> dict[str, set[str]]:
    """Every module of this repository that the core reaches through imports, with what it imports."""
    found: dict[str, set[str]] = {}
    waiting = list(ROOTS)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found[module] = imports(module)
            waiting += [name for name in found[module] if name.split(".")[0] in {"services", "shared"} and not forbidden(name)]
    return found


def forbidden(name: str) -> bool:
    """Names of stored events are only names; where they are declared beside the events, that is no I/O."""
    return name != "shared.eventstore.registry" and any(name == bad or name.startswith(f"{bad}.") for bad in FORBIDDEN)


REACHED = reached()


@pytest.mark.parametrize("module", sorted(REACHED))
def test_the_core_reaches_no_io_no_clock_and_no_chance(module: str) -> None:
    assert sorted(name for name in REACHED[module] if forbidden(name)) == []


@pytest.mark.parametrize("module", sorted(REACHED))
def test_the_core_never_asks_what_time_or_zone_it_is(module: str) -> None:
    asked = [node.attr for node in ast.walk(tree_of(module)) if isinstance(node, ast.Attribute) and node.attr in ASKING]
    assert asked == []


def test_the_helpers_of_the_decider_are_among_what_is_looked_at() -> None:
    """The control: the search goes through imports and not along a list."""
    assert {f"services.moderation.record.{name}" for name in ("assess", "impose", "correct", "evasion")} <= REACHED.keys()
    assert {f"services.moderation.tournaments.{name}" for name in ("assess", "placing", "applying", "giving_way")} <= REACHED.keys()
    assert forbidden("shared.clock")
    assert not forbidden("shared.refusal")
