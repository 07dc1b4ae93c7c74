"""The ladder over the whole table: a transcription of the source (S), read at each strike count and past the ladder (I-1, I-2, I-3)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.record import DAY, NEW, POLICY, T0, ban_days, charge, decided, incident, kinds, standing, struck

# What each row gives at the 1st to 4th strike and at the 5th: a number is a ban of so many days; P permanent, W warning, D in-duel warning,
# GL game loss, IP IP ban, R stats reset, C cosmetic removed. A `*` after the id: the row adds a strike. `=n`: so many days were chosen (I-6).
TABLE = """
gameplay-minor          D | D | D | D | D
gameplay-major          GL | GL | GL | GL | GL
slow-play-minor         D | D | D | D | D
slow-play-major         GL | GL | GL | GL | GL
rule-sharking           D | D | D | D | D
non-compliance          GL W | GL W | GL W | GL W | GL W
profanity-to-admin      GL W | GL W | GL W | GL W | GL W
inexperience*           W | 1 | 3 | P | P
harassment-minor        W | W | W | W | W
harassment-major*       2 | 4 | 7 | P | P
harassment-severe*      7 | P | P | P | P
hate-speech*            7 | P | P | P | P
unsporting-minor        W | W | W | W | W
unsporting-major        GL W | GL W | GL W | GL W | GL W
call-admin-misuse*      3 | 7 | P | P | P
trolling-major*         3 | 5 | 7 | P | P
cheating*               5 | P | P | P | P
malicious-afk*          3 | 5 | 7 | P | P
lying-to-admin*         5 | P | P | P | P
boosting*               P R | P R | P R | P R | P R
spam-minor              W | W | W | W | W
spam-major*             1 | 3 | 7 | P | P
spam-severe*            =4 | P | P | P | P
duel-notes-misuse*      1 | 1 | 1 | P | P
personal-profile*       W | 2 | 3 | P | P
lurking*                P | P | P | P | P
doxing*                 P IP | P IP | P IP | P IP | P IP
objectionable-major*    =1 | =7 | =3 | P | P
objectionable-severe*   P IP | P IP | P IP | P IP | P IP
inappropriate-username* P | P | P | P | P
admin-impersonation*    P IP | P IP | P IP | P IP | P IP
hacking*                P IP | P IP | P IP | P IP | P IP
wagering*               P IP | P IP | P IP | P IP | P IP
faking-evidence*        P IP | P IP | P IP | P IP | P IP
exam-cheating*          P IP | P IP | P IP | P IP | P IP
custom-cosmetics        C | C | C | C | C
"""
WORDS = {
    "P": "permanent_ban", "W": "warning", "D": "in_duel_warning", "GL": "game_loss", "IP": "ip_ban", "R": "stats_reset", "C": "cosmetic_removal",
}  # fmt: skip
ROWS: list[tuple[str, bool, int, list[str]]] = [
    (name.rstrip("*"), name.endswith("*"), column, cell.split())
    for line in TABLE.strip().splitlines()
    for name, row in [line.split(maxsplit=1)]
    for column, cell in enumerate(row.split("|"), start=1)
]
CELLS = [pytest.param(*row, id=f"{row[0]}-{row[2]}") for row in ROWS]


def test_every_row_of_the_policy_is_transcribed_here_but_multiple_accounts() -> None:
    """`multiple-accounts` follows I-13 and has a file of its own."""
    assert list(dict.fromkeys(row[0] for row in ROWS)) == [name for name in POLICY.rows if name != "multiple-accounts"]
    assert len(POLICY.rows) == 37


@pytest.mark.parametrize(("infraction", "strike", "column", "cell"), CELLS)
def test_each_cell_imposes_what_it_says(infraction: str, strike: bool, column: int, cell: list[str]) -> None:  # noqa: FBT001
    """I-1, I-2, I-3, L01: every row at every strike count, and past the ladder."""
    past = struck(column - 1)
    days = next((int(word.lstrip("=")) for word in cell if word.lstrip("=").isdigit()), None)
    choice = {"days": days} if cell[0].startswith("=") else {"outcome": "game_loss"} if infraction == "slow-play-major" else {}
    event = decided(past, incident(charge(infraction, **choice)))
    assert event.column == column
    assert event.strike == (column if strike else None)
    assert kinds(event.sanctions) == sorted("ban" if word.lstrip("=").isdigit() else WORDS[word] for word in cell)
    assert ban_days(event) == days
    for sanction in event.sanctions:
        assert sanction.starts_at == T0
        assert sanction.ends_at == (T0 + (days or 0) * timedelta(hours=24) if sanction.kind == "ban" else None)
    after = standing(past.given(event))
    assert after.strikes == column - 1 + strike
    assert after.warnings == int("W" in cell)
    assert (after.ban is None) == ("P" not in cell and days is None)


def test_the_total_of_strikes_decides_and_not_the_kind_of_earlier_ones() -> None:
    """I-2, L03: the first ever Cheating as a second strike is permanent."""
    assert kinds(decided(NEW.after(incident("spam-major")), incident("cheating")).sanctions) == ["permanent_ban"]


def test_cheating_as_a_third_strike_is_permanent_although_its_third_cell_is_empty() -> None:
    """I-3: the last defined cell applies."""
    assert kinds(decided(struck(2), incident("cheating")).sanctions) == ["permanent_ban"]


def test_a_range_past_the_ladder_stays_a_range_until_the_fourth_strike() -> None:
    """I-3, I-6: Objectionable (Major) as 2nd and 3rd strike is still 1 to 7 days; the 4th is permanent and takes no days."""
    for strikes in (1, 2):
        struck(strikes).when(incident("objectionable-major")).refused("discretion_required")
    assert kinds(decided(struck(3), incident("objectionable-major")).sanctions) == ["permanent_ban"]
    struck(3).when(incident(charge("objectionable-major", days=3))).refused("discretion_not_allowed")


def test_served_strikes_count_on_one_step_after_another() -> None:
    """L04, L05: nothing resets when a ban is served, and nothing is forgotten after years."""
    past, at = NEW, T0
    for number, days in enumerate((1, 3, 7, None), start=1):
        event = decided(past, incident("spam-major", at=at))
        assert (event.strike, ban_days(event)) == (number, days)
        past, at = past.given(event), at + 400 * DAY
        assert standing(past, at).strikes == number
    assert standing(past, at).status == "permanently_banned"


def test_warnings_without_a_strike_never_move_the_ladder() -> None:
    """I-1, L10."""
    past = NEW.after(*(incident("harassment-minor") for _ in range(4)), incident("unsporting-major"), incident("profanity-to-admin"))
    assert (standing(past).strikes, standing(past).warnings) == (0, 6)
    assert ban_days(decided(past, incident("trolling-major"))) == 3


def test_a_strike_whose_sanction_is_a_warning_is_a_warning_of_the_standing_and_an_in_duel_warning_is_none() -> None:
    """I-1, I-4."""
    warned = standing(NEW.after(incident("inexperience")))
    assert (warned.status, warned.strikes, warned.warnings) == ("warned", 1, 1)
    in_duel = standing(NEW.after(incident("gameplay-minor")))
    assert (in_duel.status, in_duel.strikes, in_duel.warnings) == ("good", 0, 0)


def test_a_player_under_a_ban_is_punished_again_and_the_bans_run_at_the_same_time() -> None:
    """I-5, D09: banned already is no error; the ban lasts to the latest end, not for the sum."""
    past = NEW.after(incident("cheating"), incident("duel-notes-misuse", at=T0 + DAY))
    ban = standing(past, T0 + DAY).ban
    assert ban is not None
    assert (ban.starts_at, ban.ends_at, len(ban.incident_ids)) == (T0, T0 + 5 * DAY, 2)
    after = standing(past, T0 + 2 * DAY).ban
    assert after is not None
    assert len(after.incident_ids) == 1


def test_an_infraction_that_nobody_knows_is_refused_and_says_which_exist() -> None:
    """Contract, Codes."""
    refusal = NEW.when(incident("being-rude")).refused("unknown_infraction")
    assert "spam-major" in refusal.allowed
