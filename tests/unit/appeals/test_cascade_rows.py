"""Rows of the table read again on another past: upgrades, derived and unlisted offenses, variants, policy versions (I-34; L12)."""

from __future__ import annotations

from datetime import timedelta

from services.moderation.appeals.commands import Facts
from services.moderation.appeals.reread import HARSHER
from services.moderation.record.commands import AcknowledgeEffect
from tests.support.appeals import active, changed, decide, filed, issued, overturn, rereads
from tests.support.record import DAY, HEAD, NEW, POLICY, T0, TICK, Past, charge, incident, outcomes, standing

SPAM = NEW.after(incident("spam-major"))
(FIRST,) = issued(SPAM)


def next_to_spam(*charges: object, **fields: object) -> tuple[Past, str]:
    """The player had a strike, and then this incident; the record and its id."""
    past = SPAM.after(incident(*charges, **fields))  # type: ignore[arg-type]
    return past, issued(past)[1]


def test_the_fourth_strike_becomes_a_third() -> None:
    """I-34 over L12's first run: permanent for the count, it is seven days once the count is three."""
    past = SPAM.after(*(incident("trolling-major") for _ in range(3)))
    fourth = issued(past)[3]
    done = overturn(past, FIRST)
    assert active(past.state(), fourth) == [("permanent_ban", None)]
    assert [kind for kind, _ in active(done.past.state(), fourth)] == ["ban"]


def test_an_upgrade_falls_with_the_offense_that_made_it_possible() -> None:
    """I-7, I-8: by itself or by choice, with its strike; at an unchanged column too."""
    for row, upgrade in (("harassment-minor", True), ("unsporting-minor", False)):
        past = NEW.after(incident(row), incident(charge(row, upgrade=upgrade)))
        first, second = issued(past)
        done = overturn(past, first)
        (event,) = rereads(done.effects.events)
        assert (event.incident_id, event.offenses[0].upgraded_from, event.strike_after) == (second, None, None)
        assert standing(done.past).strikes == 0


def test_what_was_upgraded_and_is_no_longer_makes_nothing_later_harsher() -> None:
    """I-34: the 3rd was no 2nd Minor, since the 2nd was upgraded; now it would be, and that is not applied."""
    past = NEW.after(*(incident("unsporting-minor", at=T0 + n * TICK) for n in range(3)))
    first, second, _ = issued(past)
    done = overturn(past, first)
    assert [item[0] for item in done.reread()][:1] == [second]
    assert standing(done.past).strikes <= standing(past).strikes
    assert all(why == HARSHER for why in done.kept().values())


def test_profanity_brings_its_derived_offense_along() -> None:
    """I-10: the derived Harassment (Minor) was the first one; with the incident it falls, and the second is no repeat."""
    past = NEW.after(incident("profanity-to-admin"), incident(charge("harassment-minor", upgrade=True)))
    first, second = issued(past)
    done = overturn(past, first)
    assert done.reread() == [(second, 1, 1, ["ban"], ["warning"])]


def test_profanity_is_read_again_with_what_follows_from_it() -> None:
    """I-10: the derived offense had been upgraded; it is derived again and not charged twice."""
    past = NEW.after(incident("harassment-minor"), incident(charge("profanity-to-admin", upgrade=True)))
    first, second = issued(past)
    (event,) = rereads(overturn(past, first).effects.events)
    assert (event.incident_id, [line.derived_from for line in event.offenses]) == (second, [None, "profanity-to-admin"])
    assert event.strike_after is None


def test_an_unlisted_act_keeps_the_sanctions_that_were_named() -> None:
    """I-21: no cell of the table says anything about it."""
    past, second = next_to_spam(charge("unlisted", sanctions=outcomes(12), strike=True), by=HEAD)
    done = overturn(past, FIRST)
    assert (done.reread(), active(done.past.state(), second), standing(done.past).strikes) == ([], [("ban", 12)], 1)


def test_note_taking_is_permanent_at_any_column() -> None:
    """I-11, while coaching is on the ordinary ladder."""
    past, _ = next_to_spam(charge("cheating", variant="note-taking"))
    assert overturn(past, FIRST).reread() == []
    past, second = next_to_spam(charge("cheating", variant="coaching"))
    assert overturn(past, FIRST).reread() == [(second, 2, 1, ["permanent_ban"], ["ban"])]


def test_custom_cosmetics_and_warnings_move_no_column() -> None:
    """I-9, L07: nothing without a strike does."""
    for row in ("custom-cosmetics", "harassment-minor", "gameplay-minor"):
        past = NEW.after(incident(row), incident("spam-major"))
        done = overturn(past, issued(past)[0])
        assert (done.reread(), standing(done.past).strikes) == ([], 1)


def test_what_was_carried_out_is_reported_and_not_undone() -> None:
    """I-34: of the incident that falls; a stats reset that was carried out stays with one read again."""
    past = NEW.after(incident("boosting"))
    (boosting,) = issued(past)
    past = past.after(AcknowledgeEffect(incident_id=boosting, effect="stats_reset", at=T0, by="game"))
    done = overturn(past, boosting)
    assert [(item.incident_id, item.kind) for item in done.effects.irreversible] == [(boosting, "stats_reset")]
    assert [held.state for held in done.incident(boosting).sanctions if held.sanction.kind == "stats_reset"] == ["irreversible"]
    assert standing(done.past).status == "good"


def test_later_incidents_are_read_under_their_own_policy_version() -> None:
    """I-34: the second was decided under a table by which the first strike's cheating costs five days; a newer one says otherwise."""
    old = changed(POLICY, "old", permanent_from_strike=9)
    past = SPAM.after(*(incident("trolling-major", policy=old) for _ in range(4)))
    last = issued(past)[4]
    before = active(past.state(), last)
    facts = Facts(policies={POLICY.version: POLICY, "old": old})
    done = overturn(past, FIRST, facts=facts)
    assert {event.policy_version for event in rereads(done.effects.events)} == {"old"}
    assert active(done.past.state(), last) == before


def test_the_preview_is_the_decision() -> None:
    """I-34: the same effects for the same record, but for the ids that only a recorded decision gives out."""
    past, _ = next_to_spam("cheating")
    past, appeal = filed(past, FIRST)
    shown, done = decide(past, appeal), decide(past, appeal)
    assert (shown.reread(), shown.kept(), shown.effects.linked) == (done.reread(), done.kept(), done.effects.linked)


def test_the_strike_count_never_goes_below_zero_when_the_original_expires() -> None:
    """Parity: the ban of the overturned strike would have ended later; nothing is subtracted then."""
    done = overturn(SPAM, FIRST)
    assert [standing(done.past, T0 + timedelta(days=days)).strikes for days in (0, 1, 2, 900)] == [0, 0, 0, 0]


def test_overturning_one_of_two_bans_leaves_the_other() -> None:
    """Parity, A07."""
    past = SPAM.after(incident("lurking"))
    spam, lurking = issued(past)
    assert standing(overturn(past, spam).past).status == "permanently_banned"
    ban = standing(overturn(past, lurking).past).ban
    assert ban is not None
    assert ban.ends_at == T0 + DAY
