"""Decisions, their appeals, the end: I-19, I-32, I-33, I-46 to I-49, bar 16."""

from __future__ import annotations

from typing import Any

import pytest

from services.calls.calls import events as did
from services.calls.calls.commands import Resolve, Staff
from services.calls.rooms.authority import ruling_authority
from tests.support.calls import (
    ADMIN,
    ADMIN_B,
    CALLS,
    DECISION,
    HEAD,
    P1,
    P2,
    SENIOR,
    SENIOR_B,
    T0,
    WATCHER,
    appeal,
    appeal_decided,
    appealed,
    decide,
    joined,
    opened,
    released,
    resolve,
    resolved,
    ruled,
    taken,
    verdict,
    withdrawn,
)

TAKEN = CALLS.given(opened(), taken())
RULED = TAKEN.given(ruled())


def test_a_ruling_records_whose_rulings_hold() -> None:
    """I-48."""
    TAKEN.when(decide()).then(ruled())


@pytest.mark.parametrize(
    ("duel_format", "authority"),
    [("ocg", "OCG"), ("ocg-2026-10", "OCG"), ("rush", "OCG"), ("rush-duel", "OCG"), ("OCG", "OCG"), ("tcg", "TCG"), ("goat", "TCG"),
     ("tcg-ocg", "TCG"), ("ocgx", "TCG"), ("rushed", "TCG"), ("-ocg", "TCG")],
)  # fmt: skip
def test_the_format_gives_the_authority(duel_format: str, authority: str) -> None:
    """I-48."""
    assert ruling_authority(duel_format) == authority


@pytest.mark.parametrize("kind", ["ruling", "no_action"])
def test_a_machines_word_is_no_source(kind: str) -> None:
    """I-19."""
    TAKEN.when(decide(kind=kind, sources=("official_ruling", "ai_ruling"))).refused("ai_ruling_not_accepted")


@pytest.mark.parametrize("claim", [{}, {"possible_in_paper": False}, {"from_history": True}, {"possible_in_paper": False, "from_history": True}])
def test_what_paper_play_does_not_allow_is_not_repaired(claim: dict[str, Any]) -> None:
    """I-49."""
    TAKEN.when(decide(kind="repair", **claim)).refused("irreparable_game_state")


def test_what_paper_play_allows_is_repaired() -> None:
    state = TAKEN.when(decide(kind="repair", possible_in_paper=True, from_history=True, sources=())).scenario.state()
    assert state.decisions == {}
    (made,) = CALLS.decider.decide(decide(kind="repair", possible_in_paper=True), TAKEN.state())
    assert isinstance(made, did.DecisionMade)
    assert (made.kind, made.ruling_authority) == ("repair", None)


@pytest.mark.parametrize(("kind", "fields"), [
    ("penalty", {}), ("ruling", {"incident_id": "i1", "player_id": P2}), ("ruling", {"possible_in_paper": True}),
    ("no_action", {"from_history": False}),
])  # fmt: skip
def test_each_kind_has_its_own_fields(kind: str, fields: dict[str, Any]) -> None:
    TAKEN.when(decide(kind=kind, **fields)).refused("invalid_request")


@pytest.mark.parametrize("player", [P1, P2])
def test_either_participant_appeals(player: str) -> None:
    """I-47."""
    state = RULED.when(appeal(player)).then(did.DecisionAppealed(decision_id=DECISION, player_id=player, at=T0)).state()
    assert (state.state, state.taker) == ("appealed", "admin-1")


def test_a_released_call_is_appealed_and_stays_paused() -> None:
    """I-47: releasing is no way to refuse an appeal; nobody sees to the duel meanwhile."""
    state = RULED.given(released()).when(appeal()).then(appealed()).state()
    assert (state.state, state.pauses, state.admin) == ("appealed", True, None)


def test_who_does_not_play_does_not_appeal() -> None:
    RULED.when(appeal(WATCHER)).refused("not_in_duel")


def test_there_is_no_appeal_before_a_decision_nor_of_another_calls() -> None:
    """I-33."""
    TAKEN.when(appeal()).refused("no_decision_yet")
    RULED.when(appeal(decision_id="d9")).refused("not_found")


def test_an_open_appeal_stands_in_the_way_of_everything_of_the_takers() -> None:
    past = RULED.given(appealed())
    for command in (resolve(), decide()):
        assert past.when(command).refused("invalid_transition").current == "appealed"
    past.when(appeal(P1)).refused("invalid_transition")


@pytest.mark.parametrize("outcome", ["upheld", "overturned", "modified"])
def test_another_senior_has_the_last_word_and_the_call(outcome: str) -> None:
    """I-32, I-47."""
    past = RULED.given(appealed())
    after = past.when(verdict(outcome=outcome)).then(appeal_decided(outcome=outcome))
    assert (after.state().state, after.state().taker, after.state().admin) == ("taken", "senior-1", "senior-1")
    for player in (P1, P2):
        after.when(appeal(player)).refused("decision_final")
    after.when(verdict(SENIOR_B)).refused("invalid_transition")
    after.when(resolve()).refused("not_the_taker")
    after.when(resolve(SENIOR)).then(resolved(SENIOR))


def test_who_may_not_decide_the_appeal() -> None:
    """I-47, bar 16: below Senior, the decider, whoever had the call, who plays or called."""
    RULED.given(appealed()).when(verdict(ADMIN_B)).refused("senior_admin_required")
    own = CALLS.given(opened(), taken(SENIOR), ruled(SENIOR), appealed())
    own.when(verdict(SENIOR)).refused("conflict_of_interest")
    own.when(verdict(SENIOR_B)).then(appeal_decided(SENIOR_B))
    own.when(verdict(HEAD)).then(appeal_decided(HEAD))
    called = CALLS.given(opened(), taken(SENIOR), released(SENIOR), taken(ADMIN), ruled(), appealed())
    called.when(verdict(SENIOR)).refused("conflict_of_interest")
    for player in (P1, P2, WATCHER):
        with_watcher = RULED.given(joined(WATCHER, participant=False), appealed())
        with_watcher.when(verdict(Staff(staff_id="senior-9", role="senior_admin", player_id=player))).refused("conflict_of_interest")


def test_the_penalised_does_not_decide_on_their_own_penalty() -> None:
    """A penalty against somebody who does not play in the duel."""
    penalty = did.DecisionMade(
        decision_id=DECISION, kind="penalty", staff_id="admin-1", role="admin", subject="px", at=T0, incident_id="i1", player_id="px"
    )
    past = TAKEN.given(penalty, appealed())
    past.when(verdict(Staff(staff_id="senior-9", role="senior_admin", player_id="px"))).refused("conflict_of_interest")


def test_misuse_is_charged_to_the_caller_whose_problem_stands() -> None:
    """I-46; and the words of why are theirs, so that they go with their data key."""
    past = CALLS.given(opened(), joined(), withdrawn(P1), taken())
    command = Resolve(by=ADMIN, at=T0, words=did.Words(text="Nothing."), misuse=True, incident_id="i1")
    (done,) = CALLS.decider.decide(command, past.state())
    assert isinstance(done, did.CallResolved)
    assert (done.charged, done.subject, done.incident_id) == (P2, P2, "i1")
