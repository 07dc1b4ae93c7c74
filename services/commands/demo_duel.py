"""A call to an admin from the button to the end, played through the typed client against a running service."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Self, TypeVar

from services.commands.stage import Stage
from shared.client import Client, Following
from shared.client.api.calls import AppealBody, CallReply, DecisionBody, IdleBody, MomentBody, PressBody, ResolveBody, SourceBody, VerdictBody
from shared.client.api.duels import RoomBody
from shared.client.api.feed import FeedItem
from shared.client.api.incidents import IncidentBody, OffenseBody

T = TypeVar("T")
FEED_SECONDS: Final = 15.0
_SHOWN: Final = ("caller_id", "category", "because", "taken_by", "outcome", "status", "strikes", "infractions", "kind", "state", "effect")
"""What of an item's data is worth a line's room."""


class NeverTold(Exception):  # noqa: N818  it ends the demonstration
    """The feed did not say what it should have."""


@dataclass(slots=True, kw_only=True)
class Room:
    """Who plays where. The ids are new in every run, so that it can be played again."""

    duel_id: str
    first: str
    second: str


@dataclass(slots=True)
class Listener:
    """The game server's ear: prints what the feed tells of this room and its players, and counts it."""

    stage: Stage
    room: Room
    told: Counter[str] = field(default_factory=Counter)
    paused: list[bool] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self, feed: Following) -> None:
        """Until cancelled."""
        async for item in feed:
            if self._ours(item):
                self.told[item.type] += 1
                if item.type in {"duel.paused", "duel.resumed"}:
                    self.paused.append(item.type == "duel.paused")
                self.stage.feed(item.type, f"at {item.position}  {describe(item.data, self.room)}")
                self.news.set()

    async def hear(self, kinds: Sequence[str], before: Mapping[str, int]) -> None:
        """Wait until each of these was told once more. Raises `NeverTold`."""
        try:
            async with asyncio.timeout(FEED_SECONDS):
                while any(self.told[kind] <= before.get(kind, 0) for kind in kinds):
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            missing = [kind for kind in kinds if self.told[kind] <= before.get(kind, 0)]
            msg = f"the feed did not tell {', '.join(missing)} within {FEED_SECONDS:.0f} s"
            raise NeverTold(msg) from None

    def _ours(self, item: FeedItem) -> bool:
        return item.data.get("duel_id") == self.room.duel_id or item.player_id in {self.room.first, self.room.second}


def describe(data: Mapping[str, Any], room: Room) -> str:
    """An item's data in a few words."""
    short = {room.first: "p1", room.second: "p2"}
    return "  ".join(f"{name}={short.get(str(data[name]), data[name])}" for name in _SHOWN if data.get(name) not in (None, []))


