"""The settings: all that is wrong is told at once, and nothing secret with it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from shared.settings import Settings, SettingsError, load_settings, owner_database_url, parse_master_key

KEY = base64.b64encode(bytes(range(32))).decode()
GOOD = {"DATABASE_URL": "postgresql://app:hunter2@db/moderation", "MODERATION_MASTER_KEY": KEY}


def test_two_variables_are_enough() -> None:
    settings = load_settings(GOOD)
    assert settings.owner_database_url == settings.database_url == GOOD["DATABASE_URL"]
    assert settings.master_key == bytes(range(32))
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert not settings.allow_dev_tokens


def test_every_bad_variable_is_named_at_once() -> None:
    bad = {
        "DATABASE_URL": "mysql://root:hunter2@db/x",
        "MODERATION_MASTER_KEY": "aHVudGVyMg==",
        "MODERATION_PORT": "65536",
        "MODERATION_WORKERS": "many",
        "MODERATION_LOG_LEVEL": "loud",
        "MODERATION_TRUSTED_PROXIES": "10.0.0.0/8,somewhere",
        "MODERATION_SHUTDOWN_SECONDS": "-1",
    }
    with pytest.raises(SettingsError) as refused:
        load_settings(bad)
    assert [problem.split(":")[0] for problem in refused.value.problems] == list(bad)
    assert "hunter2" not in str(refused.value)
    assert "aHVudGVyMg" not in str(refused.value)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings({})
    assert len(refused.value.problems) == 2
    with pytest.raises(SettingsError, match="DATABASE_URL is missing"):
        owner_database_url({})


def test_the_key_may_come_from_a_file_that_is_nobody_elses(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    file.chmod(0o600)
    env = {"DATABASE_URL": GOOD["DATABASE_URL"], "MODERATION_MASTER_KEY_FILE": str(file)}
    assert load_settings(env).master_key == bytes(range(32))
    file.chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 0600"):
        load_settings(env)
    with pytest.raises(SettingsError, match="can't be read"):
        load_settings({**env, "MODERATION_MASTER_KEY_FILE": str(tmp_path / "none")})


def test_printing_the_settings_shows_no_secret() -> None:
    assert "hunter2" not in repr(load_settings(GOOD))
    assert str(bytes(range(32))) not in repr(load_settings(GOOD))


@pytest.mark.parametrize("text", ["", "x", KEY[:-8], KEY + KEY, "é" * 43])
def test_a_wrong_key_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="not 32 bytes") as refused:
        parse_master_key(text)
    assert not text or text not in str(refused.value)


def test_no_variable_lets_the_development_tokens_in() -> None:
    """`moderation serve` refuses them whatever the environment says."""
    every = {**GOOD, "MODERATION_ALLOW_DEV_TOKENS": "true", "ALLOW_DEV_TOKENS": "1"}
    assert load_settings(every) == load_settings(GOOD)
    assert Settings(database_url="", owner_database_url="", master_key=b"").allow_dev_tokens is False
