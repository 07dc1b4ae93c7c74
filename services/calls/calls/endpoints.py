"""Calls over HTTP (contract, Calls)."""

from __future__ import annotations

from typing import Any, Final

from services.calls.calls import bodies, examples, routes, shapes
from shared.http.endpoint import SENIOR_ADMIN_REQUIRED, STAFF, Endpoint
from shared.security.principals import Role

GAME: Final = frozenset({Role.GAME_SERVER})
SENIORS: Final = STAFF - {Role.ADMIN}
STATE_CODES: Final = ("call_closed", "invalid_transition")
TAKER_CODES: Final = (*STATE_CODES, "not_the_taker")
# What may stand in the way of a penalty's incident, as at POST /v1/incidents.
INCIDENT_CODES: Final = (
    "unknown_infraction", "duplicate_infraction", "discretion_required", "discretion_not_allowed", "discretion_out_of_range",
    "upgrade_not_available", "occurred_in_future", "unknown_variant", "invalid_network", "duration_too_long", "incident_exists", "not_evasion",
    "head_admin_required",
)  # fmt: skip


def _command(step: str, handler: Any, roles: frozenset[Role], summary: str, **more: Any) -> Endpoint:
    """A command on one call."""
    told = {"reply": shapes.CallReply, "reply_example": examples.TAKEN, **more}
    path = f"/v1/calls/{{call_id}}/{step}"
    return Endpoint(method="POST", path=path, handler=handler, roles=roles, summary=summary, tags=("calls",), command=True, **told)


