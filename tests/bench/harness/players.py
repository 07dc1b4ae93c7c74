"""Players with something on their records."""

from __future__ import annotations

from collections.abc import Sequence

import httpx

from tests.bench.harness.sides import Side

_PART = 500


def players(count: int) -> list[str]:
    """The ids of so many players."""
    return [f"player-{number:07d}" for number in range(count)]


def imported(service: Side, token: str, names: Sequence[str], *, sanctions: Sequence[dict[str, object]] = ({"kind": "permanent_ban"},)) -> None:
    """One strike with these sanctions on the record of each, once for each time that a name is given."""
    rows = [
        {
            "player_id": name, "infraction": "spam-major", "decided_at": "2026-01-01T00:00:00Z", "decided_by": "former-admin", "strike": True,
            "sanctions": list(sanctions), "external_id": f"old-{number}",
        }
        for number, name in enumerate(names)
    ]  # fmt: skip
    with httpx.Client(base_url=f"http://127.0.0.1:{service.port}", headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
        for start in range(0, len(rows), _PART):
            answer = client.post("/v1/incidents/import", json={"incidents": rows[start : start + _PART]})
            if answer.status_code != 200 or answer.json().get("failed"):
                raise RuntimeError(answer.text[:500])
