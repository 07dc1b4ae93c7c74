"""Which reads are recorded, in one place: every GET of the API is in one of these two lists, or the application does not start.

A sensitive read shows words about a player (evidence, reasons, grounds) or a whole record. It is recorded before its reply is sent, in the reader's
own stream; if that can't be done the answer is 503 and nothing is shown. What the game server asks is for the player themselves, without such words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Final

from services.moderation.reads.events import RecordRead
from services.moderation.reads.recorder import ReadRecorder
from shared.clock import Clock
from shared.http.call import Call, Reply
from shared.http.endpoint import STAFF_AND_AUDITOR, Endpoint, Handler
from shared.security.principals import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitive:
    """A kind of read, whose readers are recorded; `one_player` is false for a list that is about no one player."""

    what: str
    roles: frozenset[Role] = STAFF_AND_AUDITOR
    one_player: bool = True


SENSITIVE: Final[Mapping[str, Sensitive]] = {
    "/v1/players/{player_id}/history": Sensitive(what="history"),
    "/v1/players/{player_id}/replay": Sensitive(what="replay"),
    "/v1/players/{player_id}/incidents": Sensitive(what="incidents"),
    "/v1/incidents/{incident_id}": Sensitive(what="incident"),
    "/v1/incidents/{incident_id}/explanation": Sensitive(what="explanation"),
    "/v1/appeals/{appeal_id}": Sensitive(what="appeal"),
    "/v1/network-bans": Sensitive(what="network_bans", one_player=False),
    "/v1/tournaments/{tournament_id}/people/{person_id}": Sensitive(what="tournament_person"),
    "/v1/tournaments/{tournament_id}/penalties/{penalty_id}": Sensitive(what="tournament_penalty"),
    "/v1/tournaments/{tournament_id}/report": Sensitive(what="tournament_report", one_player=False),
    "/v1/tournaments/{tournament_id}/report/page": Sensitive(what="tournament_report", one_player=False),
    "/v1/cosmetics/review": Sensitive(what="cosmetics_review", one_player=False),
    "/v1/cosmetics/{cosmetic_id}": Sensitive(what="cosmetic"),
    "/v1/cosmetics/{cosmetic_id}/image": Sensitive(what="cosmetic_image"),
    "/v1/referrals": Sensitive(what="referrals", one_player=False),
    "/v1/referrals/{referral_id}": Sensitive(what="referral"),
}

_STANDING = "standings are for everybody and hold no words"
_PUBLIC = "nothing about a player"
_SEALED = "leaves, hashes and proofs: words are in them as ciphertext only"
_WITHOUT_WORDS = "ids and states, without what anybody wrote"
_ABOUT_STAFF = "what was taken back of a member of staff; no words about a player"
_AT_WORK = "the words of callers, for those at work on their call; taking it is recorded"

PLAIN: Final[Mapping[str, str]] = {
    "/v1/players/{player_id}/standing": _STANDING,
    "/v1/players/{player_id}/diff": _STANDING,
    "/v1/players/{player_id}/sanctions/active": _WITHOUT_WORDS,
    "/v1/incidents/{incident_id}/statement": "the game server's, for the player themselves",
    "/v1/appeals": _WITHOUT_WORDS,
    "/v1/duels/{duel_id}": _WITHOUT_WORDS,
    "/v1/calls": _WITHOUT_WORDS,
    "/v1/calls/queues": _WITHOUT_WORDS,
    "/v1/calls/{call_id}": _AT_WORK,
    "/v1/feed": _WITHOUT_WORDS,
    "/v1/feed/stream": _WITHOUT_WORDS,
    "/v1/rollbacks": _ABOUT_STAFF,
    "/v1/rollbacks/{rollback_id}": _ABOUT_STAFF,
    "/v1/log/checkpoint": _SEALED,
    "/v1/log/entries": _SEALED,
    "/v1/log/key": _SEALED,
    "/v1/log/proofs/inclusion": _SEALED,
    "/v1/log/proofs/consistency": _SEALED,
    "/v1/policy": _PUBLIC,
    "/v1/policy/schema": _PUBLIC,
    "/v1/policy/{version}": _PUBLIC,
    "/v1/staff/{staff_id}": _PUBLIC,
    "/v1/players/{player_id}/cosmetics": _WITHOUT_WORDS,
    "/v1/reads": "who read, not what they read",
    "/v1/penalty-guide": _PUBLIC,
    "/v1/tournaments/{tournament_id}": _WITHOUT_WORDS,
    "/v1/tournaments/{tournament_id}/policy": _PUBLIC,
    "/v1/tournaments/{tournament_id}/duties": _WITHOUT_WORDS,
    "/v1/tournaments/{tournament_id}/standings": _WITHOUT_WORDS,
    "/v1/tournaments/{tournament_id}/rounds/{number}/sheet": _WITHOUT_WORDS,
    "/v1/tournaments/{tournament_id}/rounds/{number}/sheet/page": _WITHOUT_WORDS,
}
_PLAIN_BELOW: Final = ("/v1/log/tile/",)


def watched(endpoints: Iterable[Endpoint]) -> tuple[Endpoint, ...]:
    """The endpoints, the sensitive ones recording who reads. Raises `ValueError` for a GET of the API that is in neither list."""
    return tuple(_watched(endpoint) for endpoint in endpoints)


def _watched(endpoint: Endpoint) -> Endpoint:
    path = endpoint.path
    if endpoint.method != "GET" or not path.startswith("/v1/") or path in PLAIN or path.startswith(_PLAIN_BELOW):
        return endpoint
    sensitive = SENSITIVE.get(path)
    if sensitive is None or endpoint.handler is None:
        raise ValueError(f"GET {path}: say in {__name__} whether it shows what is personal (a sensitive one has a handler, not a raw one)")
    description = f"{endpoint.description} Who of the staff and auditors reads this is recorded.".strip()
    return replace(endpoint, handler=_recording(endpoint.handler, sensitive), description=description)


def _recording(handler: Handler, sensitive: Sensitive) -> Handler:
    @wraps(handler)
    async def run(call: Call) -> Reply:
        reply = await handler(call)
        if call.principal.role in sensitive.roles:
            await call.get(ReadRecorder).record(_read(call, sensitive))
        return reply

    return run


def _read(call: Call, sensitive: Sensitive) -> RecordRead:
    """Who reads what of whom. A handler that does not say of whom is a defect, and nothing is shown."""
    player_id = call.path.get("player_id") or call.path.get("person_id") or call.about
    if player_id is None and sensitive.one_player:
        raise LookupError(f"{call.template} does not say about whom it is")
    subject = next((value for name, value in call.path.items() if name not in {"player_id", "person_id"}), None)
    principal = call.principal
    return RecordRead(
        reader=principal.id,
        role=principal.role.value,
        what=sensitive.what,
        at=call.get(Clock).now(),  # type: ignore[type-abstract]
        player_id=player_id,
        subject=subject,
        via=principal.via,
        request_id=call.request_id,
    )
