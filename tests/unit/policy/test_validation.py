"""A wrong table is refused, and the finding names the place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.tables import Cell, Choice, Row, SanctionTemplate, Settings, Upgrade, Variant
from services.moderation.policy.validation import validate_rows

GOOD = Row(
    id="rudeness",
    name="Rudeness",
    section=2,
    description="Being rude.",
    strike=True,
    cells=(
        Cell(text="Warning", sanctions=(SanctionTemplate(kind="warning"),)),
        Cell(text="1 day ban", sanctions=(SanctionTemplate(kind="ban", days=1),)),
    ),
    columns=("Warning", "1 day ban", "-", "-"),
    basis="S2",
)
OTHER = replace(GOOD, id="other")
UPGRADE = Upgrade(automatic=False, condition="any_time", to="other", basis="I-8")
BAN, PERMANENT = SanctionTemplate(kind="ban", days=1), SanctionTemplate(kind="permanent_ban")


def saying(*sanctions: SanctionTemplate, choice: Choice | None = None) -> Row:
    """The row with one cell that imposes this."""
    return replace(GOOD, cells=(Cell(text="Words", sanctions=sanctions, choice=choice),), columns=("Words", "-", "-", "-"))


WRONG = {
    "unknown upgrade target": (replace(GOOD, upgrade=replace(UPGRADE, to="nowhere")), "infractions[0].upgrade.to"),
    "upgrade to itself": (replace(GOOD, upgrade=replace(UPGRADE, to="rudeness")), "infractions[0].upgrade.to"),
    "upgrade to nothing": (replace(GOOD, upgrade=replace(UPGRADE, to=None)), "infractions[0].upgrade.to"),
    "upgrade to two things": (replace(GOOD, upgrade=replace(UPGRADE, sanctions=(BAN,))), "infractions[0].upgrade.to"),
    "window without a condition": (replace(GOOD, upgrade=replace(UPGRADE, within_seconds=5)), "infractions[0].upgrade.within_seconds"),
    "condition without a window": (replace(GOOD, upgrade=replace(UPGRADE, condition="within")), "infractions[0].upgrade.within_seconds"),
    "automatic by a decider's word": (
        replace(GOOD, upgrade=replace(UPGRADE, automatic=True, ignored_warning=True)),
        "infractions[0].upgrade.ignored_warning",
    ),
    "derives what is not there": (replace(GOOD, derives="nowhere"), "infractions[0].derives"),
    "derives itself": (replace(GOOD, derives="rudeness"), "infractions[0].derives"),
    "required choice without a range": (saying(choice=Choice()), "infractions[0].cells[0].choice"),
    "required choice of permanence only": (saying(choice=Choice(permanent=True)), "infractions[0].cells[0].choice"),
    "optional choice of nothing": (saying(BAN, choice=Choice(required=False)), "infractions[0].cells[0].choice"),
    "nothing without the optional choice": (saying(choice=Choice(days=(1, 2), required=False)), "infractions[0].cells[0].choice.required"),
    "range upside down": (saying(choice=Choice(days=(5, 3))), "infractions[0].cells[0].choice.days"),
    "range from nought": (saying(choice=Choice(days=(0, 3))), "infractions[0].cells[0].choice.days"),
    "range beyond the longest ban": (saying(choice=Choice(days=(1, 3651))), "infractions[0].cells[0].choice.days"),
    "days to choose beside a ban": (saying(BAN, choice=Choice(days=(1, 2))), "infractions[0].cells[0].choice"),
    "unknown outcome": (saying(choice=Choice(outcomes=("exile", "game_loss"))), "infractions[0].cells[0].choice.outcomes[0]"),
    "outcome twice": (saying(choice=Choice(outcomes=("game_loss", "game_loss"))), "infractions[0].cells[0].choice.outcomes[1]"),
    "IP ban to choose without a permanent one": (saying(BAN, choice=Choice(ip_ban=True, required=False)), "infractions[0].cells[0].choice.ip_ban"),
    "permanent cell with days": (saying(SanctionTemplate(kind="permanent_ban", days=3)), "infractions[0].cells[0].sanctions[0].days"),
    "ban without days": (saying(SanctionTemplate(kind="ban")), "infractions[0].cells[0].sanctions[0].days"),
    "ban of no days": (saying(SanctionTemplate(kind="ban", days=0)), "infractions[0].cells[0].sanctions[0].days"),
    "ban of too many days": (saying(SanctionTemplate(kind="ban", days=3651)), "infractions[0].cells[0].sanctions[0].days"),
    "unknown kind": (saying(SanctionTemplate(kind="exile")), "infractions[0].cells[0].sanctions[0].kind"),
    "kind twice": (saying(BAN, BAN), "infractions[0].cells[0].sanctions[1].kind"),
    "timed and permanent": (saying(BAN, PERMANENT), "infractions[0].cells[0].sanctions"),
    "IP ban of a free account": (saying(SanctionTemplate(kind="ip_ban")), "infractions[0].cells[0].sanctions"),
    "cell of nothing": (saying(), "infractions[0].cells[0].sanctions"),
    "words that are no cell's": (replace(GOOD, columns=("Warning", "2 day ban", "-", "-")), "infractions[0].cells[1].text"),
    "fewer cells than columns": (replace(GOOD, cells=GOOD.cells[:1]), "infractions[0].cells[1].text"),
    "more cells than columns": (replace(GOOD, columns=("Warning", "-", "-", "-")), "infractions[0].cells[1].text"),
    "a gap in the ladder": (replace(GOOD, columns=("Warning", "-", "1 day ban", "-")), "infractions[0].columns"),
    "no cell at all": (replace(GOOD, cells=(), columns=("-", "-", "-", "-")), "infractions[0].cells"),
    "id of another shape": (replace(GOOD, id="Being Rude"), "infractions[0].id"),
    "id with a line's end": (replace(GOOD, id="rudeness\n"), "infractions[0].id"),
    "id of the unlisted act": (replace(GOOD, id="unlisted"), "infractions[0].id"),
    "blank name": (replace(GOOD, name="  "), "infractions[0].name"),
    "no basis": (replace(GOOD, basis=""), "infractions[0].basis"),
    "variant twice": (replace(GOOD, variants=(Variant(id="a", basis="I-11"), Variant(id="a", basis="I-11"))), "infractions[0].variants[1].id"),
    "variant of nothing": (
        replace(GOOD, variants=(Variant(id="a", cell=Cell(text="Words"), basis="I-11"),)),
        "infractions[0].variants[0].cell.sanctions",
    ),
}


@pytest.mark.parametrize(("row", "path"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_row_is_found_where_it_is_wrong(row: Row, path: str) -> None:
    """The path is the JSON document's."""
    assert path in [place for place, _ in validate_rows(Settings(), [row, OTHER])]


