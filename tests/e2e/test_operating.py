"""Erasure, restoring and rebuilding as an operator does them: with the commands, on a running installation."""

from __future__ import annotations

from pathlib import Path

import httpx

from shared.embedded import EmbeddedPostgres
from tests.e2e.test_commands import KEY, bearer, environment, home, run, running
from tests.support.processes import free_port

__all__ = ["home"]


def test_a_forgotten_player_stays_forgotten_after_a_restore_and_tables_can_be_rebuilt(home: Path) -> None:
    """Bar 14: `serve` enters each erasure in the ledger, and holds a database against it before it serves."""
    ledger = home / "erasures.ndjson"
    with EmbeddedPostgres(home / "data") as server:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        addresses = {"DATABASE_URL": server.dsn, "MODERATION_OWNER_DATABASE_URL": server.owner_dsn}
        env = environment(**addresses, MODERATION_MASTER_KEY=KEY, MODERATION_PORT=str(port), MODERATION_ERASURE_LEDGER=str(ledger))
        assert run("migrate", env=env).returncode == 0
        head = bearer(run("token", "create", "--staff", "head", "--level", "head_admin", env=env).stdout.strip())
        with running("serve", url=url, env=env):
            body = {"player_id": "p1", "offenses": [{"infraction": "spam-major", "description": "s3cret"}]}
            incident_id = httpx.post(f"{url}/v1/incidents", json=body, headers=head).json()["incident_id"]
            assert httpx.post(f"{url}/v1/players/p1/erasure", json={"reason": "Asked for."}, headers=head).status_code == 200
            assert ledger.read_text().count("\n") == 1
            checked = run("rebuild", "--check", env=env)
            assert (checked.returncode, "DRIFT" in checked.stdout) == (0, False), checked.stderr
            rebuilt = run("rebuild", "standing", "incidents", env=env)
            assert rebuilt.returncode == 0, rebuilt.stderr
            assert "sha256" in rebuilt.stdout
            assert httpx.get(f"{url}/v1/players/p1/standing", headers=head).json()["strikes"] == 1
            assert "s3cret" not in httpx.get(f"{url}/v1/incidents/{incident_id}", headers=head).text
        assert run("rebuild", "nonsense", env=env).returncode == 2
        # The ledger of a later day: it knows an erasure that this database, restored, does not.
        later = home / "later.ndjson"
        assert run("erasures", "export", str(later), env=env).stdout == "1 added, 1 in all\n"
        lines = later.read_text()
        foreign = run("erasures", "apply", str(later), env={**env, "MODERATION_MASTER_KEY": KEY[::-1].lstrip("=") + "="})
        assert foreign.returncode == 1
        assert run("erasures", "apply", str(later), env=env).stdout == "0 erased again, 1 in the ledger\n"
        later.write_text(lines.replace("p1", "p2"))
        refused = run("serve", env={**env, "MODERATION_ERASURE_LEDGER": str(later)})
        assert refused.returncode == 1
        assert "line 1" in refused.stderr
