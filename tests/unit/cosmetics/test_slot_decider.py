"""The rules of cosmetics, given-when-then (I-9, I-60 to I-64, A10, I17)."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from services.cosmetics.slots.commands import Approve, Delete, Forget, Reinstate, Report, Restore, SlotCommand
from services.cosmetics.slots.decider import decide
from services.cosmetics.slots.events import CosmeticPurged, CosmeticRemoved, CosmeticRestored, CosmeticUploaded
from services.cosmetics.slots.state import INITIAL, fold
from tests.support.slots import AT, BY, LIKENESS, PICTURE, WHY, after, approve, given, purge, refused, remove, states, upload


def test_an_upload_replaces_what_is_in_its_slot_only() -> None:
    """I-62."""
    state = given(upload("a"), upload("b", "sleeve"))
    (event,) = decide(upload("c"), state)
    assert isinstance(event, CosmeticUploaded)
    assert event.replaced == "a"
    assert states(after(state, [event])) == {"a": "replaced", "b": "active", "c": "active"}


@pytest.mark.parametrize(
    ("facts", "code"),
    [({"pro": False}, "pro_required"), ({"banned": True}, "banned"), ({"known": "gallery"}, "unlock_gallery_artwork"),
     ({"known": "removed"}, "previously_removed"), ({"slot": "hat"}, "unknown_slot")],
)  # fmt: skip
def test_an_upload_is_refused_by_the_facts_of_its_commit(facts: dict[str, Any], code: str) -> None:
    """I-62, I-63, I19."""
    refused(code, upload("a", **facts))


def test_a_deleted_slot_is_empty_and_deleting_again_changes_nothing() -> None:
    """I-62."""
    state = given(upload("a"), Delete(slot="avatar", at=AT))
    assert states(state) == {"a": "deleted"}
    assert decide(Delete(slot="avatar", at=AT), state) == []


def test_a_removal_binds_to_the_hash_that_was_seen() -> None:
    """I-64: never on a newer image, nor on the older one by the hash of the newer."""
    state = given(upload("a"), upload("b"))
    for command in (remove("b", "sha-a"), remove("a", "sha-b"), approve("b", "sha-a"), approve("a", "sha-a"), approve("a")):
        refused("image_replaced", command, state)


def test_of_two_removals_the_second_is_refused() -> None:
    """I-64, C01."""
    refused("already_decided", remove("a"), given(upload("a"), remove("a")))


def test_nobody_decides_on_their_own_image() -> None:
    own = replace(BY, player_id="p")
    state = given(upload("a"))
    for command in (
        replace(remove("a"), by=own),
        Approve(cosmetic_id="a", player_id="p", by=own, sha256=None, at=AT),
        purge("a", own),
    ):
        refused("conflict_of_interest", command, state)


def test_an_overturned_removal_brings_the_image_back_unless_the_slot_was_used_again() -> None:
    """A10, I-63: off the list in both cases."""
    fell = Restore(incident_id="inc-a", at=AT)
    free = given(upload("a"), remove("a"))
    assert free.cosmetics["a"].barred
    back = after(free, decide(fell, free))
    assert (states(back), back.cosmetics["a"].barred) == ({"a": "active"}, False)
    assert decide(fell, back) == []
    used = given(upload("a"), remove("a"), upload("b"), fell)
    assert (states(used), used.cosmetics["a"].barred) == ({"a": "replaced", "b": "active"}, False)


def test_a_purged_image_never_comes_back_yet_is_off_the_list_when_its_removal_falls() -> None:
    """I-63, I-64: there are no bytes to show, but an overturned removal bars nothing."""
    fell = Restore(incident_id="inc-a", at=AT)
    state = given(upload("a"), remove("a"), purge("a"))
    assert decide(purge("a"), state) == []
    assert (states(state), state.cosmetics["a"].barred) == ({"a": "purged"}, True)
    (restored,) = decide(fell, state)
    assert isinstance(restored, CosmeticRestored)
    assert not restored.active
    state = after(state, [restored])
    assert (states(state), state.cosmetics["a"].barred, decide(fell, state)) == ({"a": "purged"}, False, [])


def test_an_image_purged_after_its_removal_fell_is_barred_by_the_purge_alone() -> None:
    """I-64: found illegal later, whatever became of the first removal, which can't fall once more."""
    fell, destroy = Restore(incident_id="inc-a", at=AT), purge("a")
    state = given(upload("a"), remove("a"), fell, destroy)
    assert (states(state), state.cosmetics["a"].barred, state.cosmetics["a"].barred_by) == ({"a": "purged"}, True, None)
    assert decide(fell, state) == []
    assert decide(Reinstate(incident_id="inc-a", at=AT), state) == []


