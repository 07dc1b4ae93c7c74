"""What stops a service at its start: a packaged rule table that is wrong, in words, before anything is opened."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from services.commands import dev, serve
from services.moderation.composition import open_moderation
from services.moderation.policy import loader
from services.serving.listening import ListenError
from shared.http.resources import Resources
from tests.support.http import SETTINGS

WHERE = "(spam-major).columns[0]: '8 day ban' is not explained under [words]"
NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"


@pytest.fixture
def wrong_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release whose file has a mistake in it."""
    file = tmp_path / "simorg.toml"
    right, wrong = (f'columns = ["{days} day ban", "3 day ban", "7 day ban", "Perma ban"]' for days in (1, 8))
    text = loader.PACKAGED.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr(loader, "PACKAGED", file)

    def too_late(*_: object) -> None:
        raise ListenError("it was about to listen")

    for command in (dev, serve):
        monkeypatch.setattr(command, "configure_logging", lambda *_: None)  # the process that tests share keeps its own
        monkeypatch.setattr(command, "listen", too_late)


@pytest.mark.usefixtures("wrong_table")
def test_dev_does_not_start_on_a_wrong_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = argparse.Namespace(port=0, data_dir=tmp_path / "data", tokens_file=None, log_level="warning")
    assert dev.run(arguments) == 1
    assert WHERE in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


@pytest.mark.usefixtures("wrong_table")
def test_serve_does_not_start_on_a_wrong_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DATABASE_URL", NOWHERE)
    monkeypatch.setenv("MODERATION_MASTER_KEY", "A" * 43)
    monkeypatch.delenv("MODERATION_MASTER_KEY_FILE", raising=False)
    assert serve.run(argparse.Namespace(host=None, port=None, workers=None)) == 1
    assert WHERE in capsys.readouterr().err


@pytest.mark.usefixtures("wrong_table")
async def test_the_application_does_not_open_on_a_wrong_table() -> None:
    """Also where another table was published since, which holds: what a release ships is whole, or serves nobody."""
    with pytest.raises(loader.PolicyFileError, match="spam-major"):
        async with open_moderation(SETTINGS, Resources()):
            raise AssertionError
