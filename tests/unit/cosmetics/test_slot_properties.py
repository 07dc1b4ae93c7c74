"""For any order of uploads, deletions, reports and decisions about one player's images (I-63, I-64, A10, A-51, A-52)."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from services.cosmetics.slots.commands import Delete, Forget, Remove, SlotCommand
from services.cosmetics.slots.decider import decide
from services.cosmetics.slots.state import INITIAL, fold
from shared.refusal import Refusal
from tests.support.slots import AT, BY, after, approve, fell, purge, remove, report, stands_again, upload

SLOTS = st.sampled_from(("avatar", "sleeve"))
NUMBERS = st.integers(0, 9)


class Images(RuleBasedStateMachine):
    """One player's images beside a plain account of what should have become of each.

    `known` is the state of each, `was` the one in which its removal found it, `listed` who is barred, `due` who was reported since anyone decided.
    """

    def __init__(self) -> None:
        super().__init__()
        self.state, self.log = INITIAL, list[object]()
        self.known, self.was, self.slot = dict[str, str](), dict[str, str](), dict[str, str]()
        self.listed, self.due, self.fallen, self.by_incident = set[str](), set[str](), set[str](), set[str]()

    def _done(self, command: SlotCommand) -> None:
        events = decide(command, self.state)
        self.log += events
        self.state = after(self.state, events)

    def _refused(self, command: SlotCommand, code: str) -> None:
        with pytest.raises(Refusal) as caught:
            decide(command, self.state)
        assert caught.value.code == code

    def _one(self, number: int, among: Collection[str] | None = None) -> str | None:
        names = [name for name in self.known if among is None or name in among]
        return names[number % len(names)] if names else None

    def _shown(self, slot: str) -> str | None:
        return next((name for name, state in self.known.items() if state == "active" and self.slot[name] == slot), None)

    @rule(slot=SLOTS)
    def a_picture_goes_up(self, slot: str) -> None:
        name, there = f"c{len(self.known)}", self._shown(slot)
        self._done(upload(name, slot))
        if there is not None:
            self.known[there] = "replaced"
        self.known[name], self.slot[name] = "active", slot

    @rule(slot=SLOTS)
    def the_player_empties_a_slot(self, slot: str) -> None:
        there = self._shown(slot)
        self._done(Delete(slot=slot, at=AT))
        if there is not None:
            self.known[there] = "deleted"

    @rule(number=NUMBERS, reporter=st.sampled_from(("r", "s")))
    def somebody_reports_one(self, number: int, reporter: str) -> None:
        name = self._one(number, [name for name, state in self.known.items() if state == "active"])
        if name is None:
            return
        if decide(report(name, reporter), self.state):
            self.due.add(name)
        self._done(report(name, reporter))

    @rule(number=NUMBERS)
    def a_reviewer_approves_one(self, number: int) -> None:
        name = self._one(number)
        if name is None:
            return
        if self.known[name] != "active" and not (name in self.due and self.known[name] in {"replaced", "deleted"}):
            self._refused(approve(name, f"sha-{name}"), "image_replaced")
            return
        self._done(approve(name, f"sha-{name}"))
        self.due.discard(name)

    @rule(number=NUMBERS, right=st.booleans())
    def a_reviewer_removes_one(self, number: int, right: bool) -> None:  # noqa: FBT001
        name = self._one(number, self.known.keys() - self.by_incident)  # one incident for each here
        if name is None:
            return
        command: Remove = remove(name, None if right else "sha-other")
        if self.known[name] == "purged":
            self._refused(command, "already_decided")
        elif not right:
            self._refused(command, "image_replaced")
        else:
            self.was[name] = self.known[name]
            self._done(command)
            self._refused(command, "already_decided")
            self.by_incident.add(name)
            self._barred(name, "removed")

    def _barred(self, name: str, state: str) -> None:
        self.known[name] = state
        self.listed.add(name)
        self.due.discard(name)

    @rule(number=NUMBERS)
    def its_incident_falls(self, number: int) -> None:
        name = self._one(number, self.by_incident - self.fallen)
        if name is None:
            return
        self._done(fell(name))
        self.fallen.add(name)
        self.listed.discard(name)
        if self.known[name] == "removed":
            used = self.was[name] == "active" and self._shown(self.slot[name]) is not None
            self.known[name] = "replaced" if used else self.was[name]

    @rule(number=NUMBERS)
    def its_incident_stands_again(self, number: int) -> None:
        name = self._one(number, self.fallen - self.listed)  # what was purged since is barred by that
        if name is None:
            return
        if self.known[name] != "purged":
            self.was[name] = self.known[name]
        self._done(stands_again(name))
        self.fallen.discard(name)
        self._barred(name, self.known[name] if self.known[name] == "purged" else "removed")

    @rule(number=NUMBERS)
    def a_head_admin_purges_one(self, number: int) -> None:
        name = self._one(number)
        if name is not None and self.known[name] != "purged":
            self._done(purge(name))
            self._barred(name, "purged")

    @rule(happens=NUMBERS)
    def the_player_is_erased(self, happens: int) -> None:
        if happens == 9:
            self._done(Forget(by=BY, until=AT, at=AT))
            self.known = dict.fromkeys(self.known, "purged")
            self.due.clear()

    @invariant()
    def each_image_is_what_was_made_of_it(self) -> None:
        items = self.state.cosmetics
        assert {name: item.state for name, item in items.items()} == self.known
        assert {name for name, item in items.items() if item.barred} == self.listed
        assert {name for name, item in items.items() if item.in_review and item.reports} == self.due
        live = [item.slot for item in items.values() if item.state == "active"]
        assert len(live) == len(set(live))

    def teardown(self) -> None:
        """The log alone gives the same."""
        assert fold(INITIAL, self.log) == self.state  # type: ignore[arg-type]


Images.TestCase.settings = settings(max_examples=300, stateful_step_count=30, deadline=None)
TestImages = Images.TestCase