@pytest.mark.parametrize(
    ("since", "left"),
    [((), {"a": "removed"}), ((upload("b"),), {"a": "removed", "b": "active"}), ((Delete(slot="avatar", at=AT),), {"a": "removed"}),
     ((Forget(by=BY, until=AT, at=AT),), {"a": "purged"})],
)  # fmt: skip
def test_a_removal_that_stands_again_removes_the_image_again(since: tuple[SlotCommand, ...], left: dict[str, str]) -> None:
    """I-20: a rollback was reversed. Back on the list and out of the slot, and what came into the slot since stays."""
    again = Reinstate(incident_id="inc-a", at=AT)
    state = given(upload("a"), remove("a"))
    assert decide(again, state) == []
    state = given(upload("a"), remove("a"), Restore(incident_id="inc-a", at=AT), *since, again)
    item = state.cosmetics["a"]
    assert (states(state), item.barred, item.barred_by, item.in_review) == (left, True, "inc-a", False)
    assert decide(again, state) == []
    assert not after(state, decide(Restore(incident_id="inc-a", at=AT), state)).cosmetics["a"].barred


def test_what_an_image_looks_like_is_in_the_open_only_once_it_is_barred() -> None:
    """I-63, bar 14: until then it is sealed with the upload, and goes with an erasure; the list itself outlives that."""
    live = given(upload("a"), upload("b", "sleeve"), upload("c", "token"))
    assert [item.prints for item in live.cosmetics.values()] == [(), (), ()]
    (taken,), (destroyed,) = decide(remove("a"), live), decide(purge("b"), live)
    assert isinstance(taken, CosmeticRemoved)
    assert isinstance(destroyed, CosmeticPurged)
    assert (taken.prints, destroyed.prints) == (LIKENESS.prints, LIKENESS.prints)
    barred = after(live, [taken, destroyed])
    erased = after(barred, decide(Forget(by=BY, until=AT, at=AT), barred))
    assert states(erased) == dict.fromkeys("abc", "purged")
    assert [(item.barred, item.prints) for item in erased.cosmetics.values()] == [(True, ("sealed",)), (True, ("sealed",)), (False, ())]


def test_an_upload_of_version_1_is_barred_by_the_fingerprints_that_it_kept_in_the_open() -> None:
    """I-63."""
    old = upload("a", picture=replace(PICTURE, sha256="sha-a", prints=("open",)))
    assert given(old, replace(remove("a"), prints=())).cosmetics["a"].prints == ("open",)


def test_the_time_to_fold_grows_with_the_uploads_and_not_with_their_square() -> None:
    """A player who uploads all day makes nobody else wait for a standing."""

    def seconds(count: int) -> float:
        uploads = [
            CosmeticUploaded(cosmetic_id=f"{n}", player_id="p", slot="avatar", picture=PICTURE, replaced=f"{n - 1}" if n else None, at=AT)
            for n in range(count)
        ]
        started = time.process_time()
        state = fold(INITIAL, uploads)
        spent = time.process_time() - started
        assert (state.version, states(state)[f"{count - 1}"]) == (count, "active")
        return spent

    few, many = min(seconds(1000) for _ in range(3)), seconds(10_000)
    assert many < 40 * few


def test_a_report_puts_an_image_back_into_review_and_a_reporter_counts_once() -> None:
    """I-64."""
    report = Report(cosmetic_id="a", reporter_id="r", words=WHY, at=AT)
    state = given(upload("a"), Approve(cosmetic_id="a", player_id="p", by=BY, sha256=None, at=AT))
    assert not state.cosmetics["a"].in_review
    state = after(state, decide(report, state))
    assert (state.cosmetics["a"].in_review, state.cosmetics["a"].reports) == (True, 1)
    assert decide(report, state) == []


def test_forgetting_a_player_purges_all_and_bars_only_what_was_barred() -> None:
    """Bar 14; what was uploaded after the erasure stays."""
    state = given(upload("a"), remove("a"), upload("b"), upload("later", "sleeve", at=AT + timedelta(seconds=1)))
    events = decide(Forget(by=BY, until=AT, at=AT), state)
    assert [(event.cosmetic_id, event.listed) for event in events if isinstance(event, CosmeticPurged)] == [("a", True), ("b", False)]


def test_moments_never_go_backwards_along_a_player() -> None:
    """E02."""
    state = given(upload("a"))
    (event,) = decide(replace(upload("b"), at=AT.replace(year=2020)), state)
    assert event.at == AT
    assert not isinstance(event, CosmeticRestored)
