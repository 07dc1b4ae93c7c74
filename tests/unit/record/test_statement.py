"""What the player is told (I-18)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from services.moderation.record.events import Evidence, IncidentDetails
from services.moderation.views.incidents import collect
from services.moderation.views.statement import statement
from services.moderation.views.timeline import Recorded
from tests.support.appeals import issued, overturn
from tests.support.record import DAY, NEW, POLICY, T0, TICK, Past, adjustment, imported, incident

DETAILS = IncidentDetails(
    descriptions=("Said a bad word.",), evidence=(Evidence(kind="chat_log", text="the secret log"),), internal_note="the secret note"
)
APPEAL = "appeal"


def shown(past: Past, at: Any = T0, *, of: int = 0) -> dict[str, Any] | None:
    """The statement of the player's first incident, or of a later one."""
    found = collect("p1", [Recorded(event=event, version=n, position=n, recorded_at=T0) for n, event in enumerate(past.past, start=1)])
    return statement(found, list(found.incidents.values())[of], POLICY, at)


def test_it_gives_facts_rule_sanctions_with_dates_and_how_to_appeal() -> None:
    """Contract, statement."""
    told = shown(NEW.after(incident("harassment-major", details=DETAILS)))
    assert told is not None
    assert told["facts"]["descriptions"] == ["Said a bad word."]
    (rule,) = told["rules"]
    assert (rule["infraction"], rule["cell"], rule["basis"], rule["column"]) == ("harassment-major", "2 day ban", "S2", 1)
    (ban,) = told["sanctions"]
    assert (ban["kind"], ban["days"], ban["starts_at"], ban["ends_at"]) == ("ban", 2, T0, T0 + 2 * DAY)
    assert told[APPEAL]["path"] == "/v1/appeals"


def test_it_names_no_staff_evidence_or_internal_note() -> None:
    """Contract, statement; also after an adjustment by another member."""
    past = NEW.after(incident("harassment-major", details=DETAILS))
    (one,) = past.state().incidents
    text = msgspec.json.encode(shown(past.after(adjustment(one, 1)))).decode()
    for secret in ("admin-1", "head-1", "the secret log", "the secret note", "On review."):
        assert secret not in text


@pytest.mark.parametrize("infraction", ["personal-profile", "spam-minor", "gameplay-major", "custom-cosmetics"])
def test_a_silent_incident_without_a_ban_has_none(infraction: str) -> None:
    """I-18: "You may receive a strike on your record without being notified"."""
    assert shown(NEW.after(incident(infraction, notify=False))) is None


def test_a_silent_ban_is_told_while_it_stands_and_nothing_else() -> None:
    """I-18: the ban, its dates, how to appeal; from its end on nothing."""
    past = NEW.after(incident("lying-to-admin", "spam-minor", notify=False, details=DETAILS))
    for at in (T0, T0 + 5 * DAY - TICK):
        told = shown(past, at)
        assert told is not None
        assert [ban["kind"] for ban in told["sanctions"]] == ["ban"]
        assert (told["facts"], told["rules"], told["strike"]) == (None, [], None)
        assert APPEAL in told
        text = msgspec.json.encode(told).decode()
        assert "lying" not in text
        assert "bad word" not in text
    assert shown(past, T0 + 5 * DAY) is None


def test_a_silent_ban_that_was_lowered_to_a_warning_is_told_no_more() -> None:
    """I-18 with I-20."""
    past = NEW.after(incident("cheating", notify=False))
    (one,) = past.state().incidents
    assert shown(past.after(adjustment(one, "warning"))) is None


def test_a_silent_permanent_ban_is_told_for_ever() -> None:
    told = shown(NEW.after(incident("lurking", notify=False)), T0 + 3000 * DAY)
    assert told is not None
    assert told["sanctions"][0]["ends_at"] is None


def test_an_imported_incident_has_a_statement_with_its_rule() -> None:
    told = shown(NEW.after(imported(5, decided_at=T0 - DAY, infraction="cheating")))
    assert told is not None
    assert [rule["infraction"] for rule in told["rules"]] == ["cheating"]


def test_an_incident_that_was_read_again_names_the_cell_that_its_sanctions_come_from() -> None:
    """I-34: not the one of the column that fell."""
    past = NEW.after(incident("spam-major"), incident("cheating"))
    told = shown(overturn(past, issued(past)[0]).past, of=1)
    assert told is not None
    assert [(rule["column"], rule["cell"]) for rule in told["rules"]] == [(1, "5 day ban")]
    assert [(sanction["kind"], sanction["days"]) for sanction in told["sanctions"]] == [("ban", 5)]
