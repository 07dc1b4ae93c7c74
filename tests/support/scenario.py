"""Given these events, when this command, then those events (or a refusal): the shape of every decider's tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import pytest

from shared.decider import Decider, fold
from shared.refusal import Refusal

C = TypeVar("C")
S = TypeVar("S")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Scenario(Generic[C, S, E]):
    """A decider and what has happened so far."""

    decider: Decider[C, S, E]
    past: tuple[E, ...] = ()

    def given(self, *events: E) -> Scenario[C, S, E]:
        """Add what has happened since."""
        return Scenario(self.decider, (*self.past, *events))

    def when(self, command: C) -> Outcome[C, S, E]:
        """Ask for this now."""
        return Outcome(self, command)

    def after(self, *commands: C) -> Scenario[C, S, E]:
        """Add what came of these commands, one after another."""
        scenario = self
        for command in commands:
            scenario = scenario.given(*scenario.decider.decide(command, scenario.state()))
        return scenario

    def state(self) -> S:
        """The state after what has happened."""
        return fold(self.decider, self.past)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[C, S, E]):
    """What becomes of a command."""

    scenario: Scenario[C, S, E]
    command: C

    def then(self, *events: E) -> Scenario[C, S, E]:
        """Exactly these events happen (none: it is so already)."""
        decided = tuple(self.scenario.decider.decide(self.command, self.scenario.state()))
        assert decided == events
        return self.scenario.given(*decided)

    def happens(self) -> tuple[E, ...]:
        """What happens, for a test that looks at a part of it."""
        return tuple(self.scenario.decider.decide(self.command, self.scenario.state()))

    def refused(self, code: str) -> Refusal:
        """It is refused with this code, and nothing happens."""
        with pytest.raises(Refusal) as caught:
            self.scenario.decider.decide(self.command, self.scenario.state())
        assert caught.value.code == code
        return caught.value
