"""The shape of every decider: a pure decision over a folded state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

C_contra = TypeVar("C_contra", contravariant=True)
S = TypeVar("S")
E = TypeVar("E")


class Decider(Protocol, Generic[C_contra, S, E]):
    """`decide` answers a command with events (`[]`: it is so already) or raises a `Refusal`; `evolve` folds them. Neither reads a clock."""

    def initial(self) -> S:
        """The state before the first event."""
        ...

    def decide(self, command: C_contra, state: S) -> Sequence[E]:
        """The events that the command causes."""
        ...

    def evolve(self, state: S, event: E) -> S:
        """The state after the event."""
        ...


def fold(decider: Decider[C_contra, S, E], events: Iterable[E], state: S | None = None) -> S:
    """The state after these events, from `state` or from the beginning."""
    current = decider.initial() if state is None else state
    for event in events:
        current = decider.evolve(current, event)
    return current
