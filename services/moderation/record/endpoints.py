"""Incidents and sanctions over HTTP (contract, "Incidents and sanctions"): the commands."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from services.moderation.record import examples
from services.moderation.record.bodies import AdjustmentBody, ImportBody, IncidentBody, ReasonBody, new_incident, outcomes_of
from services.moderation.record.handler import RecordHandler
from services.moderation.record.importing import Importer, OldIncident
from services.moderation.record.shapes import ChangeReply, ImportReply, IncidentReply
from shared.commands import CommandReply
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import HEAD_ADMIN, HEAD_ADMIN_REQUIRED, STAFF, Endpoint
from shared.refusal import Refusal
from shared.security.keys import KeyedHash
from shared.security.principals import Role

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode

EFFECTS = ("stats_reset", "cosmetic_removal", "game_loss", "match_loss")


async def decide_incident(call: Call) -> Reply:
    """Charge one or more offenses as one incident."""
    body: IncidentBody = call.body
    new = new_incident(body, call.get(KeyedHash).digest)
    return answered(named(await call.get(RecordHandler).decide_incident(call.context(), new), body.external_id))


def named(reply: CommandReply, external_id: str | None) -> CommandReply:
    """The reply with the act's name as the caller just gave it: the reply that is kept has none, since the name may be erased."""
    if external_id is None:
        return reply
    members = _decode(reply.body)
    members["external_id"] = msgspec.Raw(_encode(external_id))
    return replace(reply, body=_encode(members))


async def adjust(call: Call) -> Reply:
    """Raise or lower an incident's sanctions."""
    body: AdjustmentBody = call.body
    handler = call.get(RecordHandler)
    sanctions = outcomes_of(body.sanctions)
    adjusted = await handler.adjust(
        call.context(), call.path["incident_id"], sanctions, strike=body.strike, reason=body.reason, player_id=body.player_id
    )
    return answered(adjusted)


async def lift_ip_ban(call: Call) -> Reply:
    """Lift an incident's IP ban."""
    body: ReasonBody = call.body
    return answered(await call.get(RecordHandler).lift_ip_ban(call.context(), call.path["incident_id"], body.reason))


async def lift_proxy_ban(call: Call) -> Reply:
    """Lift a player's proxy ban."""
    body: ReasonBody = call.body
    return answered(await call.get(RecordHandler).lift_proxy_ban(call.context(), call.path["player_id"], body.reason))


async def import_incidents(call: Call) -> Reply:
    """Import incidents decided before this service existed."""
    body: ImportBody = call.body
    rows = [
        OldIncident(
            player_id=row.player_id,
            infraction=row.infraction,
            decided_at=row.decided_at,
            decided_by=row.decided_by,
            strike=row.strike,
            sanctions=outcomes_of(row.sanctions),
            external_id=row.external_id,
        )
        for row in body.incidents
    ]
    return answered(await call.get(Importer).run(call.context(), rows))


async def acknowledge(call: Call) -> Reply:
    """Record that an ordered effect was carried out."""
    effect = call.path["effect"]
    if effect not in EFFECTS:
        raise Refusal("not_found", "There is no such effect.", allowed=list(EFFECTS))
    return answered(await call.get(RecordHandler).acknowledge(call.context(), call.path["incident_id"], effect))


_DECISION_CODES = (
    "unknown_infraction", "duplicate_infraction", "discretion_required", "discretion_not_allowed", "discretion_out_of_range",
    "upgrade_not_available", "ai_ruling_not_accepted", "occurred_in_future", "unknown_variant", "invalid_network", "duration_too_long",
    "incident_exists", "not_evasion", "head_admin_required", "conflict_of_interest",
)  # fmt: skip
_CHANGE_CODES = ("incident_overturned", "conflict_of_interest", "head_admin_required")

ENDPOINTS = (
    Endpoint(
        method="POST", path="/v1/incidents", handler=decide_incident, roles=STAFF, tags=("incidents",), command=True, dry_run=True, status=201,
        summary="Charge one or more offenses as one incident",
        description="Reads each offense at the player's column (active strikes + 1), adds at most one strike, and imposes the sanctions. With "
        "`?dry_run=true` the same answer, status 200, and nothing is recorded.",
        body=IncidentBody, reply=IncidentReply, codes=_DECISION_CODES, body_example=examples.INCIDENT_BODY, reply_example=examples.INCIDENT,
    ),
    Endpoint(
        method="POST", path="/v1/incidents/{incident_id}/adjustments", handler=adjust, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("incidents",), command=True, dry_run=True, status=201, summary="Raise or lower an incident's sanctions",
        description="Replaces the sanctions (I-20). A ban that stands keeps its start; later incidents are not assessed again. `player_id` names an "
        "account that the incident sanctioned along, as an alt: then its sanctions are replaced.",
        body=AdjustmentBody, reply=ChangeReply, codes=(*_CHANGE_CODES, "duration_too_long"),
        body_example=examples.ADJUSTMENT_BODY, reply_example=examples.ADJUSTMENT,
    ),
    Endpoint(
        method="POST", path="/v1/incidents/{incident_id}/ip-ban/lift", handler=lift_ip_ban, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("incidents",), command=True, summary="Lift the IP ban that an incident imposed",
        description="Also on the linked accounts that it was imposed on; each account's own ban stays (I-14).",
        body=ReasonBody, reply=ChangeReply, codes=_CHANGE_CODES, body_example=examples.REASON_BODY, reply_example=examples.LIFTED,
    ),
    Endpoint(
        method="POST", path="/v1/players/{player_id}/proxy-ban/lift", handler=lift_proxy_ban, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("incidents",), command=True, summary="Lift a player's proxy ban",
        body=ReasonBody, reply=ChangeReply, codes=("conflict_of_interest", "head_admin_required"),
        body_example=examples.REASON_BODY, reply_example=examples.PROXY_LIFTED,
    ),
    Endpoint(
        method="POST", path="/v1/incidents/import", handler=import_incidents, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("incidents",), command=True, if_match=False, summary="Import incidents decided before this service existed",
        description="A row that can't be imported is named by its index and code; the others are imported. Rows known by their `external_id` are "
        "counted as `known` and not imported again (I-22).",
        body=ImportBody, reply=ImportReply, codes=("head_admin_required",), body_example=examples.IMPORT_BODY, reply_example=examples.IMPORTED,
    ),
    Endpoint(
        method="POST", path="/v1/incidents/{incident_id}/effects/{effect}/ack", handler=acknowledge, roles=frozenset({Role.GAME_SERVER}),
        tags=("incidents",), command=True, summary="Say that an ordered effect was carried out",
        description="Effects: stats_reset, cosmetic_removal, game_loss, match_loss (I-16). Said again it is so already.",
        reply=ChangeReply, reply_example=examples.ACKNOWLEDGED,
    ),
)  # fmt: skip
