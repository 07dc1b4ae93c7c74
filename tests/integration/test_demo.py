"""`moderation demo duel` against the running service, and what it prints on."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli import main
from services.commands.stage import Stage, coloured
from tests.support.live import ROOT, Live

ORDER = (
    "presses Call Admin", "duel.paused", "play stands still", "takes the call", "duel.resumed", "prompts p2", "suggests", "decides",
    "incident.decided", "appeals", "appeal.opened", "overturned", "appeal.decided", "resolves", "call.resolved", "play on", "That was it.",
)  # fmt: skip


def demo(live: Live, **more: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "services.cli", "demo", "duel", "--fast", "--url", live.url, "--tokens-file", str(live.folder / "tokens.json")]
    environment = {**os.environ, "COLUMNS": "140", **more}
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)


def in_order(text: str, words: tuple[str, ...]) -> bool:
    """Whether each of these follows the one before."""
    at = 0
    for word in words:
        found = text.find(word, at)
        if found < 0:
            return False
        at = found + len(word)
    return True


def test_a_call_is_played_to_its_end_and_can_be_played_again(live: Live) -> None:
    """The feed says what people did, in its own order, beside it."""
    for _ in range(2):
        done = demo(live)
        assert (done.returncode, done.stderr) == (0, "")
        assert in_order(done.stdout, ORDER), done.stdout
        assert "\x1b" not in done.stdout  # it is no terminal


def test_it_fits_a_narrow_terminal(live: Live) -> None:
    done = demo(live, COLUMNS="60")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 60


def test_what_is_missing_is_said_in_one_line(live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong.json").write_text('{"game_server": "x", "admin": {"id": "admin-1", "token": "x"}}')
    (tmp_path / "others.json").write_text((live.folder / "tokens.json").read_text().replace(live.tokens["game-1"], "mod_game_unknown"))
    asked = {
        "go together": (["--url", live.url], 2),
        "no file of tokens": (["--url", live.url, "--tokens-file", str(tmp_path / "none.json")], 1),
        "lacks the tokens of senior_admin": (["--url", live.url, "--tokens-file", str(tmp_path / "wrong.json")], 1),
        "unauthenticated": (["--url", live.url, "--tokens-file", str(tmp_path / "others.json")], 1),
    }
    for said, (words, code) in asked.items():
        assert main(["demo", "duel", "--fast", *words]) == code
        assert said in capsys.readouterr().err


class Terminal(io.StringIO):
    """A place to print to that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them() -> None:
    assert coloured(Terminal(), {"TERM": "xterm"})
    assert coloured(Terminal(), {"NO_COLOR": ""})
    assert not coloured(Terminal(), {"NO_COLOR": "1"})
    assert not coloured(Terminal(), {"TERM": "dumb"})
    assert not coloured(io.StringIO(), {})


@pytest.mark.parametrize("width", [60, 120])
async def test_nothing_that_comes_from_elsewhere_steers_the_terminal(width: int) -> None:
    out = io.StringIO()
    stage = Stage(out=out, width=width, colours=False, paced=False)
    said = "\x1b[2Jgone\r\x07\u202e\x9b1m"
    stage.title(said)
    await stage.act(said, said)
    await stage.outcome(said)
    stage.feed(said, said)
    assert out.getvalue().count("gone") == 6
    assert all(char.isprintable() for char in out.getvalue().replace("\n", ""))
