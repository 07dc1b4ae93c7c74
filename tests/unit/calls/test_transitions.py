"""The state table is kept by the decider, and the docs draw it: every command in every state."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.calls.calls import commands as ask
from services.calls.calls import events as did
from services.calls.calls.transitions import CLOSED, STATES, TABLE, allowed, drawn_diagram, drawn_table
from shared.refusal import Refusal
from tests.support.calls import (
    ADMIN,
    CALLS,
    LEASE,
    P1,
    P2,
    SENIOR,
    T0,
    CallScenario,
    appeal,
    appealed,
    decide,
    opened,
    press,
    released,
    resolve,
    resolved,
    ruled,
    take,
    taken,
    verdict,
    withdrawn,
)

PASTS: dict[str, CallScenario] = {
    "open": CALLS.given(opened(), taken(), ruled(), released()),
    "taken": CALLS.given(opened(), taken(), ruled()),
    "appealed": CALLS.given(opened(), taken(), ruled(), appealed()),
    "resolved": CALLS.given(opened(), taken(), ruled(), resolved()),
    "cancelled": CALLS.given(opened(), taken(), ruled(), released(), withdrawn(), did.CallCancelled(at=T0)),
}
COMMANDS: dict[str, ask.CallCommand] = {
    "join": press(P2, "harassment"),
    "cancel": ask.Withdraw(caller_id=P1, at=T0),
    "take": take(),
    "heartbeat": ask.Heartbeat(by=ADMIN, at=T0, lease=LEASE),
    "release": ask.Release(by=ADMIN, at=T0),
    "presence": ask.NotePresence(player_id=P2, presence="quit", at=T0),
    "idle": ask.NoteIdle(player_id=P2, idle_since=T0, at=T0),
    "prompts": ask.NotePrompt(player_id=P2, by=ADMIN, at=T0),
    "replies": ask.NoteReply(player_id=P2, at=T0),
    "category": ask.CorrectCategory(category="afk", by=ADMIN, at=T0),
    "decisions": decide(decision_id="d2"),
    "resume-play": ask.ResumePlay(by=ADMIN, at=T0),
    "appeal": appeal(),
    "appeal/decision": verdict(SENIOR),
    "resolve": resolve(),
}
DOCS = Path(__file__).parents[3] / "docs" / "calls.md"


def test_every_command_and_state_is_tried() -> None:
    assert (set(COMMANDS), set(PASTS)) == (set(TABLE), set(STATES))
    assert {name: past.state().state for name, past in PASTS.items()} == {name: name for name in PASTS}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("command", TABLE)
def test_the_decider_keeps_the_table(command: str, state: str) -> None:
    """What is allowed leads where the table says; the rest is refused with the current state, what is allowed, and changes nothing."""
    past = PASTS[state]
    if state in TABLE[command]:
        events = CALLS.decider.decide(COMMANDS[command], past.state())
        assert past.given(*events).state().state in TABLE[command][state]
        return
    with pytest.raises(Refusal) as caught:
        CALLS.decider.decide(COMMANDS[command], past.state())
    refusal = caught.value
    if state in CLOSED:
        assert (refusal.code, refusal.current, refusal.allowed) == ("call_closed", state, [])
    elif command == "cancel":
        assert refusal.code == "call_already_taken"
    else:
        assert (refusal.code, refusal.current, refusal.allowed) == ("invalid_transition", state, allowed(state))


def test_the_docs_draw_this_table() -> None:
    """`docs/calls.md` holds what `drawn_table` and `drawn_diagram` give, between its markers."""
    text = DOCS.read_text(encoding="utf-8")
    assert f"```mermaid\n{drawn_diagram()}\n```" in text
    assert drawn_table() in text
