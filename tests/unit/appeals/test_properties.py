"""For any record and any appeals of it: what a decision shows is what is recorded, nothing gets harsher, and all overturned is a clean player."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.moderation.appeals.cascade import Question, retell
from services.moderation.audit.explain import explanation
from services.moderation.audit.replay import steps
from services.moderation.record.commands import LiftIpBan, RecordCommand
from services.moderation.record.events import Discretion
from services.moderation.record.state import INITIAL, evolve, fold
from services.moderation.views.incidents import collect
from services.moderation.views.network_rows import active_ip_bans, may_bar, network_writes
from services.moderation.views.standing import Standing, facts_of, standing_at
from services.moderation.views.timeline import fold_all
from shared.refusal import Refusal
from tests.support.appeals import HEAD_B, SENIOR_B, decide, filed, now, overturn, recorded, target, withdrawn
from tests.support.record import HEAD, NEW, PLAYER, POLICY, T0, Past, adjustment, charge, evading, imported, incident, outcomes

ROWS = ("spam-major", "spam-minor", "cheating", "malicious-afk", "harassment-minor", "unsporting-minor", "boosting", "lurking", "trolling-major",
        "doxing", "profanity-to-admin", "spam-severe", "inexperience", "custom-cosmetics", "harassment-major")  # fmt: skip
KINDS = ("charge", "charge", "charge", "upgrade", "evade", "import", "adjust", "lift", "file", "withdraw", "decide", "decide")
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 99), st.integers(0, 4000)), min_size=1, max_size=12)
ADJUSTED: tuple[tuple[str | int, ...], ...] = ((5,), ("warning",), ("permanent_ban",), (2, "warning"))
POLICIES = {POLICY.version: POLICY}


def charged(past: Past, number: int, at: timedelta, *, upgrade: bool) -> RecordCommand:
    """Another incident, with the choice that its cell may leave."""
    row = ROWS[number % len(ROWS)]
    days: dict[str, Any] = {"days": 3 + number % 3} if row == "spam-severe" and past.state().strikes == 0 else {}
    return incident(charge(row, upgrade=upgrade, **days), at=T0 + at, duel_id=f"d{number % 2}")


def command_of(past: Past, kind: str, number: int, at: timedelta) -> RecordCommand:
    """Something decided about the player."""
    known = list(past.state().incidents)
    if kind in ("charge", "upgrade") or not known:
        return charged(past, number, at, upgrade=kind == "upgrade")
    if kind == "evade":
        return evading(*(f"alt-{(number + n) % 7}" for n in range(1 + number % 3)), at=T0 + at, banned={f"alt-{n}": True for n in range(7)})
    if kind == "import":
        return imported(1 + number % 5, decided_at=T0 - timedelta(days=number), at=T0 + at, strike=number % 3 > 0)
    chosen = known[number % len(known)]
    if kind == "lift":
        return LiftIpBan(incident_id=chosen, player_id=PLAYER, at=T0 + at, by=HEAD, reason="r")
    return adjustment(chosen, *ADJUSTED[number % 4], at=T0 + at, strike=number % 2 == 0)


def appealing(past: Past, kind: str, number: int) -> Past:
    """Something that happens with an appeal; each decision is checked against what it shows."""
    state = past.state()
    known, open_ = list(state.incidents), [appeal for appeal in state.appeals.values() if appeal.state == "open"]
    if kind == "file" and known:
        chosen = state.incidents[known[number % len(known)]]
        of_adjustment = list(chosen.adjustments)[:1] if number % 4 == 0 else []
        what = target(adjustment_id=of_adjustment[0]) if of_adjustment else target(chosen.incident_id)
        return filed(past, what, incident_id=chosen.incident_id)[0]
    if not open_:
        return past
    appeal = open_[number % len(open_)]
    if kind == "withdraw":
        return withdrawn(past, appeal.appeal_id)
    outcome = ("overturned", "overturned", "modified", "upheld")[number % 4]
    extra: dict[str, Any] = {"sanctions": outcomes(2), "strike": True} if outcome == "modified" else {}
    if outcome == "overturned":
        extra = {"cascade": number % 5 > 0, "choices": {name: Discretion(days=4) for name in known} if number % 2 else {}}
    done = decide(past, appeal.appeal_id, outcome, by=SENIOR_B, **extra)
    check_decision(past, done.past, gentle=outcome == "overturned" and appeal.target.adjustment_id is None, whole=not done.effects.kept)
    return done.past


def standing(past: Past) -> Standing:
    state = past.state()
    return standing_at(PLAYER, facts_of(state), 0, now(past))


def hardness(found: Standing) -> tuple[int, float, bool]:
    """How hard the player stands: strikes, the end of the ban, the ban of the networks."""
    ban = found.ban
    end = float("-inf") if ban is None else float("inf") if ban.ends_at is None else ban.ends_at.timestamp()
    return found.strikes, end, found.ip_banned


def check_decision(before: Past, after: Past, *, gentle: bool, whole: bool) -> None:
    """Nothing harsher comes of an overturn; when nothing was kept, telling the record again changes nothing more."""
    was, stands = hardness(standing(before)), hardness(standing(after))
    assert stands[0] >= 0
    if gentle:
        assert all(new <= old for new, old in zip(stands, was, strict=True))
    state, record = after.state(), recorded(after.past)
    told = retell(record, state, Question(without=frozenset(), after=len(record), policies=POLICIES, choices={}), iter(()))
    if gentle and whole:
        assert hardness(standing_at(PLAYER, facts_of(told.state), 0, now(after))) == stands


def told(story: list[tuple[str, int, int]]) -> Past:
    """The record after all these; what is refused did not happen."""
    past, at = NEW, timedelta()
    for kind, number, minutes in story:
        at += timedelta(minutes=minutes)
        with suppress(Refusal):
            past = appealing(past, kind, number) if kind in ("file", "withdraw", "decide") and past.past else past.after(
                command_of(past, kind, number, at))  # fmt: skip
        assert past.state().strikes >= 0
    return past


@settings(max_examples=120, deadline=None)
@given(story=STEPS)
def test_the_replays_last_step_is_the_standing_and_every_sanction_has_a_cause(story: list[tuple[str, int, int]]) -> None:
    """Issue 3, 2 and 4: the fold of the record, step by step, and why each sanction of it."""
    past = told(story)
    record = recorded(past.past)
    state = fold_all(record)
    walked = list(steps(PLAYER, record))
    if walked:
        assert state.last_at is not None
        assert walked[-1].after == standing_at(PLAYER, facts_of(state), len(record), state.last_at)
        assert all(after.before == before.after for before, after in pairwise(walked))
        for after in range(len(record)):
            assert list(steps(PLAYER, record, after=after)) == walked[after:]
    found = collect(PLAYER, record)
    for incident_id in found.incidents:
        explained = explanation(found, found.incidents[incident_id], record, POLICY)
        assert explained["events"]
        assert all(sanction["why"] for sanction in explained["sanctions"])


@settings(max_examples=120, deadline=None)
@given(story=STEPS)
def test_folding_at_once_is_folding_one_by_one_and_no_state_ever_changes(story: list[tuple[str, int, int]]) -> None:
    """The fold works on maps of its own: whoever holds an earlier state, even the one it began with, sees it as it was."""
    events = told(story).past
    states = [INITIAL]
    for event in events:
        states.append(evolve(states[-1], event))
    seen = [repr(state) for state in states]
    for place, state in enumerate(states):
        assert fold(events[place:], state) == states[-1]
        assert fold(events[:place]) == state
    assert [repr(state) for state in states] == seen
    for event, (before, after) in zip(events, pairwise(states), strict=True):
        barred, bars = (active_ip_bans(state.incidents.values()).keys() for state in (before, after))
        assert bool(network_writes(PLAYER, before, after)) == (barred != bars)
        assert may_bar(event) or barred == bars


@settings(max_examples=120, deadline=None)
@given(story=STEPS, cascade=st.booleans())
def test_all_overturned_is_a_clean_player(story: list[tuple[str, int, int]], *, cascade: bool) -> None:
    """In any order of appeals that is left: no strike, no ban, no IP ban, no warning; and never less than no strike on the way."""
    past = told(story)
    for incident_id in list(past.state().incidents):
        if past.state().incidents[incident_id].overturned:
            continue
        appeal = next((a for a in past.state().appeals.values() if a.state == "open" and a.target.key == f"incident:{incident_id}"), None)
        try:
            done = decide(past, appeal.appeal_id, by=HEAD_B, cascade=cascade) if appeal else overturn(past, incident_id, by=HEAD_B, cascade=cascade)
        except Refusal as refusal:
            if refusal.code not in {"decision_final", "appeal_exists"}:
                raise
            return
        check_decision(past, done.past, gentle=True, whole=not done.effects.kept)
        past = done.past
    clean = standing(past) if past.past else standing_at(PLAYER, facts_of(past.state()), 0, T0)
    assert (clean.status, clean.strikes, clean.warnings, clean.ban, clean.ip_banned, clean.legal_review) == ("good", 0, 0, None, False, False)
