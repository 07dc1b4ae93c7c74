"""The client against the running service: something of every resource, as a game server and the staff use it."""

from __future__ import annotations

import io
from datetime import timedelta

import msgspec
import pytest
from PIL import Image

from shared.client import Problem
from shared.client.api.appeals import AppealBody, DecisionBody, PreviewBody, WithdrawBody
from shared.client.api.calls import PressBody, ResolveBody, TakeNextBody
from shared.client.api.cosmetics import RemovalBody
from shared.client.api.duels import RoomBody
from shared.client.api.incidents import AdjustmentBody, DiscretionBody, ImportBody, ImportRow, IncidentBody, NamedSanction, OffenseBody
from shared.client.api.network_bans import ExemptionBody, NetworkBanBody, ReasonBody
from shared.client.api.staff import StaffBody
from shared.client.api.standing import AccessBody, StandingsBody
from tests.support.images import encode, texture
from tests.support.live import Live


def spam(player: str, infraction: str = "spam-major") -> IncidentBody:
    return IncidentBody(player_id=player, offenses=[OffenseBody(infraction=infraction)])


async def test_incidents_and_standings(live: Live) -> None:
    async with live.client("admin-1") as admin, live.client("head-1") as head, live.client("game-1") as game:
        preview = await admin.incidents.decide_incident(spam("client-1"), dry_run=True)
        assert preview.position is None
        decided = await admin.incidents.decide_incident(spam("client-1"), idempotency_key="client-1-first")
        again = await admin.incidents.decide_incident(spam("client-1"), idempotency_key="client-1-first")
        assert decided == again
        assert decided.strike is not None
        assert decided.strike.number == 1
        (ban,) = decided.sanctions
        assert (ban.kind, ban.days) == ("ban", 1)

        standing = await game.standing.get_standing("client-1", min_position=decided.position)
        assert (standing.status, standing.version) == ("banned", decided.version)
        assert standing.ban is not None
        assert standing.ban.ends_at is not None
        later = await game.standing.get_standing("client-1", as_of=standing.ban.ends_at)
        assert (later.status, later.ban) == ("warned", None)
        (queried, unseen) = (await game.standing.query_standings(StandingsBody(player_ids=["client-1", "client-unseen"]))).standings
        assert (queried.status, unseen.status, unseen.version) == ("banned", "good", 0)
        access = await game.standing.check_access(AccessBody(player_id="client-1", ip="203.0.113.7"))
        assert [reason.code for reason in access.reasons] == ["banned"]

        longer = AdjustmentBody(sanctions=[NamedSanction(kind="ban", days=3)], strike=True, reason="A repeat within the hour.")
        adjusted = await head.incidents.adjust(decided.incident_id, longer, if_match=decided.version)
        assert adjusted.standing.ban is not None
        assert adjusted.standing.ban.ends_at == ban.starts_at + timedelta(days=3)
        with pytest.raises(Problem) as stale:
            await head.incidents.adjust(decided.incident_id, longer, if_match=decided.version)
        assert stale.value.code == "stale_version"

        seen = await admin.incidents.get_incident(decided.incident_id)
        assert [change.reason for change in seen.adjustments] == ["A repeat within the hour."]
        assert [active.incident_id async for active in game.incidents.list_active("client-1")] == [decided.incident_id]
        assert (await game.incidents.get_statement(decided.incident_id)).rules[0]["infraction"] == "spam-major"


async def test_a_choice_that_is_missing_is_named(live: Live) -> None:
    """I-6: the refusal says what would be accepted, and that is accepted."""
    async with live.client("admin-1") as admin:
        with pytest.raises(Problem) as asked:
            await admin.incidents.decide_incident(spam("client-2", "objectionable-major"))
        assert (asked.value.status, asked.value.code) == (422, "discretion_required")
        assert asked.value.allowed
        offense = OffenseBody(infraction="objectionable-major", discretion=DiscretionBody(days=7))
        decided = await admin.incidents.decide_incident(IncidentBody(player_id="client-2", offenses=[offense]))
        assert decided.sanctions[0].days == 7


