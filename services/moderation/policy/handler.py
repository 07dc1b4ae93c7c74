"""Publishing: load the stream, decide, and record the event with its row in `policies`, all in one append."""

from __future__ import annotations

from datetime import datetime

import msgspec

from services.moderation.policy.commands import PublishPackaged, PublishPolicy
from services.moderation.policy.decider import decide
from services.moderation.policy.document import PolicyBody, body_of, changes_between
from services.moderation.policy.events import PolicyPublished
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.state import PolicyState, Publication, evolve
from services.moderation.policy.tables import Policy
from shared.clock import Clock
from shared.commands import Attempt, StreamChange
from shared.context import CommandContext
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import EventMeta, NewEvent
from shared.eventstore.port import Appended, AppendRequest, EventStore, Slot, StreamAppend, TableWrite
from shared.ids import new_id
from shared.refusal import Unavailable

STREAM = "policy-simorg"
TABLE = "policies"
SYSTEM = "system"
"""The actor and role of what the service does by itself."""

PUBLISHED, UNCHANGED = 201, 200
_TRIES = 10

encode_document = msgspec.json.Encoder().encode


class PolicyPublisher:
    """Publishes tables; it holds no state of its own."""

    def __init__(self, store: EventStore, codec: Codec, clock: Clock) -> None:
        """`clock` is asked only when the service publishes its own table; a command's moment comes with it."""
        self._store = store
        self._codec = codec
        self._clock = clock

    async def load(self) -> tuple[PolicyState, int]:
        """What holds, and the stream's version. Raises `Unavailable` for an unreadable event: rules are never guessed."""
        state, version = PolicyState(), 0
        for stored in await self._store.read(STREAM):
            event = self._codec.decode(stored)
            if not isinstance(event, PolicyPublished):
                message = f"{STREAM} holds an event that is not a policy's"
                raise Unavailable(message)
            state, version = evolve(state, event), stored.version
        return state, version

    async def attempt(self, ctx: CommandContext, policy: Policy, now: datetime) -> Attempt:
        """A head admin's publication, decided on what holds now: 201, or 200 without an event when the table is the current one.

        The reply says what it changes, which is what a dry run is for. Raises a `Refusal` of the decider.
        """
        state, version = await self.load()
        events = decide(PublishPolicy(policy=policy, by=ctx.principal.id, at=now), state)
        before = state.current
        after = evolve(state, events[0]).current if events else before
        if after is None:
            message = "a decision without an event leaves a current policy"
            raise AssertionError(message)
        return Attempt(
            changes=(StreamChange(stream=STREAM, expected_version=version, events=tuple(events)),),
            meta=ctx.meta(policy_version=policy.version),
            status=PUBLISHED if events else UNCHANGED,
            reply=_reply(before, after),
            writes=(table_write(after),) if events else (),
        )

    async def ensure_default(self, policy: Policy | None = None) -> Publication:
        """At start: publish the packaged table when nothing was published yet, or when what holds is an older package's. The publication in force.

        Several processes may start at once. Raises `PolicyFileError` for a wrong file, `Unavailable` when the store can't say.
        """
        packaged = packaged_policy() if policy is None else policy
        for _ in range(_TRIES):
            state, version = await self.load()
            events = decide(PublishPackaged(policy=packaged, by=SYSTEM, at=self._clock.now()), state)
            if not events and state.current is not None:
                return state.current
            after = evolve(state, events[0])
            if after.current is not None and isinstance(await self._store.append(self._request(events[0], version, after.current)), Appended):
                return after.current
        message = "the policy keeps changing; the packaged one was not published"
        raise Unavailable(message)

    def _request(self, event: PolicyPublished, version: int, after: Publication) -> AppendRequest:
        name, payload = self._codec.encode(event, stream=STREAM, version=version + 1)
        meta = self._codec.encode_meta(EventMeta(actor=SYSTEM, role=SYSTEM, policy_version=event.version))
        appended = StreamAppend(stream=STREAM, expected_version=version, events=(NewEvent(type=name, payload=payload, meta=meta),))
        return AppendRequest(command_id=new_id(), appends=(appended,), writes=(table_write(after),))


def document_of(publication: Publication) -> PolicyBody:
    """What GET gives for this publication."""
    return body_of(publication.policy, published_at=publication.published_at, published_by=publication.published_by)


def table_write(publication: Publication) -> TableWrite:
    """The publication's row: a table published again takes its newest position, which makes it the current one."""
    policy = publication.policy
    body = encode_document(document_of(publication))
    row = (policy.version, Slot.LAST_POSITION, publication.published_at, publication.published_by, policy.note or "", body)
    return TableWrite(table=TABLE, row=row)


def _reply(before: Publication | None, after: Publication) -> dict[str, object]:
    return {
        "version": after.policy.version,
        "previous_version": before.policy.version if before else None,
        "note": after.policy.note,
        "published_at": after.published_at,
        "published_by": after.published_by,
        "changes": changes_between(before.policy if before else None, after.policy),
    }
