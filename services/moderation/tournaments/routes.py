"""From a request to a command on a tournament and back, one function an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from services.moderation.policy.penalties import CellChange
from services.moderation.tournaments import bodies
from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.events import PenaltyWords
from services.moderation.tournaments.handler import TournamentHandler, official_of
from services.moderation.tournaments.repository import LoadedTournament
from services.moderation.tournaments.state import TournamentState
from services.moderation.tournaments.view import duty_view, penalty_view, person_view, standings_view, table_view, tournament_view
from shared.clock import Clock
from shared.commands import CommandReply
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.security.keys import KeyedHash

SPARE_IDS = 64  # the penalty, at most fifteen opponents, three duties each


def _never(_state: TournamentState) -> bool:
    return False


def _tournament(loaded: LoadedTournament) -> Mapping[str, Any]:
    return tournament_view(loaded.state)


async def put_tournament(call: Call) -> Reply:
    """Set a tournament up."""
    body: bodies.TournamentBody = call.body
    name, by = call.path["tournament_id"], official_of(call.context())

    def command(now: datetime) -> ask.SetTournament:
        return ask.SetTournament(
            tournament_id=name,
            rel=body.rel,
            games_per_match=body.games_per_match,
            decklists=body.decklists,
            scoring_version=body.scoring_version,
            head_judge_id=body.head_judge_id,
            judge_ids=tuple(body.judge_ids),
            tardiness_grace_seconds=body.tardiness_grace_seconds,
            by=by,
            at=now,
        )

    done = call.get(TournamentHandler).act(call.context(), name, command, _tournament, is_new=lambda before: not before.exists)
    return answered(await done)


async def put_table(call: Call) -> Reply:
    """The organiser's own table."""
    body: bodies.TableBody = call.body
    handler, by = call.get(TournamentHandler), official_of(call.context())
    cells = tuple(CellChange(infraction=cell.infraction, rel=cell.rel, penalty=cell.penalty) for cell in body.cells)

    def command(now: datetime) -> ask.SetTable:
        return ask.SetTable(cells=cells, note=body.note, guide=handler.guide, by=by, at=now)

    def view(loaded: LoadedTournament) -> Mapping[str, Any]:
        return table_view(handler.guide.with_changes(loaded.state.cells), note=loaded.state.note)

    return answered(await handler.act(call.context(), call.path["tournament_id"], command, view, is_new=_never))


async def begin_round(call: Call) -> Reply:
    """Pair a round."""
    body: bodies.RoundBody = call.body
    by = official_of(call.context())

    def command(now: datetime) -> ask.BeginRound:
        return ask.BeginRound(
            number=body.number,
            stage=body.stage,
            games_per_match=body.games_per_match,
            pairings=tuple(tuple(pairing) for pairing in body.pairings),
            starts_at=body.starts_at,
            by=by,
            at=now,
        )

    handler = call.get(TournamentHandler)
    done = handler.act(call.context(), call.path["tournament_id"], command, _tournament, is_new=lambda before: body.number not in before.rounds)
    return answered(await done)


async def enter_person(call: Call) -> Reply:
    """Enter a person."""
    body: bodies.PersonBody = call.body
    by = official_of(call.context())

    def command(now: datetime) -> ask.EnterPerson:
        return ask.EnterPerson(person_id=body.person_id, kind=body.kind, by=by, at=now)

    def view(loaded: LoadedTournament) -> Mapping[str, Any]:
        return person_view(loaded.state, body.person_id)

    handler = call.get(TournamentHandler)
    done = handler.act(call.context(), call.path["tournament_id"], command, view, is_new=lambda before: body.person_id not in before.people)
    return answered(await done)


async def drop_person(call: Call) -> Reply:
    """A player leaves."""
    person_id, by = call.path["person_id"], official_of(call.context())
    return answered(await _about(call, lambda now: ask.DropPerson(person_id=person_id, by=by, at=now)))


async def report_latecomer(call: Call) -> Reply:
    """A latecomer is here."""
    person_id, by = call.path["person_id"], official_of(call.context())
    return answered(await _about(call, lambda now: ask.ReportLatecomer(person_id=person_id, by=by, at=now)))


