"""What other systems are told of a record, and whether they may tell the player: never of a silent incident, whatever becomes of it (I-18)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from services.moderation.record.changes import changes_of, outbox_of
from services.moderation.record.commands import AcknowledgeEffect, BanAlt, LiftIpBan, RecordCommand
from services.moderation.record.events import RecordEvent
from tests.support.appeals import decide, filed, overturn, target
from tests.support.record import ADMIN, HEAD, NEW, PLAYER, T0, Past, adjustment, evading, ids, imported, incident, outcomes

Told = list[tuple[str, dict[str, Any]]]


def told(past: Past, *new: RecordEvent, player_id: str = PLAYER) -> Told:
    """The items of these new events."""
    items = outbox_of([changes_of(player_id, past.state(), new)], T0)
    return [(item.type, msgspec.json.decode(item.data)) for item in items]


def since(before: Past, after: Past) -> Told:
    return told(before, *after.past[len(before.past) :])


def notices(items: Told) -> list[tuple[str, bool]]:
    """The types, each with whether the player may be told; every item says so."""
    return [(kind, data["notify"]) for kind, data in items]


def silent(*rows: str) -> Past:
    return NEW.after(incident(*rows, notify=False))


def first(past: Past) -> str:
    return next(iter(past.state().incidents))


@pytest.mark.parametrize("notify", [True, False])
def test_an_incident_its_orders_and_the_standing_say_whether_the_player_is_told(*, notify: bool) -> None:
    items = since(NEW, NEW.after(incident("boosting", notify=notify)))
    assert notices(items) == [("incident.decided", notify), ("effect.ordered", notify), ("standing.changed", notify)]


@pytest.mark.parametrize("way", ["adjusted", "ip_ban_lifted", "carried_out"])
def test_nothing_that_becomes_of_a_silent_incident_is_told(way: str) -> None:
    past = silent("boosting", "doxing")
    incident_id = first(past)
    commands: dict[str, RecordCommand] = {
        "adjusted": adjustment(incident_id, 2, "game_loss"),
        "ip_ban_lifted": LiftIpBan(incident_id=incident_id, player_id=PLAYER, at=T0, by=HEAD, reason="r"),
        "carried_out": AcknowledgeEffect(incident_id=incident_id, effect="stats_reset", at=T0, by="game"),
    }
    items = since(past, past.after(commands[way]))
    assert (items[0][0], items[0][1]["change"]) == ("sanction.changed", way)
    assert {notify for _, notify in notices(items)} == {False}


def test_an_overturn_is_told_as_far_as_the_incidents_are_and_the_appeal_always() -> None:
    """The appeal is the player's own; a silent later incident that is read again stays silent."""
    past = NEW.after(incident("spam-major"), incident("spam-major", notify=False))
    done = overturn(past, first(past)).past
    items = [(kind, data.get("change"), data["notify"]) for kind, data in since(past, done)]
    assert items == [
        ("appeal.opened", None, True),
        ("appeal.decided", None, True),
        ("sanction.changed", "overturned", True),
        ("sanction.changed", "reassessed", False),
        ("standing.changed", None, True),
    ]


def test_a_decision_about_a_silent_incident_tells_of_the_appeal_and_of_nothing_else() -> None:
    past = silent("cheating")
    past, appeal_id = filed(past, target(first(past)), incident_id=first(past))
    done = decide(past, appeal_id, "modified", sanctions=outcomes(1), strike=True).past
    assert notices(since(past, done)) == [("appeal.decided", True), ("sanction.changed", False), ("standing.changed", False)]


@pytest.mark.parametrize(("ban", "evasion", "right"), [(True, True, True), (True, False, False), (False, True, False), (False, False, False)])
def test_days_added_by_evasion_are_told_when_neither_the_ban_nor_the_evasion_is_silent(*, ban: bool, evasion: bool, right: bool) -> None:
    past = NEW.after(incident("cheating", notify=ban))
    after = past.after(replace(evading("a1"), notify=evasion))
    (extended,) = [data for kind, data in since(past, after) if kind == "sanction.changed"]
    assert (extended["change"], extended["notify"]) == ("extended", right)


@pytest.mark.parametrize("notify", [True, False])
def test_the_alts_of_a_silent_incident_are_banned_silently(*, notify: bool) -> None:
    ban = BanAlt(
        incident_id="i1", player_id="a1", main_player_id=PLAYER, at=T0, by=ADMIN, policy_version="v", ip_ban=False, ids=ids(2), notify=notify
    )
    past = NEW.after(ban)
    assert notices(told(NEW, *past.past, player_id="a1")) == [("incident.decided", notify), ("standing.changed", notify)]


@pytest.mark.parametrize("notify", [True, False])
def test_the_main_accounts_ip_ban_of_five_is_a_change_of_the_charge(*, notify: bool) -> None:
    past = NEW.after(replace(evading("a1", "a2", "a3", "a4"), notify=notify))
    five = BanAlt(
        incident_id=first(past), player_id=PLAYER, main_player_id=PLAYER, at=T0, by=ADMIN, policy_version="v", ip_ban=True, ids=ids(2),
        charged=False, notify=notify,
    )  # fmt: skip
    items = since(past, past.after(five))
    assert notices(items) == [("sanction.changed", notify), ("standing.changed", notify)]
    assert items[0][1]["change"] == "ip_ban_imposed"
    assert [sanction["kind"] for sanction in items[0][1]["sanctions"]] == ["permanent_ban", "ip_ban"]


def test_an_import_is_told() -> None:
    """I-22: imports know no silence."""
    assert notices(since(NEW, NEW.after(imported(1, decided_at=T0)))) == [("incident.decided", True), ("standing.changed", True)]
