"""Faults U01 to U03 of the field: names. The service knows accounts by the game's ids, keeps no display names, and takes an id literally."""

from __future__ import annotations

import pytest

from tests.support.app import Service, fresh, incident, offense

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_u01_a_ban_keys_on_the_id_as_it_is(service: Service) -> None:
    """Another case is another account: it is neither banned nor does it dodge anything."""
    player = fresh("Name")
    await service.issue(player, "lurking")
    for other in (player.upper(), player.lower()):
        assert (await service.standing(other))["status"] == "good"
        assert (await service.access(other))["allowed"] is True
    found = (await service.game.post("/v1/standings/query", {"player_ids": [player.upper(), player, player.lower()]}))["standings"]
    assert [standing["status"] for standing in found] == ["good", "permanently_banned", "good"]


@pytest.mark.parametrize(
    "name", ["nam\u00e9", "name\u0301", "\uff4eame", "n\u0430me", "name\u200b", "name\u200d", "na\u202eme", "name ", "\u200b" * 15]
)
async def test_u01_u03_an_id_that_is_no_plain_ascii_is_refused_everywhere(service: Service, name: str) -> None:
    """Accents, full width, look-alikes, invisible and direction characters can't make a second account that looks like the first."""
    await service.admin.refused("invalid_request", "/v1/incidents", incident(name, "spam-major"))
    await service.admin.refused("invalid_request", "/v1/incidents", incident(fresh(), offense("multiple-accounts", alts=[name])))
    await service.game.refused("invalid_request", "/v1/standings/query", {"player_ids": [name]})
    assert (await service.game.call("GET", f"/v1/players/{name}/standing")).status in {404, 422}


async def test_u02_a_ban_follows_the_account_whatever_it_is_called(service: Service) -> None:
    """Names are the game's: a rename changes nothing here, and a newcomer with the old name has an id of their own."""
    old, newcomer = fresh(), fresh()
    done = await service.issue(old, offense("inappropriate-username", description="Called itself 'Admin\u200d' then."))
    assert (await service.standing(old))["status"] == "permanently_banned"
    assert (await service.standing(newcomer))["status"] == "good"
    kept = await service.auditor.get(f"/v1/incidents/{done['incident_id']}")
    assert kept["descriptions"] == ["Called itself 'Admin\u200d' then."]


@pytest.mark.parametrize(
    "name",
    ["\u0627\u0644\u0644\u0627\u0639\u0628", "\u05e9\u05d7\u05e7\u05df", "\ud50c\ub808\uc774\uc5b4", "\U0001f468\u200d\U0001f469\u200d\U0001f467"],
)
async def test_u03_names_in_evidence_keep_their_exact_characters(service: Service, name: str) -> None:
    """Who judges a name sees what was there; nothing is punished by itself."""
    evidence = [{"kind": "screenshot", "ref": "r", "text": name}]
    done = await service.issue(fresh(), "inappropriate-username", evidence=evidence)
    assert (await service.auditor.get(f"/v1/incidents/{done['incident_id']}"))["evidence"][0]["text"] == name
