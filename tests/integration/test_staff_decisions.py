"""The table in which a rollback looks: written with the events, and the same when the migration makes it from the log."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from migrations.steps import SQL
from tests.support.app import Service, fresh, iso, serving
from tests.support.database import Database, run
from tests.support.rollbacks import REASON, hire

ROWS = "SELECT staff_id, decided_at, stream, version, kind, player_id, incident_id, decision_id FROM staff_decisions ORDER BY stream, version"


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Service]:
    async with serving(database) as running:
        yield running


async def test_decisions_recorded_before_the_table_existed_come_from_the_log(service: Service, database: Database) -> None:
    """Everything but incidents; what was decided in an appeal counts once, as the appeal's decision."""
    player, reviewer = fresh(), await hire(service, "senior_admin")
    await service.game.post("/v1/access-checks", {"player_id": player, "ip": "203.0.113.20"}, expect=200)
    barred = (await service.issue(player, "hacking"))["incident_id"]
    await service.adjust(barred, {"kind": "permanent_ban"}, {"kind": "ip_ban"})
    await service.head.post(f"/v1/incidents/{barred}/ip-ban/lift", REASON, expect=200)
    row = {
        "player_id": fresh(), "infraction": "spam-major", "decided_at": iso(service.clock.now()), "decided_by": "former-admin", "strike": True,
        "sanctions": [{"kind": "warning"}], "external_id": "old-1",
    }  # fmt: skip
    await service.head.post("/v1/incidents/import", {"incidents": [row]}, expect=200)
    made = [await service.head.post("/v1/network-bans", {"network": ip, **REASON}, expect=201) for ip in ("192.0.2.1", "192.0.2.2")]
    bans = [ban["network_ban_id"] for ban in made]
    await service.head.post(f"/v1/network-bans/{bans[0]}/exemptions", {"player_id": player, **REASON}, expect=201)
    await service.head.post(f"/v1/network-bans/{bans[0]}/lift", REASON, expect=200)
    appealed = {"player_id": player, "network_ban_id": bans[1], "grounds": "No."}
    appeal = (await service.game.post("/v1/appeals", appealed, expect=201))["appeal_id"]
    preview = await reviewer.post(f"/v1/appeals/{appeal}/preview", {"outcome": "overturned"}, expect=200)
    verdict = {"outcome": "overturned", **REASON, "player_version": preview["player_version"]}
    await reviewer.post(f"/v1/appeals/{appeal}/decision", verdict, expect=200)

    written = run(database.superuser, ROWS)
    kinds = ["adjustment", "appeal_decision", "import", "ip_ban_lift", "network_ban", "network_ban", "network_ban_lift", "network_exemption"]
    assert sorted(row["kind"] for row in written) == kinds
    statements = (SQL / "0013_rollbacks_up.sql").read_text(encoding="utf-8").split("\n-- next\n")[1:3]
    assert run(database.superuser, "DELETE FROM staff_decisions", *statements, ROWS) == written
