"""The questions about one tournament, and the two that the guide answers by a table."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from services.moderation.tournaments import bodies
from services.moderation.tournaments.advice import Tardiness, Trigger, missed_trigger, tardiness
from services.moderation.tournaments.handler import TournamentHandler
from services.moderation.tournaments.page import report_page, sheet_page
from services.moderation.tournaments.repository import LoadedTournament, Tournaments
from services.moderation.tournaments.sheet import report_view, sheet_view
from services.moderation.tournaments.view import duty_view, penalty_view, person_penalties_view, standings_view, table_view, tournament_view
from shared.clock import Clock
from shared.http.call import Call, Reply
from shared.http.docs import CSP
from shared.http.paging import after, cut, next_cursor, page
from shared.refusal import Refusal
from shared.security.principals import Role

CLOCK_TOLERANCE = timedelta(seconds=2)


async def _found(call: Call, *, personal: bool = False) -> LoadedTournament:
    return await call.get(Tournaments).find(call.path["tournament_id"], personal=personal)


def _staff(call: Call) -> bool:
    """Whether the reader sees what judges wrote; a game server does not."""
    return call.principal.role is not Role.GAME_SERVER


async def get_tournament(call: Call) -> Reply:
    """One tournament."""
    return Reply.json(tournament_view((await _found(call)).state))


async def get_guide(call: Call) -> Reply:
    """The guide as it comes with the service."""
    return Reply.json(table_view(call.get(TournamentHandler).guide))


async def get_table(call: Call) -> Reply:
    """The tournament's table."""
    state = (await _found(call)).state
    return Reply.json(table_view(call.get(TournamentHandler).guide.with_changes(state.cells), note=state.note))


async def get_person(call: Call) -> Reply:
    """Somebody at the tournament."""
    loaded = await _found(call, personal=_staff(call))
    if call.path["person_id"] not in loaded.state.people:
        raise Refusal("not_found", "This person is not in the tournament.")
    return Reply.json(person_penalties_view(loaded, call.path["person_id"], words=_staff(call)))


async def get_penalty(call: Call) -> Reply:
    """One penalty."""
    loaded = await _found(call, personal=_staff(call))
    event = loaded.penalties.get(call.path["penalty_id"])
    if event is None:
        raise Refusal("not_found", "There is no such penalty.")
    call.about = event.person_id
    return Reply.json(penalty_view(loaded, event, words=_staff(call)))


async def list_duties(call: Call) -> Reply:
    """What is to be reported, oldest first."""
    query: bodies.DutiesQuery = call.query
    loaded = await _found(call)
    start = after(call, 1)
    ordered = [duty.duty_id for given in loaded.penalties.values() for duty in given.duties]
    found = [
        (number, loaded.state.duties[duty_id])
        for number, duty_id in enumerate(ordered)
        if duty_id in loaded.state.duties and (start is None or number > start[0])
    ]
    wanted = [(number, duty) for number, duty in found if (duty.discharged_by is not None) is query.discharged]
    shown, more = cut(wanted[: query.limit + 1], query.limit)
    return Reply.json(page([duty_view(duty) for _, duty in shown], next_cursor(call, [shown[-1][0]] if more else None)))


async def get_standings(call: Call) -> Reply:
    """The standings."""
    return Reply.json(standings_view((await _found(call)).state))


def _number(call: Call) -> int:
    text = call.path["number"]
    if not text.isdecimal() or not text.isascii() or len(text) > 3:
        raise Refusal("not_found", "There is no such round.")
    return int(text)


async def get_sheet(call: Call) -> Reply:
    """A round's sheet."""
    return Reply.json(sheet_view((await _found(call)).state, _number(call)))


async def get_sheet_page(call: Call) -> Reply:
    """The same for a printer."""
    return _html(sheet_page(sheet_view((await _found(call)).state, _number(call))))


async def get_report(call: Call) -> Reply:
    """The event's report."""
    return Reply.json(await _report(call))


async def get_report_page(call: Call) -> Reply:
    """The same for a printer."""
    return _html(report_page(await _report(call)))


async def _report(call: Call) -> dict[str, Any]:
    return report_view(await _found(call, personal=_staff(call)), words=_staff(call))


def _html(body: bytes) -> Reply:
    return Reply(body=body, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": CSP, "Cache-Control": "no-store"})


async def advise_missed_trigger(call: Call) -> Reply:
    """What to do about a missed trigger."""
    body: bodies.TriggerBody = call.body
    await _found(call)
    remedy, rule = missed_trigger(
        Trigger(
            optional=body.optional,
            choices=body.choices,
            visible_effect=body.visible_effect,
            default_action=body.default_action,
            within_turn_cycle=body.within_turn_cycle,
        )
    )
    return Reply.json({"remedy": remedy, "rule": rule, "text": call.get(TournamentHandler).guide.rules[rule].text})


async def advise_tardiness(call: Call) -> Reply:
    """What a tardiness costs."""
    body: bodies.TardinessBody = call.body
    state = (await _found(call)).state
    if body.person_id not in state.people:
        raise Refusal("not_found", "This person is not in the tournament.", field="person_id")
    round_ = state.rounds.get(body.round)
    if round_ is None:
        raise Refusal("invalid_request", "There is no such round yet.", allowed=sorted(state.rounds), field="round")
    _check_past(call, began_at=body.began_at, seated_at=body.seated_at)
    guide = call.get(TournamentHandler).guide.with_changes(state.cells)
    found = tardiness(Tardiness(began_at=body.began_at, seated_at=body.seated_at, reported=body.reported), round_, state, guide)
    rules = [guide.rules[rule] for rule in found.rules]
    return Reply.json(
        {
            "penalties": found.penalties,
            "dropped": found.dropped,
            "time_extension_seconds": found.time_extension_seconds,
            "rules": [{"id": rule.id, "section": rule.section, "text": rule.text, "basis": rule.basis} for rule in rules],
        }
    )


def _check_past(call: Call, **moments: datetime | None) -> None:
    """Nothing that is reported lies in the future (T05). Raises a `Refusal` `occurred_in_future`."""
    now = call.get(Clock).now()  # type: ignore[type-abstract]  # a protocol is a key as good as any
    for field, moment in moments.items():
        if moment is not None and moment > now + CLOCK_TOLERANCE:
            raise Refusal("occurred_in_future", "This moment lies in the future.", field=field)
