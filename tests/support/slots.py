"""Commands on the cosmetics of one player, and what becomes of them: upload `a` has the hash `sha-a`, and its removal is the incident `inc-a`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from services.cosmetics.slots.commands import Approve, Purge, Reinstate, Remove, Report, Restore, SlotCommand, Staff, Upload
from services.cosmetics.slots.decider import decide
from services.cosmetics.slots.events import Likeness, Picture, SlotEvent, Words
from services.cosmetics.slots.state import INITIAL, SlotState, evolve
from shared.refusal import Refusal

AT = datetime(2026, 11, 30, 10, tzinfo=UTC)
BY = Staff(staff_id="admin-1", role="admin", player_id="own")
WHY = Words(reason="Offensive.")
PICTURE = Picture(sha256="a", width=512, height=512, alpha=False, renditions=(), source_type="image/png", source_length=1)
LIKENESS = Likeness(prints=("sealed",), source_sha256="s")


def upload(name: str, slot: str = "avatar", **facts: Any) -> Upload:
    facts = {"picture": replace(PICTURE, sha256=f"sha-{name}"), "pro": True, "banned": False, "known": None, "at": AT, **facts}
    return Upload(cosmetic_id=name, player_id="p", slot=slot, likeness=LIKENESS, **facts)


def remove(name: str, sha256: str | None = None) -> Remove:
    seen, incident_id = sha256 or f"sha-{name}", f"inc-{name}"
    return Remove(cosmetic_id=name, player_id="p", by=BY, sha256=seen, incident_id=incident_id, words=WHY, prints=LIKENESS.prints, at=AT)


def purge(name: str, by: Staff = BY) -> Purge:
    return Purge(cosmetic_id=name, player_id="p", by=by, words=WHY, prints=LIKENESS.prints, at=AT)


def approve(name: str, sha256: str | None = None, by: Staff = BY) -> Approve:
    return Approve(cosmetic_id=name, player_id="p", by=by, sha256=sha256, at=AT)


def report(name: str, reporter: str = "r") -> Report:
    return Report(cosmetic_id=name, reporter_id=reporter, words=WHY, at=AT)


def fell(name: str) -> Restore:
    return Restore(incident_id=f"inc-{name}", at=AT)


def stands_again(name: str) -> Reinstate:
    return Reinstate(incident_id=f"inc-{name}", at=AT)


def given(*commands: SlotCommand) -> SlotState:
    state = INITIAL
    for command in commands:
        state = after(state, decide(command, state))
    return state


def after(state: SlotState, events: Sequence[SlotEvent]) -> SlotState:
    for event in events:
        state = evolve(state, event)
    return state


def states(state: SlotState) -> dict[str, str]:
    return {name: item.state for name, item in state.cosmetics.items()}


def refused(code: str, command: SlotCommand, state: SlotState = INITIAL) -> None:
    with pytest.raises(Refusal) as caught:
        decide(command, state)
    assert caught.value.code == code