async def _about(call: Call, command: Any) -> CommandReply:
    def view(loaded: LoadedTournament) -> Mapping[str, Any]:
        return person_view(loaded.state, call.path["person_id"])

    return await call.get(TournamentHandler).act(call.context(), call.path["tournament_id"], command, view, is_new=_never)


async def give_penalty(call: Call) -> Reply:
    """Penalise an offense."""
    handler = call.get(TournamentHandler)
    given = _penalty(call, handler, call.get(Clock).now())  # type: ignore[type-abstract]  # a protocol is a key as good as any

    def view(loaded: LoadedTournament) -> Mapping[str, Any]:
        return penalty_view(loaded, loaded.penalties[given.penalty_id], words=False)

    def command(now: datetime) -> ask.GivePenalty:
        return replace(given, at=now)

    return answered(await handler.act(call.context(), call.path["tournament_id"], command, view, is_new=lambda _: True))


def _penalty(call: Call, handler: TournamentHandler, now: datetime) -> ask.GivePenalty:
    """The command as of now. A root cause is compared by a keyed digest, so that its words can be erased."""
    body: bodies.PenaltyBody = call.body
    said, deviation = body.situation or bodies.SituationBody(), body.deviation
    cause = None
    if body.root_cause is not None:
        cause = call.get(KeyedHash).digest("\n".join((call.path["tournament_id"], body.person_id, body.root_cause))).hex()
    return ask.GivePenalty(
        penalty_id=handler.new_id(),
        person_id=body.person_id,
        infraction=body.infraction,
        round=body.round,
        game=body.game,
        guide=handler.guide,
        by=official_of(call.context()),
        at=now,
        ids=tuple(handler.new_id() for _ in range(SPARE_IDS)),
        situation=ask.Situation(
            new_game_began=said.new_game_began,
            between_rounds=said.between_rounds,
            before_match=said.before_match,
            can_continue=said.can_continue,
            opponent_match_loss=said.opponent_match_loss,
        ),
        cause=cause,
        similar_to=body.similar_to,
        upgrade=body.upgrade,
        self_reported=body.self_reported,
        deviation=None if deviation is None else ask.WantedDeviation(penalty=deviation.penalty, because=deviation.because),
        opponents_noticed=body.opponents_noticed,
        exceptional=body.exceptional_reason is not None,
        unnoticeable=body.unnoticeable,
        clerical=body.clerical,
        told_at_once=body.told_at_once,
        obvious_card=body.obvious_card,
        took_long=body.took_long,
        ten_minutes=body.ten_minutes,
        ruling_seconds=body.ruling_seconds,
        intentional=body.intentional,
        no_proof=body.no_proof,
        words=_words(body),
    )


def _words(body: bodies.PenaltyBody) -> PenaltyWords | None:
    words = PenaltyWords(
        description=body.description,
        deviation_reason=None if body.deviation is None else body.deviation.reason,
        exceptional_reason=body.exceptional_reason,
        root_cause=body.root_cause,
    )
    return None if words == PenaltyWords() else words


async def refer(call: Call) -> Reply:
    """Refer a penalty to the site."""
    return answered(await call.get(TournamentHandler).refer(call.context(), call.path["tournament_id"], call.path["penalty_id"]))


async def discharge_duty(call: Call) -> Reply:
    """A report was made."""
    duty_id, by = call.path["duty_id"], official_of(call.context())

    def view(loaded: LoadedTournament) -> Mapping[str, Any]:
        return duty_view(loaded.state.duties[duty_id])

    handler = call.get(TournamentHandler)
    done = handler.act(call.context(), call.path["tournament_id"], lambda now: ask.DischargeDuty(duty_id=duty_id, by=by, at=now), view, is_new=_never)
    return answered(await done)


async def put_standings(call: Call) -> Reply:
    """The scorekeeper's order."""
    body: bodies.StandingsBody = call.body
    by = official_of(call.context())

    def command(now: datetime) -> ask.PutStandings:
        return ask.PutStandings(order=tuple(body.order), cut=body.cut, by=by, at=now)

    def view(loaded: LoadedTournament) -> Mapping[str, Any]:
        return standings_view(loaded.state)

    return answered(await call.get(TournamentHandler).act(call.context(), call.path["tournament_id"], command, view, is_new=_never))
