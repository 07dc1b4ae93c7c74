"""The packaged table against the source: `source_table.txt` is the published text word for word, the meanings below are read from it anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.moderation.policy.ladder import read
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.tables import Cell, Choice, Row, Upgrade
from services.moderation.policy.validation import validate

POLICY = packaged_policy()
WEEK = 7 * 24 * 3600

# Each infraction in table order: what the words of its four columns impose. "-" is undefined, a number is a timed ban, P a permanent one.
MEANINGS = """
gameplay-minor: in_duel_warning - - -
gameplay-major: game_loss - - -
slow-play-minor: in_duel_warning - - -
slow-play-major: game_loss|match_loss - - -
rule-sharking: in_duel_warning - - -
non-compliance: game_loss+warning - - -
profanity-to-admin: game_loss - - -
inexperience: warning 1 3 P
harassment-minor: warning warning warning warning
harassment-major: 2 4 7 P
harassment-severe: 7 P - -
hate-speech: 7 P - -
unsporting-minor: warning warning warning warning
unsporting-major: game_loss+warning game_loss+warning game_loss+warning game_loss+warning
call-admin-misuse: 3 7 P -
trolling-major: 3 5 7 P
cheating: 5 P - -
malicious-afk: 3 5 7 P
lying-to-admin: 5 P - -
boosting: P+stats_reset - - -
spam-minor: warning warning warning warning
spam-major: 1 3 7 P
spam-severe: 3..5|P P - -
duel-notes-misuse: 1 1 1 P
personal-profile: warning 2 3 P
lurking: P?ip - - -
doxing: P+ip_ban - - -
objectionable-major: 1..7 - - -
objectionable-severe: P+ip_ban - - -
inappropriate-username: P - - -
admin-impersonation: P+ip_ban - - -
hacking: P+ip_ban - - -
wagering: P+ip_ban - - -
faking-evidence: P+ip_ban - - -
multiple-accounts: (accounts) - - -
exam-cheating: P+ip_ban - - -
custom-cosmetics: cosmetic_removal - - -
"""
IDS = [line.partition(": ")[0] for line in MEANINGS.strip().splitlines()]

NO_STRIKE = {
    *("gameplay-minor", "gameplay-major", "slow-play-minor", "slow-play-major", "rule-sharking", "non-compliance", "profanity-to-admin"),
    *("harassment-minor", "unsporting-minor", "unsporting-major", "spam-minor", "custom-cosmetics"),
}


def source_rows() -> list[tuple[int, list[str]]]:
    """Section and the six columns of each row of the source."""
    rows: list[tuple[int, list[str]]] = []
    section = 0
    for line in Path(__file__).with_name("source_table.txt").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"([1-4])\. ", line):
            section = int(heading[1])
        else:
            rows.append((section, [column.strip() for column in line.strip("|").split(" | ")]))
    return rows


def short(cell: Cell) -> str:
    """The cell in the notation of MEANINGS."""
    sanctions = "+".join(
        str(sanction.days) if sanction.kind == "ban" else "P" if sanction.kind == "permanent_ban" else sanction.kind for sanction in cell.sanctions
    )
    choice = cell.choice or Choice(required=False)
    chosen = [f"{choice.days[0]}..{choice.days[1]}"] if choice.days else []
    chosen += ["P"] if choice.permanent else []
    return sanctions + "|".join([*chosen, *choice.outcomes]) + ("?ip" if choice.ip_ban else "")


def test_the_table_has_the_rows_of_the_source_in_its_order() -> None:
    """S1-S4: 37 infractions under the contract's ids."""
    assert list(POLICY.rows) == IDS
    assert len(POLICY.rows) == 37
    assert all(row.id == name for name, row in POLICY.rows.items())


@pytest.mark.parametrize(("name", "source"), list(zip(IDS, source_rows(), strict=True)), ids=IDS)
def test_a_row_carries_the_words_of_the_source(name: str, source: tuple[int, list[str]]) -> None:
    """Section, name (its asterisk is `legal_review`, I-17), description and the four columns, exactly."""
    section, words = source
    row = POLICY.rows[name]
    assert [row.section, row.name + (" *" if row.legal_review else ""), row.description, *row.columns] == [section, *words]
    assert [cell.text for cell in row.cells] == [word for word in words[2:] if word != "-"]
    assert row.basis == f"S{section}"


@pytest.mark.parametrize("line", MEANINGS.strip().splitlines(), ids=IDS)
def test_a_cell_imposes_what_its_words_say(line: str) -> None:
    """S1-S4, read with I-6 (choices), I-9, I-10, I-12 ("IP ban" is a permanent ban too), I-13 and I-16."""
    name, _, meaning = line.partition(": ")
    row = POLICY.rows[name]
    found = [short(cell) for cell in row.cells] + ["-"] * (4 - len(row.cells))
    assert (["(accounts)", *found[1:]] if row.accounts else found) == meaning.split(" ")


def test_only_the_rows_with_a_ladder_carry_a_strike() -> None:
    """I-1, I-9: no "(no strike)" row, of section 1 only Inexperience, and not Custom Cosmetics."""
    assert {row.id for row in POLICY.rows.values() if not row.strike} == NO_STRIKE
    assert not [row.id for row in POLICY.rows.values() if row.strike and any("(no strike)" in word for word in row.columns)]


