"""For any record and any choice of decisions: rolled back and reversed, the record is as it was (I-20)."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from services.moderation.appeals.cascade import Question, retell
from services.moderation.record.commands import LiftIpBan, RecordCommand
from services.moderation.record.events import IncidentDecided, IpBanLifted, SanctionsAdjusted
from services.moderation.views.standing import facts_of
from services.moderation.views.timeline import fold_all
from shared.refusal import Refusal
from tests.support.record import HEAD, NEW, PLAYER, T0, Past, adjustment, evading, incident
from tests.unit.rollbacks.test_undo import POLICIES, ids, put_back, recorded, rolled_back

ROWS = ("spam-major", "spam-minor", "cheating", "malicious-afk", "harassment-major", "hacking", "unsporting-minor", "boosting", "trolling-major")
STEPS = st.tuples(st.sampled_from(("charge", "charge", "charge", "adjust", "lift", "evade")), st.integers(0, 99), st.booleans())


def command_of(past: Past, kind: str, number: int, at: timedelta) -> RecordCommand:
    """One thing that happens next."""
    known = list(past.state().incidents)
    if kind == "charge" or not known:
        return incident(ROWS[number % len(ROWS)], at=T0 + at)
    if kind == "evade":
        return evading(f"alt-{number % 3}", at=T0 + at)
    chosen = known[number % len(known)]
    if kind == "lift":
        return LiftIpBan(incident_id=chosen, player_id=PLAYER, at=T0 + at, by=HEAD, reason="r")
    return adjustment(chosen, (5, "warning", "permanent_ban")[number % 3], at=T0 + at, strike=number % 2 == 0)


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(STEPS, min_size=1, max_size=9))
def test_rolled_back_and_reversed_a_record_is_as_it_was(steps: list[tuple[str, int, bool]]) -> None:
    """Standing, strikes, every incident, and the story from which later questions tell it again."""
    past, incidents, changes = NEW, list[str](), list[int]()
    for day, (kind, number, rogue) in enumerate(steps):
        try:
            after = past.after(command_of(past, kind, number, timedelta(hours=day)))
        except Refusal:
            continue
        for version, event in enumerate(after.past[len(past.past) :], len(past.past) + 1):
            if rogue and isinstance(event, IncidentDecided):
                incidents.append(event.incident_id)
            elif rogue and isinstance(event, SanctionsAdjusted | IpBanLifted):
                changes.append(version)
        past = after
    put_back(past, *incidents, changes=tuple(changes))
    done, record = rolled_back(past, *incidents, changes=tuple(changes))
    state = fold_all(record)
    assert state.strikes >= 0
    assert all(state.incidents[name].overturned for name in incidents)
    told = retell(record, state, Question(without=frozenset(), after=len(record), policies=POLICIES, choices={}), ids())
    if not done.reassessed:
        assert facts_of(told.state).strikes == state.strikes
    assert recorded([item.event for item in record])
