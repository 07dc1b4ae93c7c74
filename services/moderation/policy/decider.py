"""The rules on publishing rules."""

from __future__ import annotations

from typing import assert_never

from services.moderation.policy.commands import Command, PublishPackaged, PublishPolicy
from services.moderation.policy.events import PolicyPublished
from services.moderation.policy.state import PolicyState
from shared.refusal import Refusal


def decide(command: Command, state: PolicyState) -> list[PolicyPublished]:
    """The events that the command causes; none when this table is the current one already."""
    match command:
        case PublishPolicy():
            return _publish(command, state)
        case PublishPackaged():
            return _publish_packaged(command, state)
        case _:
            assert_never(command)


def _publish(command: PublishPolicy, state: PolicyState) -> list[PolicyPublished]:
    """Any table may follow any other, an older one too. Raises `Refusal` `invalid_request` without a note: a change of the rules says why."""
    if _is_current(command, state):
        return []
    if command.policy.note is None or not command.policy.note.strip():
        raise Refusal("invalid_request", "A policy is published with a note that says what changed and why.", field="note")
    return [_published(command, packaged=False)]


def _publish_packaged(command: PublishPackaged, state: PolicyState) -> list[PolicyPublished]:
    """The package's table holds until a head admin has published one; from then on only head admins change it."""
    if _is_current(command, state) or (state.current is not None and not state.current.packaged):
        return []
    return [_published(command, packaged=True)]


def _is_current(command: Command, state: PolicyState) -> bool:
    return state.current is not None and state.current.policy.version == command.policy.version


def _published(command: Command, *, packaged: bool) -> PolicyPublished:
    return PolicyPublished(
        version=command.policy.version,
        note=command.policy.note,
        published_at=command.at,
        published_by=command.by,
        packaged=packaged,
        settings=command.policy.settings,
        infractions=tuple(command.policy.rows.values()),
    )
