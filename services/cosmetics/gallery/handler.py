"""Carrying out commands on the unlock gallery."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import cast

from services.cosmetics.gallery.commands import GalleryCommand, ListArtwork, UnlistArtwork
from services.cosmetics.gallery.decider import decide
from services.cosmetics.gallery.events import ArtworkListed, GalleryEvent
from services.cosmetics.gallery.state import INITIAL, CardState, evolve
from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.imaging.fingerprint import known_prints
from services.cosmetics.imaging.spool import Spooled
from services.cosmetics.views.known import Known, known_write
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore, TableWrite


def stream_of(card_id: str) -> str:
    """The stream of a card of the gallery."""
    return f"gallery-{card_id}"


class GalleryHandler:
    """What is in the gallery."""

    def __init__(self, *, store: EventStore, codec: Codec, executor: Executor, decoders: Decoders) -> None:
        self._store = store
        self._codec = codec
        self._executor = executor
        self._decoders = decoders

    async def put(self, ctx: CommandContext, card_id: str, file: Spooled) -> CommandReply:
        """Put the card's artwork in, in place of another one. Raises a `Refusal` for what is no picture, as an upload does."""
        header = await self._decoders.header(file.descriptor)
        answer = await self._decoders.fit(file.descriptor, header, ())
        prints = known_prints(answer.parts[0])
        return await self._run(ctx, card_id, lambda now: ListArtwork(card_id=card_id, source_sha256=file.sha256, prints=prints, at=now))

    async def delete(self, ctx: CommandContext, card_id: str) -> CommandReply:
        """Take the card's artwork out; nothing when it is not in."""
        return await self._run(ctx, card_id, lambda now: UnlistArtwork(card_id=card_id, at=now))

    async def _run(self, ctx: CommandContext, card_id: str, command: Callable[[datetime], GalleryCommand]) -> CommandReply:
        stream = stream_of(card_id)

        async def attempt(now: datetime) -> Attempt:
            state = await self._load(stream)
            events = tuple(decide(command(now), state))
            after = state
            for event in events:
                after = evolve(after, event)
            writes = [gallery_write(card_id, event) for event in events]
            return Attempt(
                changes=(StreamChange(stream=stream, expected_version=state.version, events=events),),
                meta=ctx.meta(),
                status=201 if after.listed is not None and state.listed is None else 200,
                reply={"card_id": card_id, "listed": after.listed is not None, "version": after.version},
                writes=tuple(writes),
            )

        return await self._executor.run(ctx, stream, attempt)

    async def _load(self, stream: str) -> CardState:
        state = INITIAL
        for item in await self._store.read(stream):
            state = evolve(state, cast("GalleryEvent", self._codec.decode(item)))
        return state


def gallery_write(card_id: str, event: GalleryEvent) -> TableWrite:
    """The row by which an upload is held against the card's artwork."""
    known = Known(name=f"gallery:{card_id}", kind="gallery", player_id=None, incident_id=None)
    return known_write(known, event.prints if isinstance(event, ArtworkListed) else (), listed=isinstance(event, ArtworkListed))
