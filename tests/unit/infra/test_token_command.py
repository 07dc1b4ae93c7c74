"""`moderation token create`: what it refuses before it asks for a database."""

from __future__ import annotations

import pytest

from services.cli import main


@pytest.mark.parametrize("name", ["two words", "line\nbreak", "", "-x", "ä", "x" * 65])
@pytest.mark.parametrize("option", ["--staff", "--game-server"])
def test_a_name_that_the_api_would_not_take_is_refused(option: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["token", "create", f"{option}={name}"])
    assert "letters, digits" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game-server", "game-1", "--level", "admin"), "--level goes with --staff"),
        (("--staff", "admin-1", "--player-id", "p1"), "--player-id goes with --level"),
    ],
)
def test_an_option_without_its_other_is_refused_and_not_passed_over(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["token", "create", *words]) == 2
    assert capsys.readouterr().err == f"token create: {said}\n"
