"""The guide as data, and a tournament's own table (I-70, I-71)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.moderation.policy.guide import PACKAGED, GuideFileError, load_guide
from services.moderation.policy.penalties import LADDER, RELS, CellChange, step_down, step_up, version_at_least
from services.moderation.tournaments import commands as ask
from tests.support.tournament import GUIDE, HEAD_JUDGE, ORGANISER, T0, organised

ROOT = Path(__file__).resolve().parents[3]
C, W, GL, OUT = "caution", "warning", "game_loss", "disqualification_without_prize"
EXPECTED = {
    "illegal-decklist": (W, GL, GL, "inferred"), "illegal-deck-legal-list": (W, GL, GL, "inferred"), "illegal-deck-no-list": (W, GL, GL, "assumed"),
    "improper-registration": (C, W, W, "assumed"), "failure-to-desideboard": (W, GL, GL, "assumed"), "lost-miniature": (C, W, W, "assumed"),
    "incorrect-representation": (C, C, W, "assumed"), "illegal-game-state": (C, W, W, "assumed"), "missed-trigger": (C, W, W, "assumed"),
    "failure-to-reveal": (W, GL, GL, "assumed"), "game-rule-violation": (C, W, W, "assumed"),
    "failure-to-maintain-game-state": (C, C, W, "assumed"), "tardiness": (W, GL, GL, "inferred"), "wrong-opponent": (C, W, W, "assumed"),
    "unsporting-minor": (C, W, W, "assumed"), "unsporting-major": (W, GL, GL, "assumed"), "randomly-determining-winner": (OUT, OUT, OUT, "assumed"),
    "fraud": (OUT, OUT, OUT, "inferred"), "outside-assistance": (OUT, OUT, OUT, "inferred"), "cheating-other": (OUT, OUT, OUT, "inferred"),
    "looking-at-extra-cards": (C, W, W, "assumed"), "drawing-extra-cards": (W, GL, GL, "assumed"), "unlisted-minor": (C, C, C, "stated"),
}  # fmt: skip


def test_the_table_is_that_of_the_interpretations() -> None:
    """I-71."""
    found = {row.id: (*(row.cells[rel].penalty for rel in RELS), *{cell.basis for cell in row.cells.values()}) for row in GUIDE.infractions.values()}
    assert found == EXPECTED


def test_every_cell_says_why_it_is_so() -> None:
    """I-70: an inferred one names the words of D."""
    assert all(row.because for row in GUIDE.infractions.values())
    inferred = [row for row in GUIDE.infractions.values() if row.cells["regular"].basis == "inferred"]
    assert all(row.because.startswith("D ") for row in inferred)


def test_every_rule_that_the_engine_cites_is_in_the_guide() -> None:
    files = (ROOT / "services" / "moderation" / "tournaments").glob("*.py")
    cited = {rule for path in files for rule in re.findall(r'"(\d{1,3}-[a-z][a-z-]+)"', path.read_text())}
    assert len(cited) > 30
    assert cited - GUIDE.rules.keys() == set()


def test_each_rule_stands_under_its_section_once_and_in_d_s_order() -> None:
    rules = list(GUIDE.rules.values())
    assert [rule.section for rule in rules] == sorted(rule.section for rule in rules)
    assert all(rule.id.startswith(f"{rule.section}-") for rule in rules)
    assert len({rule.text for rule in rules}) == len(rules)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('basis = "inferred"', 'basis = "guessed"'),
        ('category = "deck"', 'category = "decks"'),
        ('becomes = "unsporting-major"', 'becomes = "unsporting-huge"'),
        ('repeats = "similar"', 'repeats = "often"'),
        ('id = "fraud"', 'id = "tardiness"'),
        ("late = true", "later = true"),
        ('competitive = "caution"', 'competitive = "match_point"'),
        ("[[rules]]", "[[rules"),
    ],
)
def test_a_guide_that_contradicts_itself_is_refused(before: str, after: str) -> None:
    text = PACKAGED.read_text()
    assert before in text
    with pytest.raises(GuideFileError):
        load_guide(text.replace(before, after, 1))


def test_the_ladder_is_that_of_d_40() -> None:
    assert [step_up(one) for one in LADDER] == [*LADDER[1:], "disqualification"]
    assert (step_up("match_point"), step_up(OUT)) == ("match_loss", OUT)
    assert [step_down(one) for one in LADDER] == ["caution", *LADDER[:-1]]
    assert step_down(OUT) == "disqualification"


@pytest.mark.parametrize(
    ("version", "enough"), [("2.9", False), ("2.10", False), ("3", True), ("3.0", True), ("3.0.0", True), ("3.10", True), ("10.0", True)]
)
def test_versions_are_numbers(version: str, *, enough: bool) -> None:
    """I-73."""
    assert version_at_least(version, "3.0") is enough


def change(infraction: str = "unsporting-minor", rel: str = "competitive", penalty: str = "game_loss") -> CellChange:
    return CellChange(infraction=infraction, rel=rel, penalty=penalty)


def table(*cells: CellChange, by: ask.Official = ORGANISER) -> ask.SetTable:
    return ask.SetTable(cells=cells, guide=GUIDE, by=by, at=T0)


def test_an_organisers_cell_holds_from_then_on_and_says_whose_it_is() -> None:
    """I-70."""
    event = organised()
    assert event.give("unsporting-minor").penalty == W
    event.do(table(change()))
    given = event.give("unsporting-minor", "b")
    assert (given.standard, given.basis, given.penalty) == (GL, "organiser", GL)
    assert event.do(table(change())) == ()
    event.do(table())
    assert event.give("unsporting-minor", "c").penalty == W


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        (change("fraud"), "not_applicable"),
        (change("illegal-decklist"), "not_applicable"),
        (change("unlisted-minor"), "not_applicable"),
        (change(penalty="match_point"), "not_applicable"),
        (change("showing-off"), "unknown_infraction"),
    ],
)
def test_only_assumed_cells_are_the_organisers(cell: CellChange, code: str) -> None:
    """I-70, D 20: and none becomes a Match Point."""
    organised().refused(table(cell), code)


def test_a_cell_is_changed_once_and_by_the_organiser() -> None:
    event = organised()
    event.refused(table(change(), change(penalty="caution")), "invalid_request")
    event.refused(table(change(), by=HEAD_JUDGE), "head_admin_required")
