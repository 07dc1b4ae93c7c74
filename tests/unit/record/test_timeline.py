"""The standing at a moment, from what was known, and after a version (contract, Standing; I-5, I-22)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from services.moderation.record.commands import LiftIpBan
from services.moderation.views.standing import Standing, as_reply, facts_of, row_facts, standing_at, standing_now
from services.moderation.views.timeline import Asked, Recorded, fold_asked
from tests.support.record import DAY, HEAD, NEW, T0, TICK, Past, adjustment, evading, imported, incident, standing


def asked(past: Past, **what: object) -> Standing:
    """The standing for this question; event n was recorded n minutes after T0."""
    events = [
        Recorded(event=event, version=n, position=n, recorded_at=T0 + timedelta(minutes=n)) for n, event in enumerate(past.past, start=1)
    ]  # fmt: skip
    question = Asked(**what)  # type: ignore[arg-type]  # the test names its fields
    folded = fold_asked(events, question)
    return standing_at("p1", facts_of(folded.state), folded.version, question.as_of or T0 + DAY)


@pytest.mark.parametrize(("offset", "status"), [(-TICK, "good"), (0 * DAY, "banned"), (DAY - TICK, "banned"), (DAY, "warned"), (300 * DAY, "warned")])
def test_a_ban_runs_from_its_decision_to_its_end_to_the_microsecond(offset: timedelta, status: str) -> None:
    """I-5: at its end the player is free; before its decision nothing had happened."""
    seen = asked(NEW.after(incident("spam-major")), as_of=T0 + offset)
    assert (seen.status, seen.strikes) == (status, int(status != "good"))


def test_a_later_permanent_ban_is_not_replaced_by_a_timed_one() -> None:
    """D06, D04."""
    past = NEW.after(incident("lurking"), incident("spam-major", at=T0 + DAY))
    for at in (T0 + DAY, T0 + 5 * DAY, datetime(9999, 1, 1, tzinfo=T0.tzinfo)):
        assert standing(past, at).status == "permanently_banned"


def test_the_standings_ban_is_the_union_of_those_that_run() -> None:
    """Contract: earliest start, latest end, all incident ids."""
    past = NEW.after(incident("spam-major"), incident("malicious-afk", at=T0 + DAY / 2))
    ban = standing(past, T0 + DAY / 2).ban
    assert ban is not None
    assert (ban.starts_at, ban.ends_at, ban.permanent) == (T0, T0 + DAY / 2 + 5 * DAY, False)
    assert list(ban.incident_ids) == list(past.state().incidents)


def test_later_lifts_and_adjustments_have_not_happened_yet() -> None:
    """`as_of`: as it stood."""
    past = NEW.after(incident("hacking"))
    (one,) = past.state().incidents
    lift = LiftIpBan(incident_id=one, player_id="p1", at=T0 + DAY, by=HEAD, reason="A shared line.")
    later = past.after(lift, adjustment(one, "warning", at=T0 + 2 * DAY))
    assert [(asked(later, as_of=T0 + n * DAY).ip_banned, asked(later, as_of=T0 + n * DAY).status) for n in range(3)] == [
        (True, "permanently_banned"), (False, "permanently_banned"), (False, "warned"),
    ]  # fmt: skip


def test_an_extension_has_not_happened_before_the_evasion() -> None:
    """I-13: the end as it stood then."""
    past = NEW.after(incident("cheating"), evading("a1", at=T0 + DAY))
    for at, days in ((T0, 5), (T0 + DAY, 7)):
        ban = asked(past, as_of=at).ban
        assert ban is not None
        assert ban.ends_at == T0 + days * DAY


def test_an_import_counts_from_its_own_decision_and_was_not_known_before_it_was_recorded() -> None:
    """I-22: two questions, two answers."""
    past = NEW.after(incident("harassment-minor"), imported(5, decided_at=T0 - 10 * DAY))
    assert asked(past, as_of=T0 - 9 * DAY).status == "banned"
    assert asked(past, as_of=T0 - 9 * DAY, known_at=T0 + timedelta(minutes=1)).status == "good"
    assert asked(past, as_of=T0 - 9 * DAY, known_at=T0 + timedelta(minutes=2)).status == "banned"
    assert asked(past, as_of=T0 - 11 * DAY).status == "good"


def test_known_at_the_moment_of_recording_includes_it() -> None:
    past = NEW.after(incident("spam-major"), incident("spam-major"))
    for minutes, strikes in ((0, 0), (1, 1), (2, 2)):
        assert asked(past, known_at=T0 + timedelta(minutes=minutes)).strikes == strikes


def test_at_version_is_the_record_after_that_event() -> None:
    """0 is before everything; the version says which event was the last."""
    past = NEW.after(incident("spam-major"), incident("harassment-minor"), incident("malicious-afk"))
    seen = [asked(past, at_version=n) for n in range(4)]
    assert [(s.strikes, s.warnings, s.version) for s in seen] == [(0, 0, 0), (1, 0, 1), (1, 1, 2), (2, 1, 3)]
    assert asked(past, at_version=3, as_of=T0 - DAY).version == 0


def test_now_is_never_before_the_last_decision() -> None:
    """E02: a decision by a machine whose clock is ahead counts at once everywhere."""
    state = NEW.after(incident("spam-major")).state()
    seen = standing_now("p1", facts_of(state), 1, T0 - timedelta(seconds=5))
    assert (seen.status, seen.as_of) == ("banned", T0)


def test_the_row_of_the_projection_answers_every_later_moment_like_the_record() -> None:
    """E04: it forgets only bans that were over at the last decision."""
    past = NEW.after(
        incident("spam-major"),
        incident("harassment-major", at=T0 + DAY / 2),
        incident("unsporting-minor", at=T0 + 2 * DAY),
        incident("lurking", at=T0 + 5 * DAY),
    )
    for count in range(1, 5):
        state = NEW.given(*past.past[:count]).state()
        facts = facts_of(state)
        for hours in range(0, 300, 5):
            now = T0 + timedelta(hours=hours)
            assert standing_now("p1", row_facts(facts), count, now) == standing_now("p1", facts, count, now)


def test_a_good_standing_says_so_in_every_field() -> None:
    """Contract: a player never seen."""
    assert as_reply(standing(NEW)) == {
        "player_id": "p1", "status": "good", "strikes": 0, "warnings": 0, "ban": None, "ip_banned": False, "proxy_banned": False,
        "legal_review": False, "version": 0, "as_of": T0,
    }  # fmt: skip
