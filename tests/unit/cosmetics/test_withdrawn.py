"""What a player replaced or deleted is still decided about: swapping a reported image evades nothing (I-63, I-64, A-51)."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from services.cosmetics.slots.commands import Delete, Forget, SlotCommand
from services.cosmetics.slots.decider import decide
from services.cosmetics.slots.events import CosmeticRemoved
from services.cosmetics.slots.state import SlotState
from services.cosmetics.views.cosmetic import rows_of
from services.cosmetics.views.feed import slot_items
from tests.support.slots import AT, BY, LIKENESS, after, approve, fell, given, purge, refused, remove, report, stands_again, states, upload

EMPTIED, SWAPPED = Delete(slot="avatar", at=AT), upload("b")
withdrawn = pytest.mark.parametrize(("withdrawal", "was"), [(SWAPPED, "replaced"), (EMPTIED, "deleted")], ids=["replaced", "deleted"])


def told(command: SlotCommand, state: SlotState) -> list[tuple[str, dict[str, object]]]:
    """What the feed tells of the command: the type of each item, and its data."""
    return [(item.type, msgspec.json.decode(item.data)) for item in slot_items("p", state, decide(command, state), first=0)]


@withdrawn
def test_what_was_withdrawn_before_a_reviewer_acted_is_removed_by_its_own_hash_and_barred(withdrawal: SlotCommand, was: str) -> None:
    """I-63, I-64; the newer image stays."""
    state = given(upload("a"), report("a"), withdrawal)
    (event,) = decide(remove("a"), state)
    assert isinstance(event, CosmeticRemoved)
    assert (event.sha256, event.incident_id, event.prints) == ("sha-a", "inc-a", LIKENESS.prints)
    done = after(state, [event])
    assert (states(done)["a"], done.cosmetics["a"].barred, done.cosmetics["a"].in_review) == ("removed", True, False)
    assert done.cosmetics.get("b") == state.cosmetics.get("b")
    refused("already_decided", remove("a"), done)
    assert states(state)["a"] == was


@withdrawn
def test_of_what_was_withdrawn_no_other_hash_removes_or_approves_anything(withdrawal: SlotCommand, was: str) -> None:
    """Contract: a decision never lands on a newer image; nor on one's own account."""
    state = given(upload("a"), report("a"), withdrawal)
    for command in (remove("a", "sha-b"), approve("a", "sha-b"), approve("a")):
        refused("image_replaced", command, state)
    refused("conflict_of_interest", replace(remove("a"), by=replace(BY, player_id="p")), state)
    refused("already_decided", remove("a"), after(state, decide(purge("a"), state)))
    assert states(state)["a"] == was


@withdrawn
@pytest.mark.parametrize("emptied_since", [False, True])
def test_overturning_makes_it_again_what_it_was_and_never_active(withdrawal: SlotCommand, was: str, emptied_since: bool) -> None:  # noqa: FBT001
    """A10, A-51: the player had taken it out of the slot themselves, whether the slot is in use now or empty."""
    state = given(upload("a"), withdrawal, remove("a"), *((EMPTIED,) if emptied_since else ()))
    back = after(state, decide(fell("a"), state))
    assert (states(back)["a"], back.cosmetics["a"].barred) == (was, False)
    assert {**states(back), "a": None} == {**states(state), "a": None}
    assert decide(fell("a"), back) == []


@withdrawn
def test_a_removal_that_stands_again_and_falls_again_leaves_it_what_it_was(withdrawal: SlotCommand, was: str) -> None:
    """I-20: on the list and off it, as often as that is."""
    state = given(upload("a"), withdrawal, remove("a"))
    for _ in range(2):
        state = after(state, decide(fell("a"), state))
        assert (states(state)["a"], state.cosmetics["a"].barred) == (was, False)
        state = after(state, decide(stands_again("a"), state))
        assert (states(state)["a"], state.cosmetics["a"].barred) == ("removed", True)


@withdrawn
def test_what_the_player_withdrew_after_a_removal_fell_does_not_come_back_when_it_falls_again(withdrawal: SlotCommand, was: str) -> None:
    """I-20, A-51: it was live once more, and the player took it out."""
    state = given(upload("a"), remove("a"), fell("a"), withdrawal, stands_again("a"), EMPTIED, fell("a"))
    assert (states(state)["a"], state.cosmetics["a"].barred) == (was, False)


