"""Who of the staff looked at an image that players no longer see: recorded before it is shown, or it is not shown (contract, Cosmetics)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.commands import Attempt, Executor, StreamChange
from shared.context import CommandContext
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.registry import EventRegistry
from shared.http.call import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnImageSeen:
    """A member of staff was shown an image that is no longer live."""

    cosmetic_id: str
    player_id: str
    staff_id: str
    role: str
    at: datetime


def register(registry: EventRegistry) -> None:
    """Give the event its stored name."""
    registry.register("cosmetics.withdrawn_image_seen", 1, WithdrawnImageSeen)


def stream_of(cosmetic_id: str) -> str:
    """The stream of the looks at a cosmetic."""
    return f"looks-{cosmetic_id}"


async def record_look(call: Call, player_id: str) -> None:
    """Record that the caller is shown this image now. Raises `Unavailable`."""
    cosmetic_id, principal = call.path["cosmetic_id"], call.principal
    stream = stream_of(cosmetic_id)
    context = CommandContext(principal=principal, route=call.route, fingerprint=b"", request_id=call.request_id)

    async def attempt(now: datetime) -> Attempt:
        version = len(await call.get(PostgresEventStore).read(stream))
        seen = WithdrawnImageSeen(cosmetic_id=cosmetic_id, player_id=player_id, staff_id=principal.id, role=principal.role.value, at=now)
        return Attempt(changes=(StreamChange(stream=stream, expected_version=version, events=(seen,)),), meta=context.meta(), status=200, reply={})

    await call.get(Executor).run(context, stream, attempt)