async def test_lists_and_history_come_in_pages(live: Live) -> None:
    async with live.client("admin-1") as admin, live.client("auditor-1") as auditor:
        made = [(await admin.incidents.decide_incident(spam("client-3", "gameplay-minor"))).incident_id for _ in range(5)]
        assert [incident.incident_id async for incident in admin.incidents.list_incidents("client-3", limit=2)] == made[::-1]
        history = await auditor.audit.get_history("client-3", limit=2).all()
        assert [item.version for item in history] == [1, 2, 3, 4, 5]
        first = await auditor.audit.get_history("client-3", limit=2).page()
        assert (len(first.items), first.next_cursor is not None) == (2, True)


async def test_a_game_server_acts_for_staff(live: Live) -> None:
    async with live.client("game-1") as game:
        assert (await game.acting("admin-2").incidents.decide_incident(spam("client-4"))).decided_by == "admin-2"
        with pytest.raises(Problem) as refused:
            await game.incidents.decide_incident(spam("client-4"))
        assert refused.value.code == "forbidden"
        with pytest.raises(Problem) as unknown:
            await game.incidents.decide_incident(spam("client-4"), acting_staff="nobody")
        assert unknown.value.code == "unknown_staff"


async def test_imports(live: Live) -> None:
    """I-22: a repeated import imports nothing twice."""
    async with live.client("head-1") as head, live.client("game-1") as game:
        decided_at = (await game.standing.get_standing("client-5")).as_of - timedelta(days=400)
        row = ImportRow(
            player_id="client-5", infraction="spam-major", decided_at=decided_at, decided_by="former-admin", strike=True,
            sanctions=[NamedSanction(kind="ban", days=1)], external_id="old-1",
        )  # fmt: skip
        wrong = msgspec.structs.replace(row, infraction="no-such", external_id="old-2")
        first = await head.incidents.import_incidents(ImportBody(incidents=[row, wrong]))
        assert (first.imported, [(failed.index, failed.code) for failed in first.failed]) == (1, [(1, "unknown_infraction")])
        assert (await head.incidents.import_incidents(ImportBody(incidents=[row]))).known == 1
        assert (await game.standing.get_standing("client-5")).strikes == 1


async def test_appeals(live: Live) -> None:
    async with live.client("admin-1") as admin, live.client("senior-1") as senior, live.client("game-1") as game:
        incident = await admin.incidents.decide_incident(spam("client-6"))
        appeal = await game.appeals.open_appeal(AppealBody(player_id="client-6", incident_id=incident.incident_id, grounds="It was not me."))
        assert appeal.appeal_id in [one.appeal_id async for one in senior.appeals.list_appeals(state="open")]
        preview = await senior.appeals.preview(appeal.appeal_id, PreviewBody(outcome="overturned"))
        decision = DecisionBody(outcome="overturned", reason="Mistaken identity.", player_version=preview.player_version)
        decided = await senior.appeals.decide(appeal.appeal_id, decision)
        assert (decided.before.status, decided.after.status) == ("banned", "good")
        assert decided.changes == preview.changes
        other = await admin.incidents.decide_incident(spam("client-6"))
        withdrawn = await game.appeals.open_appeal(AppealBody(player_id="client-6", incident_id=other.incident_id, grounds="Too long."))
        assert (await game.appeals.withdraw(withdrawn.appeal_id, WithdrawBody(player_id="client-6"))).state == "withdrawn"


async def test_network_bans(live: Live) -> None:
    async with live.client("head-1") as head, live.client("game-1") as game:
        ban = await head.network_bans.ban_network(NetworkBanBody(network="198.51.100.0/24", reason="A farm of throwaway accounts."))
        entering = AccessBody(player_id="client-7", ip="198.51.100.9")
        assert [reason.code for reason in (await game.standing.check_access(entering)).reasons] == ["ip_banned"]
        await head.network_bans.exempt_account(ban.network_ban_id, ExemptionBody(player_id="client-7", reason="A students' home."))
        assert (await game.standing.check_access(entering)).allowed
        lifted = await head.network_bans.lift_network_ban(ban.network_ban_id, ReasonBody(reason="Given to others."))
        assert lifted.state == "lifted"
        assert ban.network_ban_id in [one.network_ban_id async for one in head.network_bans.list_network_bans(limit=1)]


async def test_policy(live: Live) -> None:
    async with live.client("head-1") as head:
        policy = await head.policy.get_policy()
        assert policy.version is not None
        assert await head.policy.get_policy_version(policy.version) == policy
        settings = msgspec.structs.replace(policy.settings, evasion_days_per_alt=5)
        edited = msgspec.structs.replace(policy, settings=settings, note="Evasion costs more.")
        published = await head.policy.publish_policy(edited, dry_run=True)
        assert [(change.path, change.before, change.after) for change in published.changes] == [("settings.evasion_days_per_alt", 2, 5)]
        assert (await head.policy.publish_policy(policy, dry_run=True)).changes == ()
        assert "$schema" in await head.policy.get_schema()


