"""What a rollback does to a record, and what its reversal puts back: given, when, then (I-20, I-34, L06, L07)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from services.moderation.appeals.restore import Cause
from services.moderation.record.commands import LiftIpBan, LiftProxyBan
from services.moderation.record.events import EffectAcknowledged, IncidentDecided, ProxyBanned, RecordEvent
from services.moderation.record.state import RecordState
from services.moderation.rollbacks.events import PlayerRolledBack
from services.moderation.rollbacks.reinstate import Reinstated, reinstate
from services.moderation.rollbacks.undo import EXTENDED, OVERTURNED, OWN, REPLACED, Todo, Undone, undo
from services.moderation.views.standing import facts_of, standing_at
from services.moderation.views.timeline import Recorded, fold_all, settled
from tests.support.record import ADMIN, DAY, HEAD, NEW, PLAYER, POLICY, SENIOR, T0, TICK, Past, adjustment, decided, evading, incident
from tests.support.scenario import Scenario

POLICIES = {POLICY.version: POLICY}
LATER = T0 + 2 * TICK
BACK = T0 + 3 * TICK


def recorded(events: Sequence[RecordEvent]) -> list[Recorded]:
    """The events as the log gives them back."""
    return [Recorded(event=event, version=number, position=number, recorded_at=event.at) for number, event in enumerate(events, 1)]


def ids() -> Iterator[str]:
    """New ids without end."""
    return (f"new-{number}" for number in count())


def rolled_back(past: Past, *incident_ids: str, changes: tuple[int, ...] = (), own: str | None = None) -> tuple[Undone, list[Recorded]]:
    """Take these back; what happens, and the record after it."""
    before = recorded(past.past)
    cause = Cause(at=LATER, by="head-1", role="head_admin", rollback_id="r1")
    done = undo(PLAYER, before, Todo(incidents=incident_ids, changes=changes), cause, POLICIES, ids(), own=own)
    return done, recorded([*past.past, *done.events])


def reversal(past: Past, done: Undone, record: Sequence[Recorded], *since: RecordEvent) -> tuple[Reinstated, list[Recorded]]:
    """Reverse that; what happens, and the record after it."""
    entry = PlayerRolledBack(
        player_id=PLAYER,
        version_before=len(past.past),
        version_after=len(past.past) + len(done.events),
        overturned=done.overturned,
        reverted=done.reverted,
        reimposed=done.reimposed,
    )
    cause = Cause(at=BACK, by="head-2", role="head_admin", rollback_id="r1")
    events = [item.event for item in record]
    back = reinstate(recorded([*events, *since]), entry, cause, frozenset())
    return back, recorded([*events, *since, *back.events])


def same(before: RecordState, after: RecordState) -> None:
    """Nothing of the record differs but its version and its latest moment."""
    assert dict(after.incidents) == dict(before.incidents)
    assert (after.strikes, after.proxy_banned_at) == (before.strikes, before.proxy_banned_at)
    left, right = (standing_at(PLAYER, facts_of(state), 0, BACK) for state in (before, after))
    assert left == right


def put_back(past: Past, *incident_ids: str, changes: tuple[int, ...] = ()) -> Undone:
    """Roll back, reverse, and find the record as it was; also what it is told again from."""
    done, record = rolled_back(past, *incident_ids, changes=changes)
    back, again = reversal(past, done, record)
    assert back.kept == ()
    same(past.state(), fold_all(again))
    assert [item.event for item in settled(again)] == list(past.past)
    return done


def test_incidents_fall_together_and_later_ones_are_read_once() -> None:
    """Two of three strikes are the rogue's: the third is read at column 1."""
    first, second = incident("spam-minor", "harassment-major"), incident("duel-notes-misuse")
    past = NEW.after(first, second, incident("spam-major", by=SENIOR))
    done, record = rolled_back(past, first.incident_id, second.incident_id)
    assert (done.overturned, len(done.reassessed)) == ((first.incident_id, second.incident_id), 1)
    assert (done.reassessed[0].column_before, done.reassessed[0].column_after) == (3, 1)
    assert fold_all(record).strikes == 1
    put_back(past, first.incident_id, second.incident_id)


def test_an_incident_overturned_before_is_kept_and_the_count_stays_right() -> None:
    """L07: never below zero."""
    one = incident("spam-major")
    past = NEW.after(one)
    _, record = rolled_back(past, one.incident_id)
    done = undo(PLAYER, record, Todo(incidents=(one.incident_id,)), Cause(at=BACK, by="h", role="head_admin", rollback_id="r2"), {}, ids(), own=None)
    assert (done.events, [item.why for item in done.kept]) == ((), [OVERTURNED])
    assert fold_all(record).strikes == 0


def test_adjustments_are_reverted_the_latest_first() -> None:
    """Two of the rogue's in a row: the incident is as it was before both, and may be read again like any other."""
    one = incident("malicious-afk")
    past = NEW.after(one).after(adjustment(one.incident_id, 7), adjustment(one.incident_id, "warning", strike=False))
    done, record = rolled_back(past, changes=(2, 3))
    held = fold_all(record).incidents[one.incident_id]
    assert (len(done.reverted), held.strike, held.changed) == (2, 1, False)
    assert [(item.sanction.kind, item.sanction.days) for item in held.sanctions] == [("ban", 3)]
    put_back(past, changes=(2, 3))


