"""The state table of a call: which command is possible in which state, and where it may lead. `docs/calls.md` is drawn from it.

Who may do it, and what else stands in the way, is for the decider.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

OPEN, TAKEN, APPEALED, RESOLVED, CANCELLED = "open", "taken", "appealed", "resolved", "cancelled"
STATES: Final = (OPEN, TAKEN, APPEALED, RESOLVED, CANCELLED)
CLOSED: Final = frozenset({RESOLVED, CANCELLED})

_SAME: Final = {OPEN: (OPEN,), TAKEN: (TAKEN,), APPEALED: (APPEALED,)}

TABLE: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        "join": _SAME,
        "cancel": {OPEN: (OPEN, CANCELLED)},
        "take": {OPEN: (TAKEN,), TAKEN: (TAKEN,)},
        "heartbeat": {TAKEN: (TAKEN,)},
        "release": {TAKEN: (OPEN,)},
        "presence": _SAME,
        "idle": _SAME,
        "prompts": {TAKEN: (TAKEN,)},
        "replies": _SAME,
        "category": {TAKEN: (TAKEN,)},
        "decisions": {TAKEN: (TAKEN,)},
        "resume-play": {TAKEN: (TAKEN,)},
        "appeal": {OPEN: (APPEALED,), TAKEN: (APPEALED,)},
        "appeal/decision": {APPEALED: (TAKEN,)},
        "resolve": {TAKEN: (RESOLVED,)},
    }
)
"""Command -> state -> the states that it may lead to. The commands are the last part of their paths; `join` is pressing the button again."""


def allowed(state: str) -> list[str]:
    """The commands that are possible in this state, in the table's order."""
    return [command for command, rows in TABLE.items() if state in rows]


def is_allowed(command: str, state: str) -> bool:
    """Whether the command is possible in this state."""
    return state in TABLE[command]


def drawn_table() -> str:
    """The table in Markdown."""
    head = "| command | " + " | ".join(STATES) + " |"
    line = "|---|" + "---|" * len(STATES)
    rows = [f"| `{command}` | " + " | ".join(" or ".join(row.get(state, ("-",))) for state in STATES) + " |" for command, row in TABLE.items()]
    return "\n".join([head, line, *rows])


def drawn_diagram() -> str:
    """The moves that change the state, as a Mermaid state diagram."""
    moves: dict[tuple[str, str], list[str]] = {}
    for command, rows in TABLE.items():
        for state, targets in rows.items():
            for target in targets:
                if target != state:
                    moves.setdefault((state, target), []).append(command)
    lines = [f"    {state} --> {target}: {', '.join(commands)}" for (state, target), commands in moves.items()]
    ends = [f"    {state} --> [*]" for state in STATES if state in CLOSED]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {OPEN}: press", *lines, *ends])
