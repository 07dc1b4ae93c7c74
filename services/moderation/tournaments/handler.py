"""Carrying out commands on tournaments: load, decide, hand it to the one write path; and the questions about one tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from services.moderation.policy.penalties import PenaltyGuide
from services.moderation.referrals.commands import OpenReferral
from services.moderation.referrals.decider import open_referral
from services.moderation.referrals.state import INITIAL as NO_REFERRAL
from services.moderation.referrals.view import change_of, folded, referral_row
from services.moderation.tournaments.commands import Official, ReferPenalty, TournamentCommand
from services.moderation.tournaments.decider import decide
from services.moderation.tournaments.events import PenaltyGiven, TournamentEvent
from services.moderation.tournaments.feed import penalty_items
from services.moderation.tournaments.repository import LoadedTournament, Tournaments, stream_of
from services.moderation.tournaments.state import TournamentState
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext

Command = Callable[[datetime], TournamentCommand]
View = Callable[[LoadedTournament], Mapping[str, Any]]


class TournamentHandler:
    """Commands on tournaments."""

    def __init__(self, *, tournaments: Tournaments, executor: Executor, guide: PenaltyGuide, new_id: Callable[[], str]) -> None:
        self._tournaments = tournaments
        self._executor = executor
        self.guide = guide
        self.new_id = new_id

    async def act(
        self, ctx: CommandContext, tournament_id: str, command: Command, view: View, *, is_new: Callable[[TournamentState], bool]
    ) -> CommandReply:
        """Carry out a command; 201 when what it names `is_new` to the tournament as it was before, else 200."""

        async def attempt(now: datetime) -> Attempt:
            before = await self._tournaments.load(tournament_id)
            ctx.check_version(before.state.version)
            events = tuple(decide(command(now), before.state))
            after = before.after(events)
            status = 201 if is_new(before.state) else 200
            return self._attempt(ctx, before, after, events, status, view(after))

        return await self._executor.run(ctx, stream_of(tournament_id), attempt)

    def _attempt(
        self,
        ctx: CommandContext,
        before: LoadedTournament,
        after: LoadedTournament,
        events: tuple[TournamentEvent, ...],
        status: int,
        reply: Mapping[str, Any],
    ) -> Attempt:
        """The tournament's part. Only the person penalised is written about; what falls on others along with it has no words."""
        given = next((event for event in events if isinstance(event, PenaltyGiven)), None)
        change = StreamChange(
            stream=stream_of(after.state.tournament_id),
            expected_version=before.state.version,
            events=events,
            subject=given.person_id if given is not None else None,
        )
        return Attempt(
            changes=(change,),
            meta=ctx.meta(policy_version=self.guide.version),
            status=status,
            reply={**reply, "version": after.state.version},
            outbox=penalty_items(after.state, events),
        )

    async def refer(self, ctx: CommandContext, tournament_id: str, penalty_id: str) -> CommandReply:
        """Refer a penalty to the site: 201, or 200 with the referral that there is already. Both streams change, or neither."""
        referral_id = self.new_id()

        async def attempt(now: datetime) -> Attempt:
            before = await self._tournaments.load(tournament_id)
            ctx.check_version(before.state.version)
            command = ReferPenalty(penalty_id=penalty_id, referral_id=referral_id, by=official_of(ctx), at=now)
            events = tuple(decide(command, before.state))
            after = before.after(events)
            given = after.state.penalties[penalty_id]
            reply = {
                "referral_id": given.referral_id or referral_id,
                "tournament_id": tournament_id,
                "penalty_id": penalty_id,
                "person_id": given.person_id,
            }
            if not events:
                return self._attempt(ctx, before, after, (), 200, reply)
            opened = tuple(
                open_referral(
                    OpenReferral(
                        referral_id=referral_id,
                        tournament_id=tournament_id,
                        penalty_id=penalty_id,
                        person_id=given.person_id,
                        infraction=given.infraction,
                        penalty=given.penalty,
                        by=ctx.principal.id,
                        at=after.state.moment(now),
                    ),
                    NO_REFERRAL,
                )
            )
            part = self._attempt(ctx, before, after, events, 201, reply)
            change = change_of(referral_id, given.person_id, NO_REFERRAL, opened)
            return replace(part, changes=(*part.changes, change), writes=(referral_row(folded(opened)),))

        return await self._executor.run(ctx, stream_of(tournament_id), attempt)


def official_of(ctx: CommandContext) -> Official:
    """The member of staff who acts."""
    return Official(staff_id=ctx.principal.id, role=ctx.principal.role.value, player_id=ctx.principal.player_id)