async def test_staff_and_operations(live: Live) -> None:
    async with live.client("head-1") as head:
        entry = await head.staff.put_staff("client-staff", StaffBody(level="admin", player_id=None, active=False))
        assert (await head.staff.get_staff("client-staff")).version == entry.version
        assert (await head.operations.healthz()).status == "ok"
        assert (await head.operations.readyz()).status == "ready"
        assert b"# HELP" in await head.operations.metrics()


async def test_duels_and_calls(live: Live) -> None:
    async with live.client("game-1") as game, live.client("admin-1") as admin:
        await game.duels.put_room("client-duel", RoomBody(format="tcg", players=["client-8", "client-9"], kind="match"))
        press = PressBody(caller_id="client-8", category="afk", message="Gone for minutes.", origin="duel", duel_id="client-duel")
        pressed = await game.calls.press(press)
        assert (await game.duels.get_room("client-duel")).paused
        assert pressed.call_id in [call.call_id async for call in admin.calls.list_calls(limit=1)]
        taken = await admin.calls.take_next(TakeNextBody(category="afk"))
        assert taken is not None
        assert taken.call_id == pressed.call_id
        assert await admin.calls.take_next(TakeNextBody(category="afk")) is None
        resolved = await admin.calls.resolve(taken.call_id, ResolveBody(summary="They came back."))
        assert resolved.state == "resolved"


async def test_the_log_can_be_read_and_checked(live: Live) -> None:
    async with live.client("admin-1") as admin, live.client("auditor-1") as auditor:
        decided = await admin.incidents.decide_incident(spam("client-10"))
        assert decided.position is not None
        entries = await auditor.log.get_entries(after=decided.position - 1, limit=1)
        assert [entry.position for entry in entries.items] == [decided.position]
        assert (await auditor.log.get_key()).vkey
        replay = await auditor.audit.get_replay("client-10").all()
        assert replay[-1].standing.status == "banned"


async def test_images_go_up_and_come_back(live: Live) -> None:
    """The format by `accept`, the size by `size`, nothing twice for who has it, and `gone` for players once it was removed (A10)."""
    async with live.client("game-1") as game, live.client("admin-1") as admin:
        with pytest.raises(Problem) as poor:
            await game.cosmetics.upload_cosmetic("client-11", "avatar", encode(texture("client")))
        assert poor.value.code == "pro_required"
        made = await game.cosmetics.upload_cosmetic("client-11", "avatar", encode(texture("client")), player_tier="pro")
        images = game.cosmetics
        webp = await images.get_image(made.cosmetic_id)
        png = await images.get_image(made.cosmetic_id, accept="image/png")
        thumb = await images.get_image(made.cosmetic_id, size="thumb", accept="image/jpeg, */*;q=0.1")
        assert webp and png and thumb  # noqa: PT018  for the types
        assert [(one.media_type, Image.open(io.BytesIO(one.data)).format) for one in (webp, png, thumb)] == [
            ("image/webp", "WEBP"), ("image/png", "PNG"), ("image/jpeg", "JPEG"),
        ]  # fmt: skip
        sizes = {size.size: (size.width, size.height) for size in made.sizes}
        assert [Image.open(io.BytesIO(one.data)).size for one in (webp, png, thumb)] == [sizes["2x"], sizes["2x"], sizes["thumb"]]
        assert webp.etag == f'"{made.sha256}"' != png.etag
        assert await images.get_image(made.cosmetic_id, if_none_match=webp.etag) is None
        assert await images.get_image(made.cosmetic_id, accept="image/png", if_none_match=webp.etag) == png

        await admin.cosmetics.remove_cosmetic(made.cosmetic_id, RemovalBody(reason="Copyright.", sha256=made.sha256))
        assert await admin.cosmetics.get_image(made.cosmetic_id, if_none_match=webp.etag) == webp
        for cosmetic_id, code in ((made.cosmetic_id, "gone"), ("00000000-0000-7000-8000-000000000000", "not_found")):
            with pytest.raises(Problem) as refused:
                await images.get_image(cosmetic_id)
            assert refused.value.code == code