def test_what_was_live_when_it_was_removed_comes_back_each_time_that_its_removal_falls() -> None:
    """A10, I-20: as before; and with its slot used again it counts as replaced from then on."""
    assert states(given(upload("a"), remove("a"), fell("a"), stands_again("a"), fell("a"))) == {"a": "active"}
    used = (upload("a"), remove("a"), SWAPPED, fell("a"))
    assert states(given(*used)) == {"a": "replaced", "b": "active"}
    assert states(given(*used, stands_again("a"), EMPTIED, fell("a"))) == {"a": "replaced", "b": "deleted"}


def test_an_image_that_came_back_out_of_its_slot_is_removed_again_by_a_new_incident() -> None:
    """I-64: the first removal fell; a second one finds it replaced."""
    state = given(upload("a"), remove("a"), SWAPPED, fell("a"), replace(remove("a"), incident_id="inc-2"))
    item = state.cosmetics["a"]
    assert (item.state, item.barred, item.barred_by) == ("removed", True, "inc-2")
    assert states(after(state, decide(replace(fell("a"), incident_id="inc-2"), state)))["a"] == "replaced"


@withdrawn
def test_purge_and_erasure_of_what_was_withdrawn_and_removed_keep_it_purged(withdrawal: SlotCommand, was: str) -> None:
    """I-64, bar 14: barred as long as the removal stands; without bytes it becomes nothing else."""
    for end in (purge("a"), Forget(by=BY, until=AT, at=AT)):
        state = given(upload("a"), withdrawal, remove("a"), end)
        assert (states(state)["a"], state.cosmetics["a"].barred) == ("purged", True), was
        for follows, barred in ((fell("a"), False), (stands_again("a"), True), (fell("a"), False)):
            state = after(state, decide(follows, state))
            assert (states(state)["a"], state.cosmetics["a"].barred) == ("purged", barred)


@withdrawn
def test_the_feed_is_silent_where_nothing_shown_changed(withdrawal: SlotCommand, was: str) -> None:
    """A-51: an item would make game servers clear what is in the slot now."""
    state = given(upload("a"), withdrawal)
    assert told(remove("a"), state) == []
    state = after(state, decide(remove("a"), state))
    assert told(fell("a"), state) == []
    state = after(state, decide(fell("a"), state))
    assert (states(state)["a"], told(stands_again("a"), state)) == (was, [])


def test_the_feed_names_what_leaves_its_slot_and_says_of_a_purge_whether_it_was_there() -> None:
    """Feed types; a purged image leaves caches, wherever it was."""
    state = given(upload("a"))
    ((kind, data),) = told(remove("a"), state)
    assert (kind, data["cosmetic_id"], data["because"], data["incident_id"]) == ("cosmetic.removed", "a", "removed", "inc-a")
    for before, live in ((state, True), (given(upload("a"), SWAPPED), False)):
        ((kind, data),) = told(purge("a"), before)
        assert (kind, data["cosmetic_id"], data["because"], data["was_active"]) == ("cosmetic.removed", "a", "purged", live)


@withdrawn
def test_what_was_reported_and_then_withdrawn_stays_in_the_review_list_behind_what_is_shown(withdrawal: SlotCommand, was: str) -> None:
    """I-64, A-52: until it is decided. What nobody reported, or what was approved since, is none of the reviewers' any more."""
    state = given(upload("a"), report("a"), withdrawal)
    assert (state.cosmetics["a"].in_review, states(state)["a"]) == (True, was)
    for end in (approve("a", "sha-a"), remove("a"), purge("a"), Forget(by=BY, until=AT, at=AT)):
        assert not after(state, decide(end, state)).cosmetics["a"].in_review
    approved = after(state, decide(approve("a", "sha-a"), state))
    assert states(approved)["a"] == was
    refused("image_replaced", approve("a", "sha-a"), approved)
    assert not given(upload("a"), withdrawal).cosmetics["a"].in_review
    assert not given(upload("a"), report("a"), approve("a"), withdrawal).cosmetics["a"].in_review
    assert given(upload("a"), report("a"), approve("a"), report("a", "s"), withdrawal).cosmetics["a"].in_review
    assert not given(upload("a"), report("a"), withdrawal, remove("a"), fell("a")).cosmetics["a"].in_review


def test_in_the_review_list_what_is_shown_comes_first_and_each_part_has_the_most_reported_first() -> None:
    """I-64, A-52."""
    state = given(
        upload("live"), report("live"),
        upload("new", "sleeve"),
        upload("once", "token"), report("once"), Delete(slot="token", at=AT),
        upload("twice", "playmat"), report("twice"), report("twice", "s"), Delete(slot="playmat", at=AT),
    )  # fmt: skip
    ranks = {str(write.row[0]): write.row[6] for write in rows_of("p", given(), state)}
    assert sorted(ranks, key=ranks.__getitem__) == ["live", "new", "twice", "once"]
