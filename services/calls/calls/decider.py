"""The rules of a call: pure, one function per command. Sources: S ("Call Admin"), I-40 to I-51."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.calls.calls import calling, holding, judging, noting
from services.calls.calls import commands as ask
from services.calls.calls.events import CallEvent
from services.calls.calls.state import INITIAL, CallState
from services.calls.calls.state import evolve as evolve_call


class CallDecider:
    """A call, one stream each (`call-{call_id}`)."""

    __slots__ = ()

    def initial(self) -> CallState:
        """No call."""
        return INITIAL

    def decide(self, command: ask.CallCommand, state: CallState) -> Sequence[CallEvent]:
        """The events that the command causes; none when it is so already. Raises a `Refusal`."""
        return decide(command, state)

    def evolve(self, state: CallState, event: CallEvent) -> CallState:
        """The call after the event."""
        return evolve_call(state, event)


def decide(command: ask.CallCommand, state: CallState) -> Sequence[CallEvent]:
    """Dispatch to the command's own rule."""
    match command:
        case ask.PressButton():
            return calling.press(command, state)
        case ask.Withdraw():
            return calling.withdraw(command, state)
        case ask.NotePresence() | ask.NoteIdle() | ask.NotePrompt() | ask.NoteReply():
            return _note(command, state)
        case ask.Take() | ask.Heartbeat() | ask.Release() | ask.CorrectCategory() | ask.ResumePlay():
            return _hold(command, state)
        case ask.Decide():
            return judging.decide_on(command, state)
        case ask.AppealDecision():
            return judging.appeal(command, state)
        case ask.DecideCallAppeal():
            return judging.decide_appeal(command, state)
        case ask.Resolve():
            return judging.resolve(command, state)
        case _:
            assert_never(command)


def _note(command: ask.NotePresence | ask.NoteIdle | ask.NotePrompt | ask.NoteReply, state: CallState) -> Sequence[CallEvent]:
    match command:
        case ask.NotePresence():
            return noting.note_presence(command, state)
        case ask.NoteIdle():
            return noting.note_idle(command, state)
        case ask.NotePrompt():
            return noting.note_prompt(command, state)
        case ask.NoteReply():
            return noting.note_reply(command, state)
        case _:
            assert_never(command)


def _hold(command: ask.Take | ask.Heartbeat | ask.Release | ask.CorrectCategory | ask.ResumePlay, state: CallState) -> Sequence[CallEvent]:
    match command:
        case ask.Take():
            return holding.take(command, state)
        case ask.Heartbeat():
            return holding.heartbeat(command, state)
        case ask.Release():
            return holding.release(command, state)
        case ask.CorrectCategory():
            return holding.correct_category(command, state)
        case ask.ResumePlay():
            return holding.resume_play(command, state)
        case _:
            assert_never(command)
