"""The operations of `policy`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Any, Unpack

from shared.client.api.policy.replies import CheckedReply, PolicyBody
from shared.client.options import CommandOptions, ReadOptions
from shared.client.transport import Transport, segment


class PolicyOperations:
    """The operations of `policy`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def get_policy(self, **options: Unpack[ReadOptions]) -> PolicyBody:
        """The rule table that holds now.

        Every decision names the `version` of the table it was made under. For game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch("GET", "/v1/policy", PolicyBody, options=options)

    async def get_policy_version(self, version: str, **options: Unpack[ReadOptions]) -> PolicyBody:
        """A rule table by its version.

        Every table that ever held stays readable; of one published more than once, the latest note and date are shown. For game_server, admin,
        senior_admin, head_admin, auditor. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/policy/{segment(version)}", PolicyBody, options=options)

    async def get_schema(self, **options: Unpack[ReadOptions]) -> dict[str, Any]:
        """The JSON Schema of the rule table.

        For game_server, admin, senior_admin, head_admin, auditor.
        """
        return await self.transport.fetch("GET", "/v1/policy/schema", dict[str, Any], options=options)

    async def publish_policy(self, body: PolicyBody, *, dry_run: bool = False, **options: Unpack[CommandOptions]) -> CheckedReply:
        """Publish a rule table.

        The body is what `GET /v1/policy` gives, edited, with a `note` that says why; `version`, `published_at` and `published_by` are ignored. The
        table that holds already answers 200 and records nothing; an older one published again holds again. With `dry_run=true` the table is checked,
        its `changes` against the current one are listed, and who would stand differently if everything was read from it (for two seconds; `moderation
        policy check` looks at everybody). Decisions made before keep the table they were made under. For head_admin.
        """
        return await self.transport.fetch(
            "POST", "/v1/policy", CheckedReply, command=True, body=body, query={"dry_run": dry_run or None}, options=options
        )
