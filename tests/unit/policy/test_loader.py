"""The file `simorg.toml`: a row is added, and a mistake is named, without touching Python."""

from __future__ import annotations

import pytest

from services.moderation.policy.loader import PACKAGED, PolicyFileError, load_policy, packaged_policy
from services.moderation.policy.versioning import content_version

TEXT = PACKAGED.read_text(encoding="utf-8")

NEW_ROW = """
[[infractions]]
id = "stream-sniping"
name = "Stream-sniping"
section = 4
description = "Watching an opponent's stream during the duel."
strike = true
columns = ["Warning", "1 day ban", "Perma ban", "-"]
basis = "S4"
"""


def test_a_row_added_to_the_file_is_in_the_policy_under_another_version() -> None:
    """The one thing that an editor of the rules does most."""
    policy = load_policy(TEXT + NEW_ROW)
    assert list(policy.rows) == [*packaged_policy().rows, "stream-sniping"]
    assert [sanction.days for cell in policy.rows["stream-sniping"].cells for sanction in cell.sanctions] == [None, 1, None]
    assert policy.version != packaged_policy().version


def test_the_version_names_the_rules_and_not_their_spelling() -> None:
    """Comments, blanks and the note change nothing; a number does, and so does the order."""
    version = packaged_policy().version
    assert len(version) == 16
    assert load_policy(TEXT.replace('note = "The rules as published."', "# no note\n\n")).version == version
    assert load_policy(TEXT.replace("evasion_days_per_alt = 2", "evasion_days_per_alt = 3")).version != version
    policy = packaged_policy()
    assert content_version(policy.settings, policy.rows.values()) == version
    assert content_version(policy.settings, reversed(list(policy.rows.values()))) != version


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"5 day ban", "Perma ban", "-", "-"]', '"50 day ban", "Perma ban", "-", "-"]', "(cheating).columns[0]"),
        ('to = "trolling-major"', 'to = "trolling"', "(non-compliance).upgrade.to"),
        ("legal_review = true", "leagl_review = true", "leagl_review"),
        ("strike = false", 'strike = "no"', "strike"),
        ('proxy_ban = "off"', 'proxy_ban = "on"', "proxy_ban"),
        ("note =", "note", "the file"),
        ('"IP ban" = {', '"Exile" = {}\n"IP ban" = {', "words.Exile"),
        ("days = [3, 5]", "days = [5, 3]", "(spam-severe).cells[0].choice.days"),
        ('says = "Perma ban"', 'says = "Perma"', "(cheating).variants[0].says"),
        ("columns = [", "cells = []\ncolumns = [", "(gameplay-minor).cells"),
        ("columns = [", "column = [", "(gameplay-minor).columns"),
    ],
)
def test_a_mistake_in_the_file_stops_the_start_and_is_named(old: str, new: str, named: str) -> None:
    """Never a half-loaded table."""
    assert old in TEXT
    with pytest.raises(PolicyFileError) as error:
        load_policy(TEXT.replace(old, new, 1))
    assert named in str(error.value)