def test_an_adjustment_that_another_one_replaced_is_kept() -> None:
    one = incident("malicious-afk")
    past = NEW.after(one).after(adjustment(one.incident_id, 7), adjustment(one.incident_id, 9))
    done, _ = rolled_back(past, changes=(2,))
    assert (done.events, [item.why for item in done.kept]) == ((), [REPLACED])


def test_an_adjustment_whose_ban_evasion_extended_is_kept() -> None:
    """I-13: the days belong to the ban that they extended."""
    one = incident("malicious-afk")
    past = NEW.after(one).after(adjustment(one.incident_id, 7)).after(evading("alt-1"))
    done, _ = rolled_back(past, changes=(2,))
    assert [item.why for item in done.kept] == [EXTENDED]


def test_what_was_carried_out_since_an_adjustment_stays() -> None:
    """A stats reset that the rogue ordered and the game server carried out can't be undone."""
    one = incident("malicious-afk")
    past = NEW.after(one).after(adjustment(one.incident_id, 3, "stats_reset"))
    past = past.given(EffectAcknowledged(incident_id=one.incident_id, effect="stats_reset", at=T0, by="game-1"))
    _, record = rolled_back(past, changes=(2,))
    held = fold_all(record).incidents[one.incident_id].sanctions
    assert [(item.sanction.kind, item.state) for item in held] == [("ban", "active"), ("stats_reset", "irreversible")]


def test_a_lift_before_an_adjustment_is_taken_back_after_it() -> None:
    one = incident("hacking")
    lift = LiftIpBan(incident_id=one.incident_id, player_id=PLAYER, at=T0, by=HEAD, reason="r")
    past = NEW.after(one).after(lift).after(adjustment(one.incident_id, "permanent_ban"))
    assert [item.kind for item in put_back(past, changes=(2, 3)).reimposed] == ["ip_ban"]
    _, record = rolled_back(past, changes=(2, 3))
    assert facts_of(fold_all(record)).ip_banned


def test_a_proxy_ban_is_imposed_again_from_when_it_began() -> None:
    past = NEW.given(ProxyBanned(at=T0, reported_by="game-1", policy_version="v"))
    past = past.after(LiftProxyBan(player_id=PLAYER, at=T0 + TICK, by=HEAD, reason="r"))
    _, record = rolled_back(past, changes=(2,))
    assert fold_all(record).proxy_banned_at == T0
    put_back(past, changes=(2,))


def test_an_evasion_that_falls_gives_its_days_back_and_takes_them_again() -> None:
    """A06: the ban that it extended is as long as it was granted, and after the reversal as long as it was."""
    one = incident("malicious-afk", by=SENIOR)
    past = NEW.after(one)
    evasion = decided(past, evading("alt-1"))
    past = past.given(evasion)
    done, record = rolled_back(past, evasion.incident_id)
    assert [account for account, _ in done.along] == ["alt-1"]
    assert fold_all(record).incidents[one.incident_id].sanctions[0].sanction.ends_at == T0 + 3 * DAY
    put_back(past, evasion.incident_id)


def test_an_evasion_and_the_strike_before_the_ban_it_extended_fall_together() -> None:
    """The ban is read again without the days of the evasion that falls too."""
    strike, ban = incident("spam-minor", "harassment-major"), incident("spam-major", by=SENIOR)
    past = NEW.after(strike, incident("malicious-afk", by=SENIOR)).after(ban)
    evasion = incident("rule-sharking")
    past = past.after(evasion)
    put_back(past, strike.incident_id, evasion.incident_id)


def test_an_incident_that_reached_ones_own_account_is_kept() -> None:
    past = NEW.after(evading("head-1-player"))
    (event,) = past.past
    assert isinstance(event, IncidentDecided)
    done, _ = rolled_back(past, event.incident_id, own="head-1-player")
    assert (done.events, [item.why for item in done.kept]) == ((), [OWN])


def test_the_reversal_keeps_what_changed_since_and_puts_the_rest_back() -> None:
    """The later incident was adjusted after the rollback: it stays so, and the strike before it counts again."""
    first, later = incident("spam-major"), incident("cheating", by=SENIOR)
    past = NEW.after(first).after(later)
    done, record = rolled_back(past, first.incident_id)
    (adjusted,) = Scenario(NEW.decider, tuple(item.event for item in record)).when(adjustment(later.incident_id, 9, at=LATER)).happens()
    back, again = reversal(past, done, record, adjusted)
    assert [(item.incident_id, item.why) for item in back.kept] == [(later.incident_id, "it changed since the rollback")]
    state = fold_all(again)
    assert (state.strikes, [held.sanction.days for held in state.incidents[later.incident_id].sanctions]) == (2, [9])


def test_the_reversal_names_what_was_decided_meanwhile() -> None:
    """An incident read at a lower column because the strike had fallen is not made harsher."""
    first = incident("spam-major")
    past = NEW.after(first)
    done, record = rolled_back(past, first.incident_id)
    new = incident("spam-major", at=LATER, by=ADMIN)
    (event,) = Scenario(NEW.decider, tuple(item.event for item in record)).when(new).happens()
    back, again = reversal(past, done, record, event)
    assert [(item.kind, item.incident_id) for item in back.kept] == [("later_incident", new.incident_id)]
    assert fold_all(again).strikes == 2
