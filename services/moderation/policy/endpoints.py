"""The rules over HTTP (contract, Audit): anyone reads them, a head admin publishes them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from services.moderation.appeals.shapes import ChangeShape
from services.moderation.audit.impact import HTTP_SECONDS, PolicyImpact
from services.moderation.policy.document import Change, PolicyBody, json_schema, policy_of
from services.moderation.policy.handler import STREAM, PolicyPublisher
from services.moderation.policy.holder import PolicyHolder
from services.moderation.record.shapes import StandingShape
from shared.commands import Executor
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, HEAD_ADMIN, HEAD_ADMIN_REQUIRED, Endpoint
from shared.refusal import Refusal

_SHOWN_FINDINGS = 20


class PublishedReply(Struct, frozen=True, kw_only=True):
    """What a publication does: the version that holds from now on, and every difference from the one before.

    `version` is the table's, `position` the event's in the log (null in a dry run, and when nothing changed).
    """

    version: str
    previous_version: str | None
    note: str | None
    published_at: datetime
    published_by: str
    changes: tuple[Change, ...]
    position: int | None


class StandsDifferently(Struct, frozen=True, kw_only=True):
    """A player whose standing would be another, if all their incidents were read from the table."""

    player_id: str
    before: StandingShape
    after: StandingShape
    changes: list[ChangeShape]


class CheckedReply(PublishedReply, frozen=True, kw_only=True, omit_defaults=True):
    """The same; a dry run says besides who would stand differently, were past decisions read from the table (they are not, and stay).

    `players` shows the first hundred of the `differing` ones. A dry run looks for two seconds: with `complete` false, `examined` of the players `of`
    the service were looked at. `undetermined` are records with an offense that the table has no row for, or that can't be read.
    """

    players: list[StandsDifferently] | None = None
    examined: int | None = None
    of: int | None = None
    differing: int | None = None
    undetermined: int | None = None
    complete: bool | None = None


async def get_policy(call: Call) -> Reply:
    """Give the table that holds."""
    return Reply(body=await call.get(PolicyHolder).document())


async def get_schema(call: Call) -> Reply:  # noqa: ARG001  the schema is the same for all
    """Give the JSON Schema of the document."""
    return Reply.json(json_schema())


async def get_policy_version(call: Call) -> Reply:
    """Give a table by its version."""
    body = await call.get(PolicyHolder).document_of(call.path["version"])
    if body is None:
        raise Refusal("not_found", "No policy of this version was ever published.")
    return Reply(body=body)


async def publish_policy(call: Call) -> Reply:
    """Publish a table, or say what publishing it would change."""
    body: PolicyBody = call.body
    policy, findings = policy_of(body)
    if policy is None:
        raise _refused(findings)
    ctx, publisher = call.context(), call.get(PolicyPublisher)
    done = await call.get(Executor).run(ctx, STREAM, partial(publisher.attempt, ctx, policy))
    if ctx.dry_run:
        impact = await call.get(PolicyImpact).of(policy, seconds=HTTP_SECONDS)
        return Reply.json({**msgspec.json.decode(done.body), **asdict(impact)}, status=done.status)
    return Reply(status=done.status, body=done.body, headers={"Idempotency-Replayed": "true"} if done.replayed else {})


def _refused(findings: list[tuple[str, str]]) -> Refusal:
    """All that is wrong in one answer, so that an editor doesn't find it one publication at a time."""
    shown = "; ".join(f"{path}: {message}" for path, message in findings[:_SHOWN_FINDINGS])
    more = f"; and {len(findings) - _SHOWN_FINDINGS} more" if len(findings) > _SHOWN_FINDINGS else ""
    return Refusal("invalid_request", f"The table is not sound: {shown}{more}.", field=findings[0][0])


_ROW: dict[str, Any] = {
    "id": "spam-major",
    "name": "Spam (Major)",
    "section": 4,
    "description": "Continuous unwanted messages with no intent to stop; ignoring a Minor warning.",
    "strike": True,
    "cells": [
        {"text": "1 day ban", "sanctions": [{"kind": "ban", "days": 1}], "choice": None},
        {"text": "Perma ban", "sanctions": [{"kind": "permanent_ban", "days": None}], "choice": None},
    ],
    "columns": ["1 day ban", "Perma ban", "-", "-"],
    "legal_review": False,
    "upgrade": None,
    "variants": [],
    "derives": None,
    "accounts": False,
    "basis": "S4",
    "interpretations": ["I-1", "I-2", "I-3"],
}
_SETTINGS: dict[str, Any] = {
    "permanent_from_strike": 4,
    "evasion_days_per_alt": 2,
    "ip_ban_accounts": 5,
    "network_window_seconds": 7_776_000,
    "proxy_ban": "automatic",
    "max_ban_days": 3650,
    "call_lease_seconds": 120,
}
_EDITED: dict[str, Any] = {"note": "Proxies are banned from today.", "settings": _SETTINGS, "infractions": [_ROW]}
_PUBLICATION: dict[str, Any] = {"published_at": "2026-11-30T10:00:00Z", "published_by": "head-1"}
_DOCUMENT: dict[str, Any] = {"version": "5d4c01fe19a27b86", **_EDITED, **_PUBLICATION}
_PUBLISHED: dict[str, Any] = {
    "version": "5d4c01fe19a27b86",
    "previous_version": "193ede9d19d8d693",
    "note": "Proxies are banned from today.",
    **_PUBLICATION,
    "changes": [{"path": "settings.proxy_ban", "before": "off", "after": "automatic"}],
    "position": 4711,
}

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        method="GET",
        path="/v1/policy",
        summary="The rule table that holds now",
        description="Every decision names the `version` of the table it was made under.",
        handler=get_policy,
        roles=EVERYONE,
        tags=("policy",),
        reply=PolicyBody,
        reply_example=_DOCUMENT,
    ),
    Endpoint(  # before the one with {version}, which would take "schema" for a version
        method="GET",
        path="/v1/policy/schema",
        summary="The JSON Schema of the rule table",
        handler=get_schema,
        roles=EVERYONE,
        tags=("policy",),
        reply=dict[str, Any],
        reply_example={
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": "#/$defs/PolicyBody",
            "$defs": {"PolicyBody": {"type": "object"}},
        },
    ),
    Endpoint(
        method="GET",
        path="/v1/policy/{version}",
        summary="A rule table by its version",
        description="Every table that ever held stays readable; of one published more than once, the latest note and date are shown.",
        handler=get_policy_version,
        roles=EVERYONE,
        tags=("policy",),
        reply=PolicyBody,
        reply_example=_DOCUMENT,
        codes=("not_found",),
    ),
    Endpoint(
        method="POST",
        path="/v1/policy",
        summary="Publish a rule table",
        description=(
            "The body is what `GET /v1/policy` gives, edited, with a `note` that says why; `version`, `published_at` and `published_by` are ignored. "
            "The table that holds already answers 200 and records nothing; an older one published again holds again. "
            "With `dry_run=true` the table is checked, its `changes` against the current one are listed, and who would stand "
            "differently if everything was read from it (for two seconds; `moderation policy check` looks at everybody). "
            "Decisions made before keep the table they were made under."
        ),
        handler=publish_policy,
        roles=HEAD_ADMIN,
        role_code=HEAD_ADMIN_REQUIRED,
        tags=("policy",),
        body=PolicyBody,
        body_example=_EDITED,
        reply=CheckedReply,
        reply_example=_PUBLISHED,
        status=201,
        command=True,
        if_match=False,
        dry_run=True,
    ),
)
