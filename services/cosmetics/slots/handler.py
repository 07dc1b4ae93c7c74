"""Carrying out commands on a player's cosmetics: bytes first, then the event that names them (bytes without an event are collected later)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.imaging.spool import Spooled
from services.cosmetics.slots.changes import attempt_of, change_of
from services.cosmetics.slots.commands import Approve, Delete, Purge, Remove, Report, SlotCommand, Staff, Upload
from services.cosmetics.slots.decider import FOR_CAUSE, GALLERY, check_remove, check_uploader, decide
from services.cosmetics.slots.events import Picture, SlotEvent, Words
from services.cosmetics.slots.layout import sizes_of
from services.cosmetics.slots.pictures import Made, Pictures, made_from
from services.cosmetics.slots.repository import Slots, stream_of
from services.cosmetics.slots.state import SlotState
from services.cosmetics.views.cosmetic import cosmetic_view
from services.cosmetics.views.known import KnownImages
from services.moderation.api import Charge, Conduct, Discretion, Evidence, IncidentDetails, NewIncident, RecordHandler
from shared.clock import Clock
from shared.commands import Attempt, CommandReply, Executor
from shared.context import CommandContext
from shared.refusal import Refusal, Unavailable

INFRACTION = "custom-cosmetics"  # the row that is about cosmetics (I-9)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUpload:
    """Who uploads what into which slot; `tier` is what the game server says of the account now."""

    player_id: str
    slot: str
    tier: str | None

    @property
    def pro(self) -> bool:
        """Whether the account is a PRO one: `pro`, and nothing else (I-62)."""
        return self.tier == "pro"


class SlotHandler:
    """Commands on cosmetics."""

    def __init__(
        self,
        *,
        slots: Slots,
        executor: Executor,
        decoders: Decoders,
        pictures: Pictures,
        known: KnownImages,
        conduct: Conduct,
        record: RecordHandler,
        clock: Clock,
        new_id: Callable[[], str],
    ) -> None:
        self._slots = slots
        self._executor = executor
        self._decoders = decoders
        self._pictures = pictures
        self._known = known
        self._conduct = conduct
        self._record = record
        self._clock = clock
        self._new_id = new_id

    async def check(self, ctx: CommandContext, new: NewUpload) -> None:
        """Refuse before a byte is read what will be refused in the end; decided again, and for good, at the commit (I19).

        Not for a repeated key: what was answered before is answered again, whatever became of the player since.
        """
        try:
            sizes_of(new.slot)
            check_uploader(pro=new.pro, banned=(await self._conduct.check(new.player_id, self._clock.now())).banned)
        except Refusal:
            if not await self._executor.is_repeated(ctx):
                raise

    async def upload(self, ctx: CommandContext, new: NewUpload, file: Spooled) -> CommandReply:
        """Put the picture into the slot: 201, or 200 when it replaced one."""
        if (known := await self._executor.answered(ctx)) is not None:  # nothing is decoded twice
            return known
        header = await self._decoders.header(file.descriptor)
        sizes = sizes_of(new.slot)
        answer = await self._decoders.fit(file.descriptor, header, [(width, height) for _, width, height in sizes])
        made = made_from(answer, sizes, file, header.media_type)
        cosmetic_id = self._new_id()
        kept = False

        async def attempt(now: datetime) -> Attempt:
            nonlocal kept
            state = await self._slots.load(new.player_id)
            ctx.check_version(state.version)
            checked = await self._conduct.check(new.player_id, now)
            command = Upload(
                cosmetic_id=cosmetic_id,
                player_id=new.player_id,
                slot=new.slot,
                picture=made.picture,
                likeness=made.likeness,
                pro=new.pro,
                banned=checked.banned,
                known=await self._listed(made),
                at=now,
            )
            change = change_of(new.player_id, state, decide(command, state))
            if not kept and not ctx.dry_run:
                await self._pictures.keep(cosmetic_id, made)
                kept = True
            replaced = state.active(new.slot)
            reply = {**cosmetic_view(new.player_id, change.after.cosmetics[cosmetic_id]), "replaced": replaced.cosmetic_id if replaced else None}
            return attempt_of(ctx, change, status=200 if replaced else 201, reply=reply, guards=(checked.guard,))

        try:
            reply = await self._executor.run(ctx, stream_of(new.player_id), attempt)
        except Refusal:  # a "not now" leaves it open whether the event is recorded
            await self._discard(cosmetic_id)
            raise
        if reply.replayed:
            await self._discard(cosmetic_id)
        return reply

    async def _discard(self, cosmetic_id: str) -> None:
        """Delete bytes that no event will name; what can't be deleted now is left to the collector."""
        with contextlib.suppress(Unavailable):
            await self._pictures.destroy(cosmetic_id)

    async def _listed(self, made: Made) -> str | None:
        """The list that the picture is on. A removal that fell bars nothing, even before the picture is off the list (I-63)."""
        found = None
        for known in await self._known.like(made.seen):
            if known.kind == GALLERY:
                return GALLERY
            if known.incident_id is None or known.player_id is None or await self._conduct.removal_stands(known.player_id, known.incident_id):
                found = FOR_CAUSE
        return found

    async def delete(self, ctx: CommandContext, player_id: str, slot: str) -> CommandReply:
        """Empty the slot."""

        def command(now: datetime) -> SlotCommand:
            return Delete(slot=slot, at=now)

        return await self._run(ctx, player_id, command, lambda state: {"slot": slot, "cosmetic_id": _last_in(state, slot)})

    async def report(self, ctx: CommandContext, cosmetic_id: str, reporter_id: str, reason: str) -> CommandReply:
        """Report a picture."""
        words = Words(reason=reason)
        return await self._on(ctx, cosmetic_id, lambda _, now: Report(cosmetic_id=cosmetic_id, reporter_id=reporter_id, words=words, at=now), 201)

    async def approve(self, ctx: CommandContext, cosmetic_id: str, sha256: str | None) -> CommandReply:
        """Find nothing wrong with a picture."""
        by = staff_of(ctx)
        return await self._on(
            ctx, cosmetic_id, lambda player_id, now: Approve(cosmetic_id=cosmetic_id, player_id=player_id, by=by, sha256=sha256, at=now)
        )

    async def purge(self, ctx: CommandContext, cosmetic_id: str, reason: str | None) -> CommandReply:
        """Destroy a picture: first it is recorded, so that nobody is shown it, then the bytes go. Raises `Unavailable` until they are gone."""
        by, words, player_id = staff_of(ctx), None if reason is None else Words(reason=reason), await self._slots.player_of(cosmetic_id)
        prints = await self._slots.prints_of(player_id, cosmetic_id)

        def command(now: datetime) -> SlotCommand:
            return Purge(cosmetic_id=cosmetic_id, player_id=player_id, by=by, words=words, prints=prints, at=now)

        reply = await self._run(ctx, player_id, command, lambda state: cosmetic_view(player_id, state.cosmetics[cosmetic_id]))
        if not ctx.dry_run:
            await self._pictures.destroy(cosmetic_id)
        return reply

    async def remove(self, ctx: CommandContext, cosmetic_id: str, sha256: str, reason: str) -> CommandReply:
        """Remove a picture for cause: with its incident, or not at all (I-9, I-64)."""
        player_id = await self._slots.player_of(cosmetic_id)
        prints, incident_id = await self._slots.prints_of(player_id, cosmetic_id), self._new_id()

        async def attempt(now: datetime) -> Attempt:
            state = await self._slots.load(player_id)
            ctx.check_version(state.version)
            command = Remove(
                cosmetic_id=cosmetic_id,
                player_id=player_id,
                by=staff_of(ctx),
                sha256=sha256,
                incident_id=incident_id,
                words=Words(reason=reason),
                prints=prints,
                at=now,
            )
            item = check_remove(command, state)
            along = await self._record.plan_incident(ctx, _incident(player_id, cosmetic_id, item.picture, reason), incident_id, now)
            change = change_of(player_id, state, decide(command, state))
            reply = {**cosmetic_view(player_id, change.after.cosmetics[cosmetic_id]), "incident": along.reply}
            return attempt_of(ctx, change, status=201, reply=reply, along=along)

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def _on(
        self, ctx: CommandContext, cosmetic_id: str, command: Callable[[str, datetime], SlotCommand], status: int = 200
    ) -> CommandReply:
        player_id = await self._slots.player_of(cosmetic_id)
        return await self._run(
            ctx, player_id, lambda now: command(player_id, now), lambda state: cosmetic_view(player_id, state.cosmetics[cosmetic_id]), status
        )

    async def _run(
        self,
        ctx: CommandContext,
        player_id: str,
        command: Callable[[datetime], SlotCommand],
        shown: Callable[[SlotState], dict[str, Any]],
        status: int = 200,
    ) -> CommandReply:
        async def attempt(now: datetime) -> Attempt:
            state = await self._slots.load(player_id)
            ctx.check_version(state.version)
            events: list[SlotEvent] = list(decide(command(now), state))
            change = change_of(player_id, state, events)
            return attempt_of(ctx, change, status=status, reply=shown(change.after))

        return await self._executor.run(ctx, stream_of(player_id), attempt)


def staff_of(ctx: CommandContext) -> Staff:
    """The member of staff who decides."""
    return Staff(staff_id=ctx.principal.id, role=ctx.principal.role.value, player_id=ctx.principal.player_id)


def _last_in(state: SlotState, slot: str) -> str | None:
    return next((item.cosmetic_id for item in reversed(list(state.cosmetics.values())) if item.slot == slot), None)


def _incident(player_id: str, cosmetic_id: str, picture: Picture, reason: str) -> NewIncident:
    """The incident of a removal; its evidence is the picture, which reviewers can look at (A10)."""
    evidence = Evidence(kind="image", ref=cosmetic_id, sha256=picture.sha256)
    return NewIncident(
        player_id=player_id,
        charges=(Charge(infraction=INFRACTION, discretion=Discretion()),),
        occurred_at=None,
        duel_id=None,
        call_id=None,
        external_id=None,
        notify=True,
        details=IncidentDetails(descriptions=(reason,), evidence=(evidence,)),
        evidence_kinds=("image",),
    )
