"""Every problem code of the contract with its status and title: the only place where a code gets its status."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A problem type: its slug, HTTP status and title (RFC 9457, 3.1)."""

    code: str
    status: int
    title: str


_TABLE: dict[int, dict[str, str]] = {
    400: {"malformed_request": "The request is not well-formed"},
    401: {"unauthenticated": "A valid bearer token is required"},
    403: {
        "forbidden": "Not allowed for this role",
        "unknown_staff": "The acting member of staff is unknown or inactive",
        "acting_not_allowed": "A member of staff acts in no other name",
        "head_admin_required": "Only a Head Admin may do this",
        "senior_admin_required": "Only a Senior Admin or a Head Admin may do this",
        "conflict_of_interest": "Nobody decides on what concerns themselves",
        "not_the_subject": "The player is not the subject of this decision",
        "not_the_caller": "The player did not make this call",
        "not_the_taker": "The call is taken by someone else",
        "not_in_duel": "The player is not in this duel",
        "pro_required": "Only PRO accounts may do this",
        "banned": "A banned player may not do this",
        "head_judge_required": "Only the head judge may do this",
        "not_a_judge": "Only a judge of the tournament may do this",
    },
    404: {"not_found": "There is nothing here"},
    405: {"method_not_allowed": "The resource does not take this method"},
    409: {
        "incident_exists": "An incident with this external id exists",
        "incident_overturned": "The incident was overturned",
        "not_evasion": "There was no ban to evade",
        "appeal_exists": "The decision has been appealed already",
        "already_decided": "It has been decided already",
        "decision_final": "The decision is final",
        "call_already_taken": "The call is taken",
        "call_closed": "The call is closed",
        "invalid_transition": "The state does not allow this",
        "no_decision_yet": "There is no decision yet",
        "image_replaced": "The image has been replaced",
        "person_disqualified": "The person is disqualified",
        "conflict": "The state has changed meanwhile",
    },
    410: {"gone": "The resource is gone"},
    412: {"stale_version": "The version has moved on"},
    413: {"too_large": "The body is too large"},
    415: {"unsupported_media_type": "The media type is not supported"},
    422: {
        "invalid_request": "The request is not valid",
        "idempotency_key_reused": "The idempotency key belongs to another command",
        "unknown_infraction": "The infraction is not in the policy",
        "duplicate_infraction": "An incident names each infraction once",
        "discretion_required": "The cell needs a choice",
        "discretion_not_allowed": "The cell leaves no choice",
        "discretion_out_of_range": "The choice is outside its range",
        "upgrade_not_available": "There is no upgrade here",
        "ai_ruling_not_accepted": "AI rulings are no evidence",
        "occurred_in_future": "The act lies in the future",
        "unknown_variant": "The infraction has no such variant",
        "invalid_network": "The network is not accepted",
        "duration_too_long": "The duration is too long",
        "unknown_category": "There is no such category",
        "irreparable_game_state": "The game state can't be repaired",
        "animated_image": "Animated images are not accepted",
        "corrupt_image": "The image can't be read",
        "image_too_many_pixels": "The image has too many pixels",
        "unlock_gallery_artwork": "The artwork is in an unlock gallery",
        "previously_removed": "The image was removed before",
        "unknown_slot": "There is no such slot",
        "not_exceptional": "The reason is not exceptional",
        "not_applicable": "The infraction does not apply here",
        "charge_as_cheating": "An intentional error is charged as Cheating or Unsporting Conduct",
    },
    429: {"rate_limited": "Too many requests"},
    503: {"unavailable": "The service can't answer now"},
}

CODES: dict[str, Code] = {code: Code(code=code, status=status, title=title) for status, titles in _TABLE.items() for code, title in titles.items()}


def code_of(slug: str) -> Code:
    """The registered code; `KeyError` for one that nobody registered (a refusal with it is a defect and is answered 503)."""
    return CODES[slug]