_PRESS: Final = Endpoint(
    method="POST", path="/v1/calls", handler=routes.press, roles=GAME, tags=("calls",), command=True, if_match=False, status=201,
    summary="Press the Call Admin button",
    description="Opens a call, which pauses the duel of a participant (I-43), or adds a problem to the room's live call (200, I-41).",
    also={200: "The problem was added to the room's live call."}, body=bodies.PressBody, reply=shapes.PressedReply,
    codes=("unknown_category", "not_in_duel", "banned", "not_found"), body_example=examples.PRESS_BODY, reply_example=examples.PRESSED,
)  # fmt: skip
_LIST: Final = Endpoint(
    method="GET", path="/v1/calls", handler=routes.list_calls, roles=GAME | STAFF, tags=("calls",), summary="Calls, oldest first",
    description="Without what people wrote; that is shown with each call.", query=bodies.CallsQuery, reply=shapes.CallPage,
    codes=("unknown_category",), reply_example=examples.PAGE,
)  # fmt: skip
_QUEUES: Final = Endpoint(
    method="GET", path="/v1/calls/queues", handler=routes.queues, roles=GAME | STAFF, tags=("calls",), summary="How many wait, and how long",
    reply=shapes.QueuesShape, reply_example=examples.QUEUES,
)  # fmt: skip
_TAKE_NEXT: Final = Endpoint(
    method="POST", path="/v1/calls/take-next", handler=routes.take_next, roles=STAFF, tags=("calls",), command=True, if_match=False,
    summary="Take the call whose turn it is",
    description="First in, first out within a category; a released call comes first (I-45), and so does one whose taker fell silent. Never a call "
    "in a duel of one's own (I-51). 204 when none waits.",
    also={204: "No call waits."}, body=bodies.TakeNextBody, reply=shapes.CallReply, codes=("unknown_category",),
    body_example={"category": "ruling-question"}, reply_example=examples.TAKEN,
)  # fmt: skip
_SHOW: Final = Endpoint(
    method="GET", path="/v1/calls/{call_id}", handler=routes.show, roles=GAME | STAFF, tags=("calls",), summary="One call, with what people wrote",
    reply=shapes.CallShape, codes=("not_found",), reply_example=examples.SHOWN,
)  # fmt: skip
_HOLDING: Final = (
    _command(
        "take", routes.take, STAFF, "Take this call", codes=(*STATE_CODES, "call_already_taken", "conflict_of_interest"),
        description="One winner. Play resumes under the admin. Held for the policy's lease, longer by heartbeats; past it anyone may take it over.",
    ),
    _command("heartbeat", routes.heartbeat, STAFF, "Renew the lease", codes=TAKER_CODES),
    _command(
        "release", routes.release, STAFF, "Put the call back, to the head of its queue", codes=TAKER_CODES, reply_example=examples.OPEN,
        description="The duel pauses again (I-45).",
    ),
    _command(
        "resume-play", routes.resume_play, STAFF, "Let the players go on; the call stays taken", codes=TAKER_CODES,
        description="The duel is no longer under an admin (I-50).",
    ),
    _command(
        "category", routes.correct_category, STAFF, "Correct the category", codes=(*TAKER_CODES, "unknown_category"), body=bodies.CategoryBody,
        body_example={"category": "cheating"}, description="Keeps the call, and its time (I-46).",
    ),
    _command(
        "cancel", routes.cancel, GAME, "Take one's own problems back", codes=(*STATE_CODES, "call_already_taken", "not_the_caller"),
        body=bodies.CancelBody, body_example={"caller_id": "p-yugi"}, reply_example=examples.CANCELLED,
        description="Cancels the call when no other problem stands (I-41, I-42).",
    ),
)  # fmt: skip
_NOTING: Final = (
    _command(
        "presence", routes.presence, GAME, "Record that a player left or came back", codes=("call_closed", "not_in_duel"),
        body=bodies.PresenceBody, body_example=examples.PRESENCE_BODY, description="Cancels nothing (I-44).",
    ),
    _command(
        "idle", routes.idle, GAME, "Record that a player was idle", codes=("call_closed", "not_in_duel", "occurred_in_future"),
        body=bodies.IdleBody, body_example=examples.IDLE_BODY, description="Part of what `afk.suggests` rests on (I-50).",
    ),
    _command(
        "prompts", routes.prompt, STAFF, "Record that the taker prompted a player", codes=(*TAKER_CODES, "not_in_duel", "occurred_in_future"),
        body=bodies.MomentBody, body_example=examples.MOMENT_BODY,
    ),
    _command(
        "replies", routes.reply, GAME, "Record a player's reply to a prompt", codes=("call_closed", "not_in_duel", "occurred_in_future"),
        body=bodies.MomentBody, body_example=examples.MOMENT_BODY,
    ),
)  # fmt: skip
_JUDGING: Final = (
    _command(
        "decisions", routes.decide, STAFF, "Decide", status=201, body=bodies.DecisionBody, reply=shapes.DecidedReply,
        codes=(*TAKER_CODES, "irreparable_game_state", "ai_ruling_not_accepted", "conflict_of_interest", *INCIDENT_CODES),
        body_example=examples.DECISION_BODY, reply_example=examples.DECIDED,
        description="A penalty's incident is decided in the same transaction, or neither is recorded.",
    ),
    _command(
        "appeal", routes.appeal, GAME, "Appeal a decision",
        codes=(*STATE_CODES, "not_in_duel", "no_decision_yet", "decision_final", "appeal_exists", "incident_overturned"),
        body=bodies.AppealBody, body_example=examples.APPEAL_BODY, reply_example=examples.APPEALED,
        description="A participant's right; no member of staff can refuse it (I-47).",
    ),
    _command(
        "appeal/decision", routes.decide_appeal, SENIORS, "Have the last word on a decision", role_code=SENIOR_ADMIN_REQUIRED,
        codes=(*STATE_CODES, "conflict_of_interest", "senior_admin_required", "already_decided", "stale_version", "duration_too_long"),
        body=bodies.VerdictBody, reply=shapes.AppealDecidedReply, body_example=examples.VERDICT_BODY, reply_example=examples.VERDICT,
        description="By another Senior or Head Admin than had the call; final. The call is then theirs. On a penalty it decides the incident's "
        "appeal too (I-34, I-47).",
    ),
    _command(
        "resolve", routes.resolve, STAFF, "Close the call", codes=(*TAKER_CODES, "conflict_of_interest", *INCIDENT_CODES), body=bodies.ResolveBody,
        reply=shapes.ResolvedReply, body_example=examples.RESOLVE_BODY, reply_example=examples.RESOLVED,
        description="With `misuse` the caller is charged with Call Admin Button Misuse in the same transaction (I-46).",
    ),
)  # fmt: skip

ENDPOINTS: Final = (_PRESS, _LIST, _QUEUES, _TAKE_NEXT, _SHOW, *_HOLDING, *_NOTING, *_JUDGING)
