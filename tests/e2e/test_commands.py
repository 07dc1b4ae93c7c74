"""The command `moderation` as a person runs it: from an empty folder to an answer, and in production."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from shared.embedded import EmbeddedPostgres
from tests.support.processes import free_port

ROOT = Path(__file__).resolve().parents[2]
KEY = base64.b64encode(bytes(range(32))).decode()
COMMAND = (sys.executable, "-m", "services.cli")


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mod-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


def environment(**more: str) -> dict[str, str]:
    """Ours without what would steer the commands."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL" and not name.startswith("MODERATION_")}
    return {**kept, **more}


def run(*words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], cwd=ROOT, env=env or environment(), capture_output=True, text=True, timeout=120, check=False)


@contextlib.contextmanager
def running(*words: str, url: str, env: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """The command, once `/readyz` says yes; told to end at the end of the block, which must go well."""
    with subprocess.Popen([*COMMAND, *words], cwd=ROOT, env=env or environment()) as process:
        try:
            deadline = time.monotonic() + 120
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    if httpx.get(f"{url}/readyz").status_code == 200:
                        break
                assert process.poll() is None, "it ended instead of serving"
                assert time.monotonic() < deadline
                time.sleep(0.1)
            yield process
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        finally:
            process.kill()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_dev_starts_from_nothing_and_again_on_its_data(home: Path) -> None:
    """The tokens file is replaced at each start, the earlier tokens count no more, what was decided stays."""
    port, file = free_port(), home / "tokens.json"
    url = f"http://127.0.0.1:{port}"
    words = ("dev", "--port", str(port), "--data-dir", str(home / "data"), "--tokens-file", str(file))
    with running(*words, url=url):
        assert file.stat().st_mode & 0o777 == 0o600
        first = json.loads(file.read_text())
        body = {"player_id": "p1", "offenses": [{"infraction": "spam-major"}]}
        assert httpx.post(f"{url}/v1/incidents", json=body, headers=bearer(first["admin"]["token"])).status_code == 201
        taken = run("dev", "--port", str(port), "--data-dir", str(home / "other"))
        assert taken.returncode == 1
        assert "is taken by another program" in taken.stderr
        busy = run("dev", "--port", "0", "--data-dir", str(home / "data"))
        assert busy.returncode == 1
        assert "is in use by another moderation process" in busy.stderr
        nowhere = run("dev", "--port", "0", "--data-dir", str(home / "other"), "--tokens-file", str(home / "nowhere" / "tokens.json"))
        assert nowhere.returncode == 1
        assert nowhere.stderr.startswith("dev: the tokens can't be written")
    with running(*words, url=url):
        second = json.loads(file.read_text())
        path = f"{url}/v1/players/p1/standing"
        assert httpx.get(path, headers=bearer(second["game_server"])).json()["strikes"] == 1
        assert httpx.get(path, headers=bearer(first["game_server"])).status_code == 401


def test_production_from_an_empty_database_to_a_revoked_token(home: Path) -> None:
    """`serve` needs what it needs, refuses development tokens and databases that do not write durably, and a revocation counts at once."""
    with EmbeddedPostgres(home / "data") as server:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        addresses = {"DATABASE_URL": server.dsn, "MODERATION_OWNER_DATABASE_URL": server.owner_dsn}
        env = environment(**addresses, MODERATION_MASTER_KEY=KEY, MODERATION_PORT=str(port))
        assert "the database has no tables" in run("serve", env=env).stderr
        assert run("migrate", "status", env=env).returncode == 3
        assert run("migrate", env=env).returncode == 0
        assert run("migrate", "status", env=env).returncode == 0
        assert run("token", "create", "--staff", "nobody-yet", env=env).returncode == 1
        head = run("token", "create", "--staff", "head", "--level", "head_admin", env=env)
        game = run("token", "create", "--game-server", "g1", "--label", "first", env=env)
        assert head.stdout.startswith("mod_")
        token = game.stdout.strip()
        with running("serve", "--workers", "2", url=url, env=env):
            path = f"{url}/v1/players/p1/standing"
            assert httpx.get(path, headers=bearer(token)).status_code == 200
            assert httpx.get(path, headers=bearer(head.stdout.strip())).status_code == 200
            assert "moderation_request_seconds_count" in httpx.get(f"{url}/metrics").text
            listed = run("token", "list", env=env).stdout
            assert token not in listed
            token_id = next(line.split()[0] for line in listed.splitlines() if "g1" in line)
            assert run("token", "revoke", token_id, env=env).returncode == 0
            assert all(httpx.get(path, headers=bearer(token)).status_code == 401 for _ in range(8))
        dev = running("dev", "--port", str(port), "--data-dir", str(home / "dev"), "--tokens-file", str(home / "t.json"), url=url, env=env)
        with dev:
            development = json.loads((home / "t.json").read_text())["game_server"]
            assert httpx.get(f"{url}/v1/players/p1/standing", headers=bearer(development)).status_code == 200
        with running("serve", url=url, env=env):
            assert httpx.get(f"{url}/v1/players/p1/standing", headers=bearer(development)).status_code == 401
        lossy = {**env, "DATABASE_URL": server.dsn + "&options=-csynchronous_commit%3Doff"}
        refused = run("serve", env=lossy)
        assert refused.returncode == 1
        assert "synchronous_commit" in refused.stderr


def test_serve_names_every_missing_setting_and_shows_no_secret() -> None:
    refused = run("serve", env=environment(MODERATION_MASTER_KEY="c2VjcmV0", MODERATION_PORT="x"))
    assert refused.returncode == 1
    assert all(name in refused.stderr for name in ("DATABASE_URL", "MODERATION_MASTER_KEY", "MODERATION_PORT"))
    assert "c2VjcmV0" not in refused.stderr
    gone = run("serve", env=environment(DATABASE_URL="postgresql://app:hunter2@127.0.0.1:1/x", MODERATION_MASTER_KEY=KEY))
    assert gone.returncode == 1
    assert "can't be connected to" in gone.stderr
    assert "hunter2" not in gone.stderr


def test_a_call_is_played_on_a_service_of_its_own() -> None:
    """`moderation demo duel` needs nothing, and leaves nothing running."""
    done = run("demo", "duel", "--fast")
    assert done.returncode == 0, done.stderr
    assert "duel.paused" in done.stdout
    assert done.stdout.endswith("That was it.\n")


def test_a_demonstration_that_is_ended_ends_its_service_too(home: Path) -> None:
    words = [*COMMAND, "demo", "duel"]
    with subprocess.Popen(words, cwd=ROOT, env=environment(TMPDIR=str(home), PYTHONUNBUFFERED="1"), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("presses Call Admin" in line for line in process.stdout)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    assert list(home.iterdir()) == []
    started = [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(home).encode() in _read(path)]
    assert started == []


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended
        return b""
