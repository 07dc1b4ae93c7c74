"""Tournaments over HTTP (contract, Tournaments)."""

from __future__ import annotations

from typing import Any, Final

from services.moderation.tournaments import bodies, examples, questions, routes, shapes, shapes_penalty, shapes_sheet, shapes_table
from shared.http.endpoint import EVERYONE, HEAD_ADMIN, HEAD_ADMIN_REQUIRED, STAFF, Endpoint

ROOT: Final = "/v1/tournaments/{tournament_id}"
PENALTIES: Final = ("penalties",)
PENALTY_CODES: Final = (
    "not_found", "not_a_judge", "head_judge_required", "conflict_of_interest", "person_disqualified", "unknown_infraction", "upgrade_not_available",
    "not_exceptional", "not_applicable", "charge_as_cheating",
)  # fmt: skip


def _command(method: str, path: str, handler: Any, summary: str, **more: Any) -> Endpoint:
    told = {"roles": STAFF, "codes": ("not_found", "head_judge_required"), "tags": ("tournaments",), **more}
    return Endpoint(method=method, path=ROOT + path, handler=handler, summary=summary, command=True, **told)


def _get(path: str, handler: Any, summary: str, **more: Any) -> Endpoint:
    told = {"roles": EVERYONE, "codes": ("not_found",), "tags": ("tournaments",), **more}
    return Endpoint(method="GET", path=ROOT + path, handler=handler, summary=summary, **told)


