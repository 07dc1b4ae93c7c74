"""What holds whatever happens at a tournament: random events, seeded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.moderation.policy.penalties import PENALTIES, severity
from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.events import PenaltyGiven, PenaltyWords, TournamentEvent
from services.moderation.tournaments.registered import register
from services.moderation.tournaments.sheet import sheet_view
from services.moderation.tournaments.state import INITIAL, evolve, evolve_all
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.registry import EventRegistry
from shared.refusal import Refusal
from shared.security.shredding import new_data_key
from tests.support.tournament import GUIDE, ORGANISER, PLAYERS, T0, Event, offense, organised

LOWERING = {"1-self-report", "1-deviation", "111-obvious-card", "110-lost-sideboard", "30-instruction", "20-match-point", "110-before-play"}
REPEATS = {"40-repeat", "40-regular", "40-after-match-point", "120-similar", "131-exceptional"}
REGISTRY = EventRegistry()
register(REGISTRY)
CODEC = Codec(REGISTRY)
KEY = new_data_key()
_FLAGS = ("upgrade", "self_reported", "unnoticeable", "took_long", "told_at_once", "obvious_card", "opponents_noticed", "ten_minutes")
_SITUATION = ("new_game_began", "between_rounds", "before_match", "opponent_match_loss")

offenses = st.fixed_dictionaries(
    {
        "infraction": st.sampled_from([name for name in GUIDE.infractions if name not in {"fraud", "outside-assistance", "cheating-other"}]),
        "person_id": st.sampled_from(PLAYERS),
        "game": st.integers(1, 3),
        "cause": st.sampled_from([None, None, "x", "y"]),
        "new_round": st.booleans(),
        "drops": st.sampled_from([None, None, None, None, *PLAYERS]),
        "flags": st.sets(st.sampled_from(_FLAGS), max_size=2),
        "situation": st.sets(st.sampled_from(_SITUATION), max_size=1),
        "deviation": st.sampled_from([None, None, None, "caution", "match_loss"]),
    }
)
tournaments = st.fixed_dictionaries(
    {
        "rel": st.sampled_from(["regular", "competitive", "professional"]),
        "games": st.sampled_from([1, 3]),
        "offenses": st.lists(offenses, max_size=14),
    }
)


def played(plan: dict[str, Any]) -> Event:
    """The tournament after those of the offenses that are not refused."""
    event = organised(rel=plan["rel"], games_per_match=plan["games"])
    for number, one in enumerate(plan["offenses"]):
        if one["new_round"] and event.state.current_round < 5:
            playing = [person.person_id for person in event.state.people.values() if person.playing]
            try:
                event.next_round(*[tuple(playing[at : at + 2]) for at in range(0, len(playing), 2)])
            except Refusal:
                continue
        if one["drops"] is not None:
            event.do(ask.DropPerson(person_id=one["drops"], by=ORGANISER, at=T0))
        deviation = None if one["deviation"] is None else ask.WantedDeviation(penalty=one["deviation"])
        said = dict.fromkeys((*one["flags"], *one["situation"]), True)
        plain = {"opponents_noticed": False, "round": event.state.current_round, "game": one["game"], "at": T0 + timedelta(hours=12, minutes=number)}
        try:
            words = PenaltyWords(description="Seen by both.", root_cause=one["cause"])
            event.do(offense(one["infraction"], one["person_id"], cause=one["cause"], deviation=deviation, words=words, **{**plain, **said}))
        except Refusal:
            continue
    return event


def penalties(event: Event) -> list[PenaltyGiven]:
    return [one for one in event.past.past if isinstance(one, PenaltyGiven)]


@settings(max_examples=60, deadline=None)
@given(tournaments)
def test_steps_lead_from_the_standard_to_the_penalty_and_go_up_but_for_the_rules_that_lower(plan: dict[str, Any]) -> None:
    """Only a repeat of what the head judge lowered before may begin below the table (I-72): same person, same infraction."""
    lowered: set[tuple[str, str]] = set()
    for one in penalties(played(plan)):
        assert one.steps or one.penalty == one.standard
        assert not one.steps or (one.steps[0].before, one.steps[-1].after) == (one.standard, one.penalty)
        assert all(step.after == following.before for step, following in pairwise(one.steps))
        assert all(step.rule in GUIDE.rules for step in one.steps)
        for step in one.steps:
            falls = step.rule in LOWERING or (step.rule in REPEATS and (one.person_id, one.infraction) in lowered)
            assert falls or severity(step.after) > severity(step.before), step
        if any(step.rule in LOWERING for step in one.steps):
            lowered.add((one.person_id, one.infraction))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([name for name, row in GUIDE.infractions.items() if row.repeats == "always"]), st.sampled_from([1, 3]), st.integers(2, 6))
def test_repeats_never_get_cheaper(infraction: str, games: int, times: int) -> None:
    """I-72."""
    event = organised(games_per_match=games, decklists=infraction != "illegal-deck-no-list")
    given_: list[int] = []
    for number in range(times):
        if event.state.people["a"].disqualified is not None:
            break
        if number:
            event.next_round()
        given_.append(severity(event.give(infraction, round=event.state.current_round).penalty))
    assert given_ == sorted(given_)
    assert PENALTIES.index("match_point") not in given_[1:], "a Match Point is never a repeat's"


@settings(max_examples=60, deadline=None)
@given(tournaments)
def test_absorbed_penalties_are_applied_nowhere_and_one_of_each_cause_is(plan: dict[str, Any]) -> None:
    """I-75."""
    event = played(plan)
    state = event.state
    for one in state.penalties.values():
        if one.absorbed:
            assert (one.applies_to, one.effects) == (None, ())
            assert not [duty for duty in state.duties.values() if duty.penalty_id == one.penalty_id and duty.discharged_by is None]
    held = Counter((one.person_id, one.cause) for one in state.penalties.values() if one.cause and not one.absorbed and one.penalty)
    assert set(held.values()) <= {1}
    shown = {line["penalty_id"] for number in state.rounds for part in ("game_losses", "match_losses") for line in sheet_view(state, number)[part]}
    assert not shown & {one.penalty_id for one in state.penalties.values() if one.absorbed}


@settings(max_examples=60, deadline=None)
@given(tournaments)
def test_a_game_is_lost_once_and_every_match_has_one_result(plan: dict[str, Any]) -> None:
    """I-74, T03."""
    state = played(plan).state
    lost = [(e.person_id, e.round, e.game) for one in state.penalties.values() for e in one.effects if e.kind == "lose_game"]
    assert len(lost) == len(set(lost))
    for one in state.penalties.values():
        named = {(e.round, e.game) for e in one.effects if e.kind == "lose_game"}
        assert named <= {(one.applies_to.round, one.applies_to.game)} if one.applies_to is not None else not named
    matches = [(e.person_id, e.round) for one in state.penalties.values() for e in one.effects if e.kind == "lose_match"]
    assert len(matches) == len(set(matches))
    for number in state.rounds:
        for match in sheet_view(state, number)["matches"]:
            assert len(match["players"]) > 1 or not match["games_lost"], "a bye has no games"
            assert match["winner"] not in match["match_lost_by"]
            assert (match["winner"] is None) or len(match["match_lost_by"]) == len(match["players"]) - 1


@settings(max_examples=60, deadline=None)
@given(tournaments)
def test_replay_is_stable(plan: dict[str, Any]) -> None:
    """The events as they are stored make the same state, at once, one by one or in parts; nobody disqualified is penalised or paired after."""
    event = played(plan)
    past = [stored_and_read(one, number) for number, one in enumerate(event.past.past, 1)]
    assert past == list(event.past.past)
    state = INITIAL
    for number, one in enumerate(past, 1):
        if isinstance(one, PenaltyGiven):
            assert state.people[one.person_id].disqualified is None
        before, then = state, (dict(state.people), dict(state.penalties), dict(state.duties))
        state = evolve(state, one)
        assert state.version == number
        assert then == (before.people, before.penalties, before.duties), "what was known stays"
    assert state == event.state == evolve_all(INITIAL, past)
    half = evolve_all(INITIAL, past[: len(past) // 2])
    kept = replace(half, people=dict(half.people), penalties=dict(half.penalties), duties=dict(half.duties))
    assert evolve_all(half, past[len(past) // 2 :]) == state
    assert half == kept, "folding on changes nothing about where it began"


def stored_and_read(event: TournamentEvent, version: int) -> Any:
    """The event after it went through the log."""
    stream = "tournament-t1"
    name, payload = CODEC.encode(event, stream=stream, version=version, data_key=KEY)
    stored = StoredEvent(
        position=version, stream=stream, version=version, type=name, recorded_at=T0, command_id="c", meta=b"{}", payload=payload, leaf_hash=bytes(32)
    )
    return CODEC.decode(stored, data_key=KEY)


def test_what_is_decided_depends_on_no_hash_seed_and_no_time_zone() -> None:
    """Bar 7's first half."""
    program = (
        "from tests.support.tournament import organised\n"
        "event = organised()\n"
        "for name in ('unlisted-minor', 'missed-trigger', 'failure-to-reveal', 'unsporting-major', 'unsporting-major'):\n"
        "    event.give(name, opponents_noticed=False)\n"
        "print(event.past.past, event.state)\n"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}, capture_output=True, check=True, text=True
        ).stdout
        for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("4242", "America/St_Johns"))
    }
    assert len(seen) == 1
