"""What can be asked of the rules. The moment and the parsed, validated table come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.policy.tables import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPolicy:
    """A head admin makes this table the current one; `at` is now (UTC), `policy.note` says why."""

    policy: Policy
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPackaged:
    """The service starts and offers the table that it came with; `at` is now (UTC)."""

    policy: Policy
    by: str
    at: datetime


Command = PublishPolicy | PublishPackaged
