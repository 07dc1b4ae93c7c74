"""Publishing through the write path, and reading what holds: with a store in memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import msgspec
import pytest

from services.moderation.policy.document import PolicyBody, policy_of
from services.moderation.policy.endpoints import ENDPOINTS
from services.moderation.policy.events import register
from services.moderation.policy.handler import STREAM, PolicyPublisher
from services.moderation.policy.holder import PolicyHolder, StreamPolicySource
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.tables import Policy
from services.moderation.policy.versioning import make_policy
from shared.commands import Attempt
from shared.context import CommandContext
from shared.eventstore.codec import Codec
from shared.eventstore.port import Slot
from shared.eventstore.registry import EventRegistry
from shared.refusal import Refusal, Unavailable
from shared.security.principals import Principal, Role
from tests.unit.policy.list_store import ListStore

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
PACKAGED = packaged_policy()
HEAD = Principal(id="head-1", role=Role.HEAD_ADMIN, token_id="t-1", via=None, player_id=None)
CONTEXT = CommandContext(principal=HEAD, route="POST /v1/policy", fingerprint=b"", request_id="r-1")


class StoppedClock:
    """Always the same moment."""

    def now(self) -> datetime:
        """The moment of these tests."""
        return NOW


class Site:
    """A publisher and a holder over one store, as a process has them."""

    def __init__(self, store: ListStore | None = None) -> None:
        """A new site, or a second process over the same store."""
        registry = EventRegistry()
        register(registry)
        self.store = store or ListStore()
        self.codec = Codec(registry)
        self.publisher = PolicyPublisher(self.store, self.codec, StoppedClock())
        self.holder = PolicyHolder(StreamPolicySource(self.store, self.codec), self.store.epoch)

    async def publish(self, policy: Policy) -> Attempt:
        """What the executor does with the attempt."""
        attempt = await self.publisher.attempt(CONTEXT, policy, NOW)
        ((change,), meta) = attempt.changes, self.codec.encode_meta(attempt.meta)
        encoded = [self.codec.encode(event, stream=STREAM, version=change.expected_version + 1) for event in change.events]
        await self.store.record(change, encoded, meta, attempt.writes)
        return attempt


def edited(days: int, note: str | None = "Evasion costs more.") -> Policy:
    """A table that differs in one number."""
    return make_policy(replace(PACKAGED.settings, evasion_days_per_alt=days), PACKAGED.rows.values(), note=note)


async def test_after_the_start_the_packaged_table_holds() -> None:
    """Whoever starts first publishes it; the others find it."""
    site = Site()
    first = await site.publisher.ensure_default()
    again = await Site(site.store).publisher.ensure_default()
    assert first == again
    assert (await site.store.head(), first.published_by) == (1, "system")
    assert await site.holder.current() == PACKAGED


async def test_two_processes_that_start_at_once_publish_once() -> None:
    """The loser of the append finds the winner's table."""
    store = ListStore(pause=True)
    await asyncio.gather(*(Site(store).publisher.ensure_default() for _ in range(5)))
    assert await store.head() == 1


async def test_a_publication_answers_with_its_changes_and_holds_for_the_next_request() -> None:
    """No cache to invalidate: the epoch moved with the append."""
    site = Site()
    await site.publisher.ensure_default()
    assert (await site.holder.current()).settings.evasion_days_per_alt == 2
    attempt = await site.publish(edited(3))
    assert attempt.status == 201
    assert {**attempt.reply, "changes": None} == {
        "version": edited(3).version,
        "previous_version": PACKAGED.version,
        "note": "Evasion costs more.",
        "published_at": NOW,
        "published_by": "head-1",
        "changes": None,
    }
    assert msgspec.to_builtins(attempt.reply["changes"]) == [{"path": "settings.evasion_days_per_alt", "before": 2, "after": 3}]
    assert await site.holder.current() == edited(3)
    assert (attempt.meta.actor, attempt.meta.policy_version) == ("head-1", edited(3).version)


async def test_the_row_in_the_table_takes_the_position_of_the_event() -> None:
    """The latest position is the current table, also of one published again."""
    site = Site()
    (write,) = (await site.publish(edited(3))).writes
    assert write.table == "policies"
    assert write.row[:5] == (edited(3).version, Slot.LAST_POSITION, NOW, "head-1", "Evasion costs more.")
    assert policy_of(msgspec.json.decode(write.row[5], type=PolicyBody)) == (edited(3), [])


async def test_posting_what_holds_records_nothing() -> None:
    """GET then POST unchanged: 200, no event, no row."""
    site = Site()
    await site.publisher.ensure_default()
    policy, _ = policy_of(msgspec.json.decode(await site.holder.document(), type=PolicyBody))
    assert policy is not None
    attempt = await site.publish(policy)
    assert (attempt.status, attempt.changes[0].events, attempt.writes, attempt.reply["changes"]) == (200, (), (), [])
    assert attempt.reply["published_by"] == "system"
    assert await site.store.head() == 1


async def test_an_older_table_holds_again_when_published_again() -> None:
    """And both stay readable by their versions."""
    site = Site()
    await site.publish(edited(3))
    await site.publish(edited(4))
    await site.publish(edited(3, "That was too much."))
    assert await site.holder.current() == edited(3, "That was too much.")
    older = await site.holder.by_version(edited(4).version)
    assert older == edited(4)
    assert await site.holder.by_version("there-is-none") is None
    assert await site.holder.document_of("there-is-none") is None


async def test_a_refused_publication_records_nothing() -> None:
    """L11."""
    site = Site()
    await site.publisher.ensure_default()
    with pytest.raises(Refusal, match="note"):
        await site.publish(edited(3, None))
    assert await site.store.head() == 1


async def test_without_a_published_table_nothing_is_decided() -> None:
    """Never a guess: 503."""
    with pytest.raises(Unavailable):
        await Site().holder.current()


async def test_many_requests_that_see_a_new_epoch_share_one_load() -> None:
    """And a holder never goes back to an older epoch's table."""
    site = Site()
    await site.publisher.ensure_default()
    reads = site.store.reads
    assert {policy.version for policy in await asyncio.gather(*(site.holder.current(1) for _ in range(50)))} == {PACKAGED.version}
    assert site.store.reads == reads + 1
    await site.holder.current(0)
    assert site.store.reads == reads + 1


def test_the_schema_is_found_before_a_version_of_that_name() -> None:
    """Routes are tried in their order."""
    paths = [endpoint.path for endpoint in ENDPOINTS]
    assert paths.index("/v1/policy/schema") < paths.index("/v1/policy/{version}")


def test_only_a_head_admin_publishes_and_anyone_reads() -> None:
    """Contract, Audit; L13."""
    roles = {(endpoint.method, endpoint.path): endpoint.roles for endpoint in ENDPOINTS}
    assert roles.pop(("POST", "/v1/policy")) == {Role.HEAD_ADMIN}
    assert set(roles.values()) == {frozenset(Role)}
