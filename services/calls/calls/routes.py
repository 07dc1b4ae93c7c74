"""From a request to a command and back, one function an endpoint."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from services.calls.calls import bodies
from services.calls.calls import commands as ask
from services.calls.calls.categories import check_category
from services.calls.calls.events import ProblemWords, Words
from services.calls.calls.handler import CallHandler, NothingWaitsError, Pressed, staff_of
from services.calls.calls.judgements import Judgements, NewDecision
from services.calls.calls.ports import PenaltyVerdict
from services.calls.views.queues import Queues
from services.moderation.api import new_incident
from shared.clock import Clock
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.paging import after, cut, next_cursor, page
from shared.security.keys import KeyedHash


async def _act(call: Call, command: Callable[[datetime], ask.CallCommand]) -> Reply:
    return answered(await call.get(CallHandler).act(call.context(), call.path["call_id"], command))


async def press(call: Call) -> Reply:
    """The button."""
    body: bodies.PressBody = call.body
    context = body.context or bodies.ContextBody()
    words = ProblemWords(message=body.message, history_ref=context.history_ref, chat_ref=context.chat_ref)
    pressed = Pressed(duel_id=body.duel_id, caller_id=body.caller_id, category=body.category, origin=body.origin, words=words)
    return answered(await call.get(CallHandler).press(call.context(), pressed))


async def list_calls(call: Call) -> Reply:
    """Calls, oldest first."""
    query: bodies.CallsQuery = call.query
    if query.category is not None:
        check_category(query.category)
    start = after(call, 1)
    found = await call.get(Queues).page(
        state=query.state, category=query.category, after=start[0] if start is not None else None, limit=query.limit + 1, now=_now(call)
    )
    shown, more = cut(found, query.limit)
    return Reply.json(page(shown, next_cursor(call, [shown[-1]["call_id"]] if more else None)))


async def queues(call: Call) -> Reply:
    """The six queues."""
    return Reply.json({"items": await call.get(Queues).overview(_now(call))})


def _now(call: Call) -> datetime:
    return call.get(Clock).now()  # type: ignore[type-abstract]  # a protocol is a key as good as any


async def show(call: Call) -> Reply:
    """One call."""
    return Reply.json(await call.get(CallHandler).show(call.path["call_id"]))


async def take(call: Call) -> Reply:
    """Take this call."""
    return answered(await call.get(CallHandler).take(call.context(), call.path["call_id"]))


async def take_next(call: Call) -> Reply:
    """Take the call whose turn it is."""
    body: bodies.TakeNextBody = call.body
    if body.category is not None:
        check_category(body.category)
    try:
        return answered(await call.get(CallHandler).take_next(call.context(), body.category))
    except NothingWaitsError:
        return Reply(status=204)


async def heartbeat(call: Call) -> Reply:
    """The taker is there."""
    handler, by = call.get(CallHandler), staff_of(call.context())
    lease = await handler.lease()
    return await _act(call, lambda now: ask.Heartbeat(by=by, at=now, lease=lease))


async def release(call: Call) -> Reply:
    """Put the call back."""
    by = staff_of(call.context())
    return await _act(call, lambda now: ask.Release(by=by, at=now))


async def resume_play(call: Call) -> Reply:
    """Let the players go on."""
    by = staff_of(call.context())
    return await _act(call, lambda now: ask.ResumePlay(by=by, at=now))


async def correct_category(call: Call) -> Reply:
    """Correct the category."""
    body: bodies.CategoryBody = call.body
    by = staff_of(call.context())
    return await _act(call, lambda now: ask.CorrectCategory(category=body.category, by=by, at=now))


async def cancel(call: Call) -> Reply:
    """Take one's own problems back."""
    body: bodies.CancelBody = call.body
    return await _act(call, lambda now: ask.Withdraw(caller_id=body.caller_id, at=now))


async def presence(call: Call) -> Reply:
    """Who left or came back."""
    body: bodies.PresenceBody = call.body
    return await _act(call, lambda now: ask.NotePresence(player_id=body.player_id, presence=body.event, at=now))


async def idle(call: Call) -> Reply:
    """Who was idle."""
    body: bodies.IdleBody = call.body
    return await _act(call, lambda now: ask.NoteIdle(player_id=body.player_id, idle_since=body.idle_since, seen_at=body.at, at=now))


async def prompt(call: Call) -> Reply:
    """Whom the taker prompted."""
    body: bodies.MomentBody = call.body
    by = staff_of(call.context())
    return await _act(call, lambda now: ask.NotePrompt(player_id=body.player_id, by=by, prompted_at=body.at, at=now))


async def reply(call: Call) -> Reply:
    """Who answered."""
    body: bodies.MomentBody = call.body
    return await _act(call, lambda now: ask.NoteReply(player_id=body.player_id, replied_at=body.at, at=now))


async def decide(call: Call) -> Reply:
    """The taker's decision."""
    body: bodies.DecisionBody = call.body
    new = NewDecision(
        kind=body.kind,
        words=Words(text=body.text, refs=tuple(source.ref for source in body.sources)),
        sources=tuple(source.kind for source in body.sources),
        incident=new_incident(body.incident, call.get(KeyedHash).digest) if body.incident is not None else None,
        possible_in_paper=body.possible_in_paper,
        from_history=body.from_history,
    )
    return answered(await call.get(Judgements).decide(call.context(), call.path["call_id"], new))


async def appeal(call: Call) -> Reply:
    """A participant's appeal."""
    body: bodies.AppealBody = call.body
    return answered(await call.get(Judgements).appeal(call.context(), call.path["call_id"], body.decision_id, body.player_id))


async def decide_appeal(call: Call) -> Reply:
    """The last word."""
    body: bodies.VerdictBody = call.body
    verdict = PenaltyVerdict(
        outcome=body.outcome,
        text=body.text,
        sanctions=body.sanctions,
        strike=body.strike,
        cascade=body.cascade,
        reassess=body.reassess,
        player_version=body.player_version,
    )
    return answered(await call.get(Judgements).decide_appeal(call.context(), call.path["call_id"], verdict))


async def resolve(call: Call) -> Reply:
    """The end."""
    body: bodies.ResolveBody = call.body
    done = call.get(Judgements).resolve(call.context(), call.path["call_id"], Words(text=body.summary), misuse=body.misuse)
    return answered(await done)