def test_a_sound_row_has_no_finding() -> None:
    """The rows above are wrong in one thing each."""
    assert validate_rows(Settings(), [replace(GOOD, upgrade=UPGRADE), OTHER]) == []


def test_rows_that_lead_to_each_other_are_refused() -> None:
    """A cycle over upgrades and derived offenses has no end."""
    one, two = replace(GOOD, upgrade=UPGRADE), replace(OTHER, derives="rudeness")
    assert [path for path, _ in validate_rows(Settings(), [one, two])] == ["infractions[0].upgrade.to", "infractions[1].derives"]


def test_two_rows_of_one_id_are_refused() -> None:
    """The second is the finding."""
    assert [path for path, _ in validate_rows(Settings(), [GOOD, GOOD])] == ["infractions[1].id"]


def test_an_empty_table_is_refused() -> None:
    """A site without rules is a mistake."""
    assert [path for path, _ in validate_rows(Settings(), [])] == ["infractions"]


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(permanent_from_strike=0), "permanent_from_strike"),
        (Settings(evasion_days_per_alt=0), "evasion_days_per_alt"),
        (Settings(ip_ban_accounts=1), "ip_ban_accounts"),
        (Settings(network_window_seconds=-1), "network_window_seconds"),
        (Settings(max_ban_days=3651), "max_ban_days"),
        (Settings(call_lease_seconds=1), "call_lease_seconds"),
        (Settings(proxy_ban="sometimes"), "proxy_ban"),  # type: ignore[arg-type]
    ],
)
def test_a_setting_out_of_its_range_is_refused(settings: Settings, name: str) -> None:
    """D13 for the days; the others would switch a rule off without saying so."""
    assert f"settings.{name}" in [path for path, _ in validate_rows(settings, [GOOD])]


def test_a_shorter_longest_ban_binds_the_cells() -> None:
    """`max_ban_days` is checked against every cell of the same table."""
    findings = validate_rows(Settings(max_ban_days=6), list(packaged_policy().rows.values()))
    assert findings
    assert all("1 to 6" in message for _, message in findings)
