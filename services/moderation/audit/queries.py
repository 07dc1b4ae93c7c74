"""Questions of auditors and reviewers, answered from the record alone; nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from services.moderation.appeals.cascade import Counterfactual, Question, policy_versions, retell, version_of
from services.moderation.appeals.views import changes
from services.moderation.audit.explain import explanation
from services.moderation.audit.replay import steps
from services.moderation.policy.holder import PolicyHolder
from services.moderation.policy.tables import Policy
from services.moderation.record.queries import RecordQueries
from services.moderation.record.repository import Records
from services.moderation.views.history import history_item
from services.moderation.views.incidents import collect, found_on
from services.moderation.views.standing import Standing, as_reply, facts_of, standing_now
from services.moderation.views.timeline import Asked, Recorded, fold_all
from shared.clock import Clock
from shared.eventstore.codec import Codec
from shared.refusal import Refusal, Unavailable


class AuditQueries:
    """Replays, comparisons, what-if questions and explanations."""

    def __init__(
        self, *, records: Records, queries: RecordQueries, policies: PolicyHolder, codec: Codec, clock: Clock, new_id: Callable[[], str]
    ) -> None:
        self._records = records
        self._queries = queries
        self._policies = policies
        self._codec = codec
        self._clock = clock
        self._new_id = new_id

    async def replay(self, player_id: str, *, after: int, limit: int) -> list[dict[str, Any]]:
        """The events after a version, at most `limit`, each with the standing after it and what it changed.

        Raises `Unavailable` for a record that can't be read.
        """
        stored, key = await self._records.stored(player_id)
        shown = stored[: after + limit]
        found = []
        for item, step in zip(shown[after:], steps(player_id, list(self._records.decoded(shown, key)), after=after), strict=True):
            before, standing = as_reply(step.before), as_reply(step.after)
            found.append({**history_item(self._codec, item, key), "standing": standing, "changes": changes(before, standing)})
        return found

    async def diff(self, player_id: str, start: int | datetime, end: int | datetime) -> dict[str, Any]:
        """The standings at two versions or moments, and every difference."""
        before, after = await self._at(player_id, start), await self._at(player_id, end)
        return {"before": as_reply(before), "after": as_reply(after), "changes": changes(as_reply(before), as_reply(after))}

    async def _at(self, player_id: str, point: int | datetime) -> Standing:
        asked = Asked(at_version=point) if isinstance(point, int) else Asked(as_of=point)
        return await self._queries.standing(player_id, asked)

    async def what_if(self, player_id: str, without: Sequence[str], policy_version: str | None) -> dict[str, Any]:
        """The standing without these incidents, or under another policy, later incidents read again.

        Raises a `Refusal` `not_found` for an incident that is not the player's, or a policy that was never published.
        """
        record = await self._records.events(player_id)
        state = fold_all(record)
        for incident_id in without:
            if incident_id not in state.incidents:
                raise Refusal("not_found", "There is no such incident of this player.", field="without_incidents")
        told = retell(record, state, await self._question(record, without, policy_version), self._endless_ids())
        now = state.moment(self._clock.now())
        before = as_reply(standing_now(player_id, facts_of(state), state.version, now))
        after = as_reply(standing_now(player_id, facts_of(told.state), state.version, now))
        return {"standing": after, "changes": changes(before, after), "reassessed": _lines(told), "kept": [_kept(item) for item in told.kept]}

    async def _question(self, record: Sequence[Recorded], without: Sequence[str], policy_version: str | None) -> Question:
        policy = None
        if policy_version is not None:
            policy = await self._policies.by_version(policy_version)
            if policy is None:
                raise Refusal("not_found", "No policy of this version was ever published.", field="policy_version")
        positions = [version_of(record, incident_id) for incident_id in without]
        after = 0 if policy is not None else min(positions, default=len(record))
        policies = await self._policies_of(record)
        return Question(without=frozenset(without), after=after, policies=policies, choices={}, policy=policy, even_harsher=policy is not None)

    async def _policies_of(self, record: Sequence[Recorded]) -> dict[str, Policy]:
        found = {}
        for version in policy_versions(record):
            policy = await self._policies.by_version(version)
            if policy is None:
                detail = f"the policy {version} cannot be read"
                raise Unavailable(detail)
            found[version] = policy
        return found

    async def explain(self, incident_id: str, player_id: str | None = None) -> dict[str, Any]:
        """Why the incident's sanctions are what they are, on the record of `player_id` where it sanctioned that account along.

        Raises a `Refusal` `not_found`.
        """
        account = player_id or await self._records.player_of(incident_id)
        events = await self._records.events(account)
        found = collect(account, events)
        history = found_on(found, incident_id)
        version = getattr(history.origin, "policy_version", None)
        policy = await self._policies.by_version(version) if version is not None else None
        return explanation(found, history, events, policy)

    def _endless_ids(self) -> Iterator[str]:
        while True:
            yield self._new_id()


def _lines(told: Counterfactual) -> list[dict[str, Any]]:
    return [
        {"incident_id": item.incident_id, "column_before": item.column_before, "column_after": item.column_after} for item in told.reassessed
    ]


def _kept(item: Any) -> dict[str, str]:
    return {"incident_id": item.incident_id, "why": item.why}