_SETTING_UP: Final = (
    _command(
        "PUT", "", routes.put_tournament, "Set a tournament up, or change it", roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED, status=201, codes=(),
        also={200: "The tournament was known."}, body=bodies.TournamentBody, reply=shapes.TournamentReply,
        description="Its judges are members of staff, named by id; the site's levels give nobody a judge's powers. Penalties given before a change "
        "stay as they are.",
        body_example=examples.TOURNAMENT_BODY, reply_example={**examples.TOURNAMENT_REPLY, "rounds": [], "version": 1},
    ),
    _command(
        "PUT", "/policy", routes.put_table, "The organiser's own table", roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        codes=("not_found", "unknown_infraction", "not_applicable"), body=bodies.TableBody, reply=shapes_table.TableReply,
        description="Replaces cells that the guide marks as assumed (I-70). Penalties given before stay as they are.",
        body_example=examples.TABLE_BODY, reply_example={**examples.TABLE, "version": 5, "position": 24},
    ),
    _command(
        "POST", "/rounds", routes.begin_round, "Pair a round", status=201, also={200: "The round was paired so already."},
        codes=("not_found", "head_judge_required", "person_disqualified", "not_applicable", "invalid_transition"),
        body=bodies.RoundBody, reply=shapes.TournamentReply, body_example=examples.ROUND_BODY, reply_example=examples.TOURNAMENT_REPLY,
        description="The round before ends: who was to report by then (I-82) and did not is dropped. Nobody dropped or disqualified is paired.",
    ),
    _command(
        "POST", "/people", routes.enter_person, "Enter a player or a spectator", status=201, also={200: "They were in already."},
        codes=("not_found", "head_judge_required", "person_disqualified", "not_applicable"), body=bodies.PersonBody, reply=shapes.PersonReply,
        description="A dropped player who is entered again is back in; who was paired stays a player. Who is to be disqualified is entered first "
        "(I-79).",
        body_example=examples.PERSON_BODY, reply_example=examples.PERSON_REPLY,
    ),
    _command(
        "POST", "/people/{person_id}/drop", routes.drop_person, "A player leaves", codes=("not_found", "head_judge_required", "not_applicable"),
        reply=shapes.PersonReply, description="They are not paired any more; penalties still fall on them (I-74).",
        reply_example={**examples.PERSON_REPLY, "playing": False, "dropped_in": 1, "left_because": "asked"},
    ),
    _command(
        "POST", "/people/{person_id}/reported", routes.report_latecomer, "A latecomer reported before the end of the round",
        codes=("not_found", "not_a_judge", "conflict_of_interest", "person_disqualified"), reply=shapes.PersonReply,
        reply_example=examples.PERSON_REPLY,
        description="So they stay in, whatever their tardiness in this round cost (I-82).",
    ),
)  # fmt: skip
_RULING: Final = (
    _command(
        "POST", "/penalties", routes.give_penalty, "Penalise an offense", tags=PENALTIES, status=201, codes=PENALTY_CODES, dry_run=True,
        body=bodies.PenaltyBody, reply=shapes_penalty.PenaltyReply, body_example=examples.PENALTY_BODY, reply_example=examples.PENALTY_REPLY,
        description="By a judge of the tournament. The guide says what it costs; every step from the standard penalty cites its rule. Nothing but "
        "this tournament's own past counts (D 1), and the site's record gets no strike.",
    ),
    _command(
        "POST", "/penalties/{penalty_id}/referral", routes.refer, "Refer a penalty to the site's admins", tags=PENALTIES, status=201,
        also={200: "It was referred already."}, codes=("not_found", "not_a_judge", "head_judge_required"), reply=shapes_penalty.ReferredReply,
        reply_example=examples.REFERRED, description="By the head judge, once. It adds no strike; the site's admins decide (`GET /v1/referrals`).",
    ),
    _command(
        "POST", "/duties/{duty_id}/discharge", routes.discharge_duty, "A report was made", tags=PENALTIES,
        codes=("not_found", "not_a_judge", "head_judge_required", "conflict_of_interest"), reply=shapes_penalty.DutyReply,
        reply_example=examples.DUTY_REPLY,
        description="By a judge; to the investigations manager the head judge reports.",
    ),
    _command(
        "PUT", "/standings", routes.put_standings, "The order as the scorekeeper has it, and the cut", body=bodies.StandingsBody,
        reply=shapes.StandingsReply, body_example=examples.STANDINGS_BODY, reply_example=examples.STANDINGS_REPLY,
        description="Who advances is settled when the cut is made: the first of the order who are still in. Nobody joins them later (I-79).",
    ),
)  # fmt: skip
_ADVICE: Final = (
    Endpoint(
        method="POST", path=f"{ROOT}/missed-trigger-advice", handler=questions.advise_missed_trigger, roles=STAFF, tags=PENALTIES,
        summary="What to do about a missed trigger", description="A decision table (I-81); nothing is recorded.", codes=("not_found",),
        body=bodies.TriggerBody, reply=shapes_penalty.TriggerAdvice, body_example=examples.TRIGGER_BODY, reply_example=examples.TRIGGER,
    ),
    Endpoint(
        method="POST", path=f"{ROOT}/tardiness", handler=questions.advise_tardiness, roles=STAFF, tags=PENALTIES,
        summary="What a tardiness costs", description="A decision table (I-82); nothing is recorded, the penalties are given as any other.",
        codes=("not_found", "occurred_in_future"), body=bodies.TardinessBody,
        reply=shapes_penalty.TardinessShape, body_example=examples.TARDINESS_BODY,
        reply_example=examples.TARDINESS,
    ),
)  # fmt: skip
_QUESTIONS: Final = (
    Endpoint(
        method="GET", path="/v1/penalty-guide", handler=questions.get_guide, roles=EVERYONE, tags=("tournaments",),
        summary="The penalty guide: every cell with what it rests on, and every rule that is cited", reply=shapes_table.TableShape,
        reply_example=examples.TABLE,
    ),
    _get("", questions.get_tournament, "One tournament with its rounds", reply=shapes.TournamentShape, reply_example=examples.TOURNAMENT),
    _get(
        "/policy", questions.get_table, "The tournament's table: the guide with the organiser's cells", reply=shapes_table.TableShape,
        reply_example=examples.TABLE,
    ),
    _get(
        "/people/{person_id}", questions.get_person, "Somebody at the tournament, with their penalties explained", tags=PENALTIES,
        reply=shapes_penalty.PersonPenalties,
        reply_example=examples.PERSON,
    ),
    _get(
        "/penalties/{penalty_id}", questions.get_penalty, "One penalty explained", tags=PENALTIES, reply=shapes_penalty.PenaltyShape,
        reply_example=examples.PENALTY_SHOWN,
    ),
    _get(
        "/duties", questions.list_duties, "What is to be reported", tags=PENALTIES, query=bodies.DutiesQuery, reply=shapes_penalty.DutyPage,
        reply_example={"items": [examples.DUTY], "next_cursor": None},
    ),
    _get(
        "/standings", questions.get_standings, "The standings with disqualifications applied", reply=shapes.StandingsShape,
        reply_example=examples.STANDINGS,
    ),
    _get(
        "/rounds/{number}/sheet", questions.get_sheet, "What the scorekeeper enters for a round", reply=shapes_sheet.SheetShape,
        reply_example=examples.SHEET,
    ),
    _get("/rounds/{number}/sheet/page", questions.get_sheet_page, "The round's sheet for a printer", reply_type="text/html"),
    _get(
        "/report", questions.get_report, "The event's report", tags=PENALTIES, reply=shapes_sheet.ReportShape, reply_example=examples.REPORT,
        description="Penalties from Warning up, deviations with their reasons, disqualifications, and what is still to be reported.",
    ),
    _get("/report/page", questions.get_report_page, "The event's report for a printer", tags=PENALTIES, reply_type="text/html"),
)  # fmt: skip
ENDPOINTS: Final[tuple[Endpoint, ...]] = (*_SETTING_UP, *_RULING, *_ADVICE, *_QUESTIONS)
