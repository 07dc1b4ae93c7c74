"""What the record of idleness suggests (I-50, Q06): moments are seconds after the player's last move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.calls.calls.afk import MAJOR, MINOR, Seen, Stop, assess

BEGAN = datetime(2026, 11, 30, 10, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def seen(seconds: float, *, since: float = 0) -> Seen:
    return Seen(kind="idle", at=at(seconds), since=at(since))


def prompt(seconds: float) -> Seen:
    return Seen(kind="prompt", at=at(seconds))


def reply(seconds: float) -> Seen:
    return Seen(kind="reply", at=at(seconds))


def stop(since: float, until: float | None) -> Stop:
    return Stop(since=at(since), until=None if until is None else at(until))


CASES = {
    "nothing is known": ([], [], None),
    "idle, and that is all so far": ([seen(300)], [], None),
    "asked, and not answered yet": ([seen(179), prompt(180)], [], None),
    "back by themselves before anybody asked": ([seen(200), reply(210)], [], None),
    "answered in time": ([seen(179), prompt(180), reply(209)], [], MINOR),
    "29 s": ([prompt(180), seen(180), reply(209)], [], MINOR),
    "just under 30 s": ([seen(180), prompt(180), reply(209.999999)], [], MINOR),
    "30 s unanswered": ([seen(180), prompt(180), reply(210)], [], MAJOR),
    "31 s": ([seen(180), prompt(180), reply(211)], [], MAJOR),
    "no answer, and seen idle 31 s later": ([seen(179), prompt(180), seen(211)], [], MAJOR),
    "asked twice, the first time in vain": ([seen(179), prompt(180), prompt(212), reply(215)], [], MAJOR),
    "asked without a record of idleness, and no answer": ([prompt(0), prompt(31)], [], MAJOR),
    "asked without a record of idleness, and there": ([prompt(0), reply(3)], [], None),
    "asked without a record of idleness, back at once, and away again": ([prompt(0), seen(300, since=10)], [], None),
    "asked without a record of idleness, and back late": ([prompt(0), seen(300, since=31)], [], MAJOR),
    "asked twice, moved in between, and no answer to the second": ([prompt(0), prompt(20), seen(51, since=10)], [], MAJOR),
    "moved before they were asked, and no answer": ([seen(100), prompt(150), seen(181, since=120)], [], MAJOR),
    "moved before they were asked, and answered in time": ([seen(100), prompt(150), seen(160, since=120), reply(170)], [], MINOR),
    "asked, and away since before that, as is told later": ([prompt(100), seen(131, since=50)], [], MAJOR),
    "5:59 and back when asked": ([seen(340), prompt(341), reply(359)], [], MINOR),
    "a microsecond under 6:00": ([seen(340), prompt(341), reply(359.999999)], [], MINOR),
    "6:00 and back when asked": ([seen(340), prompt(341), reply(360)], [], MAJOR),
    "6:00 without being asked": ([seen(360)], [], MAJOR),
    "the records come in any order": ([reply(359), seen(340), prompt(341)], [], MINOR),
    "4:00, a pause of 10:00, and 1:59 more (Q06)": ([seen(959), prompt(950), reply(959)], [stop(240, 840)], MINOR),
    "4:00, a pause of 10:00, and 2:00 more (Q06)": ([seen(960), prompt(950), reply(960)], [stop(240, 840)], MAJOR),
    "two pauses, one of which goes on": ([seen(2000)], [stop(100, 1000), stop(1200, None)], None),
    "a pause before and one behind": ([seen(360)], [stop(-100, 0), stop(360, 900)], MAJOR),
    "a pause that began before they went": ([seen(400)], [stop(-100, 50)], None),
    "the wait for an answer stands still too": ([seen(179), prompt(180), reply(230)], [stop(190, 220)], MINOR),
    "two absences are not one": ([seen(300), reply(300), seen(500, since=310)], [], None),
    "a stale beginning does not reach behind a reply": ([seen(300), reply(300), seen(500, since=0)], [], None),
    "seen moving in between": ([seen(300), seen(500, since=310)], [], None),
    "the worst absence counts": ([seen(360), reply(365), seen(500, since=400), prompt(500), reply(505)], [], MAJOR),
    "an earlier beginning becomes known": ([seen(300, since=100), seen(365, since=0)], [], MAJOR),
    "for hours, deliberate or not": ([seen(10800), prompt(10801), seen(14400)], [], MAJOR),
}


@pytest.mark.parametrize(("records", "stops", "suggests"), CASES.values(), ids=CASES.keys())
def test_the_record_suggests(records: list[Seen], stops: list[Stop], suggests: str | None) -> None:
    assert assess(records, stops).suggests == suggests


def test_the_idle_time_is_told_without_pauses() -> None:
    assert assess([seen(900)], [stop(100, 700)]).idle == timedelta(seconds=300)


def test_malicious_afk_is_never_suggested() -> None:
    """I-50: deliberate is the admin's finding."""
    assert {suggests for _, _, suggests in CASES.values()} == {None, MINOR, MAJOR}