def test_the_asterisk_marks_two_rows() -> None:
    """I-17."""
    assert [row.id for row in POLICY.rows.values() if row.legal_review] == ["harassment-major", "harassment-severe"]


def test_choices_are_needed_where_a_cell_leaves_one_and_an_ip_ban_is_free_to_add() -> None:
    """I-6: three cells need a choice, Lurking's IP ban is optional."""
    chosen = {(row.id, at): cell.choice.required for row in POLICY.rows.values() for at, cell in enumerate(row.cells, 1) if cell.choice}
    assert chosen == {("slow-play-major", 1): True, ("spam-severe", 1): True, ("lurking", 1): False, ("objectionable-major", 1): True}


def test_upgrades_are_those_of_the_source() -> None:
    """I-7 (automatic) and I-8 (asked for); seven days with the edge, a duel room, any time."""

    def brief(upgrade: Upgrade) -> tuple[Any, ...]:
        return upgrade.automatic, upgrade.condition, upgrade.within_seconds, upgrade.to, upgrade.ignored_warning, upgrade.basis

    assert {row.id: brief(row.upgrade) for row in POLICY.rows.values() if row.upgrade} == {
        "gameplay-minor": (True, "same_duel", None, "gameplay-major", False, "I-7"),
        "slow-play-minor": (True, "same_duel", None, "slow-play-major", False, "I-7"),
        "rule-sharking": (False, "same_duel", None, None, False, "I-8"),
        "non-compliance": (False, "any_time", None, "trolling-major", False, "I-8"),
        "harassment-minor": (False, "within", WEEK, "harassment-major", False, "I-8"),
        "unsporting-minor": (True, "within", WEEK, "unsporting-major", False, "I-7"),
        "spam-minor": (False, "within", WEEK, "spam-major", True, "I-8"),
    }
    sharking = POLICY.rows["rule-sharking"].upgrade
    assert sharking is not None
    assert [sanction.kind for sanction in sharking.sanctions] == ["game_loss"]


def test_what_is_special_about_a_row_is_said_in_the_table() -> None:
    """I-10 (derived harassment), I-11 (variants), I-13 (accounts)."""
    assert {row.id: row.derives for row in POLICY.rows.values() if row.derives} == {"profanity-to-admin": "harassment-minor"}
    assert [row.id for row in POLICY.rows.values() if row.accounts] == ["multiple-accounts"]
    assert {row.id: [variant.id for variant in row.variants] for row in POLICY.rows.values() if row.variants} == {
        "cheating": ["note-taking", "coaching"]
    }
    note_taking, coaching = POLICY.rows["cheating"].variants
    assert note_taking.cell is not None
    assert short(note_taking.cell) == "P"
    assert coaching.cell is None
    assert POLICY.rows["cheating"].variant("mind-reading") is None


def test_the_settings_are_those_of_the_source_and_its_reading() -> None:
    """I-3, I-13, I-14, I-15; 3,650 days are the longest ban (D13), 120 s a call's lease."""
    settings = POLICY.settings
    assert (settings.permanent_from_strike, settings.evasion_days_per_alt, settings.ip_ban_accounts) == (4, 2, 5)
    assert (settings.network_window_seconds, settings.proxy_ban) == (90 * 86_400, "off")
    assert (settings.max_ban_days, settings.call_lease_seconds) == (3650, 120)


def test_the_packaged_table_is_sound() -> None:
    """It would not be loaded otherwise."""
    assert validate(POLICY) == []


@given(row=st.sampled_from(list(POLICY.rows.values())), column=st.integers(1, 8))
def test_every_row_has_a_cell_at_every_column(row: Row, column: int) -> None:
    """I-3: the last defined cell past the ladder; a timed ban at the 4th strike or later is permanent and leaves no days to choose."""
    reading = read(row, column, POLICY.settings)
    kinds = {sanction.kind for sanction in reading.cell.sanctions}
    assert reading.cell.text == [word for word in row.columns if word != "-"][min(column, len(row.cells)) - 1]
    assert kinds or reading.cell.choice or row.accounts
    if row.strike and column > max(len(row.cells), 3):
        assert "ban" not in kinds
        assert reading.cell.choice is None or reading.cell.choice.days is None
    if not reading.raised:
        assert reading.cell == row.cells[min(column, len(row.cells)) - 1]


@pytest.mark.parametrize(("column", "expected"), [(1, "1..7"), (2, "1..7"), (3, "1..7"), (4, "P"), (5, "P"), (8, "P")])
def test_a_short_row_of_timed_bans_turns_permanent_at_the_fourth_strike(column: int, expected: str) -> None:
    """I-3: Objectionable Material (Major) has one cell."""
    reading = read(POLICY.rows["objectionable-major"], column, POLICY.settings)
    assert (short(reading.cell), reading.past_ladder, reading.raised) == (expected, column > 1, column > 3)


def test_columns_count_from_one() -> None:
    """A column of nought would read the table from behind."""
    with pytest.raises(ValueError, match="from 1"):
        read(POLICY.rows["spam-major"], 0, POLICY.settings)