@dataclass(slots=True, kw_only=True)
class Play:
    """The stage, a client for each who acts, and the listener."""

    stage: Stage
    game: Client
    admin: Client
    senior: Client
    room: Room
    listener: Listener
    now: datetime

    async def step(self, who: str, text: str, doing: Awaitable[T], *hears: str) -> T:
        """Say it, do it, and wait until the feed has told it. Raises what the client raises, and `NeverTold`."""
        await self.stage.act(who, text)
        before = dict(self.listener.told)
        done = await doing
        await self.listener.hear(hears, before)
        return done

    async def call(self) -> CallReply:
        """The button is pressed; an admin takes the call and finds out."""
        calls, room, stage = self.game.calls, self.room, self.stage
        body = RoomBody(format="tcg", players=[room.first, room.second], kind="match")
        await self.step("game", "opens a duel room for p1 and p2: one match of the TCG", self.game.duels.put_room(room.duel_id, body))
        message = "My opponent has not moved for four minutes."
        press = PressBody(duel_id=room.duel_id, caller_id=room.first, category="slow-play", message=message, origin="duel")
        call = await self.step("p1", f"presses Call Admin, Slow Play: “{message}”", calls.press(press), "call.opened", "duel.paused")
        await stage.outcome(f"call {call.state}, number {call.queue_position} in its queue; play stands still, the chat stays open")
        idle = IdleBody(player_id=room.second, idle_since=self.now - timedelta(minutes=4))
        await self.step("game", "records that p2 has been idle for four minutes", calls.idle(call.call_id, idle))
        taking = self.admin.calls.take(call.call_id)
        await self.step("admin-1", "takes the call, and is in the room from now on", taking, "call.taken", "duel.resumed")
        await stage.outcome("play goes on under the admin")
        await self.step("admin-1", "prompts p2: “Are you there?”", self.admin.calls.prompt(call.call_id, MomentBody(player_id=room.second)))
        answered = await self.step("p2", "answers: “Yes, I was reading a card.”", calls.reply(call.call_id, MomentBody(player_id=room.second)))
        found = next(one for one in answered.afk.players if one.player_id == room.second)
        await stage.outcome(f"idle for {found.idle_seconds:.0f} s, answered in time: the record suggests {answered.afk.suggests}")
        return answered

    async def penalty(self, call_id: str) -> str:
        """The admin decides; the id of the decision."""
        incident = IncidentBody(player_id=self.room.second, duel_id=self.room.duel_id, offenses=[OffenseBody(infraction="slow-play-minor")])
        body = DecisionBody(kind="penalty", text="Four minutes without a move.", sources=[SourceBody(kind="duel_history")], incident=incident)
        deciding = self.admin.calls.decide(call_id, body)
        decided = await self.step("admin-1", "decides: Slow Play (Minor) for p2", deciding, "incident.decided")
        assert decided.incident is not None
        imposed = ", ".join(sanction.kind.replace("_", " ") for sanction in decided.incident.sanctions)
        await self.stage.outcome(f"{imposed}: an incident of p2's record, in the transaction of the decision")
        return decided.decision_id

    async def appeal(self, call_id: str, decision_id: str) -> None:
        """The player appeals, and somebody else has the last word."""
        body = AppealBody(player_id=self.room.second, decision_id=decision_id)
        await self.step("p2", "appeals: no admin can refuse that", self.game.calls.appeal(call_id, body), "appeal.opened")
        verdict = VerdictBody(outcome="overturned", text="Two of the four minutes were the card's own animation.")
        text = f"who never had the call, has the last word: overturned. “{verdict.text}”"
        deciding = self.senior.calls.decide_appeal(call_id, verdict)
        decided = await self.step("senior-1", text, deciding, "appeal.decided", "call.taken")
        await self.stage.outcome(f"the call is {decided.taken_by}'s; p2's incident is overturned")

    async def end(self, call_id: str) -> None:
        """The call is closed and play goes on without an admin."""
        closing = self.senior.calls.resolve(call_id, ResolveBody(summary="Animation counted as idle time; overturned."))
        await self.step("senior-1", "resolves the call and leaves", closing, "call.resolved")
        room = await self.game.duels.get_room(self.room.duel_id)
        if room.paused or (self.listener.paused or [True])[-1]:
            msg = "the call is over, and the duel still stands"
            raise NeverTold(msg)
        await self.stage.outcome(f"not paused, {'still' if room.under_admin else 'no longer'} under an admin: p1 and p2 play on")


@dataclass(slots=True)
class Cast:
    """The clients of those who act, open together."""

    url: str
    tokens: Mapping[str, str]
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def client(self, name: str) -> Client:
        """A client with the token of this principal."""
        return await self._open.enter_async_context(Client(self.url, self.tokens[name]))


async def play(stage: Stage, url: str, tokens: Mapping[str, str], *, suffix: str, now: datetime) -> None:
    """Play it. `tokens` are those of game_server, admin and senior_admin. Raises `NeverTold`, `Problem` or `Unreachable`."""
    room = Room(duel_id=f"demo-{suffix}", first=f"demo-p1-{suffix}", second=f"demo-p2-{suffix}")
    listener = Listener(stage, room)
    async with Cast(url, tokens) as cast:
        game = await cast.client("game_server")
        feed = game.feed()
        listening = asyncio.ensure_future(listener.listen(feed))
        try:
            await _begun(feed, listening)
            made = Play(
                stage=stage, game=game, admin=await cast.client("admin"), senior=await cast.client("senior_admin"),
                room=room, listener=listener, now=now,
            )  # fmt: skip
            stage.heads()
            call = await made.call()
            decision_id = await made.penalty(call.call_id)
            await made.appeal(call.call_id, decision_id)
            await made.end(call.call_id)
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening


async def _begun(feed: Following, listening: asyncio.Future[None]) -> None:
    """Wait until the feed has said where it begins: what happens then is told."""
    try:
        async with asyncio.timeout(FEED_SECONDS):
            while feed.after is None and not listening.done():  # noqa: ASYNC110  there is no item yet that would tell
                await asyncio.sleep(0.02)
    except TimeoutError:
        msg = f"the feed can't be followed: {feed.trouble or 'no answer'}"
        raise NeverTold(msg) from None
    if listening.done():
        await listening
