"""What the rules need to know of an appeal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from services.moderation.appeals.events import AppealDecided, AppealOpened, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal:
    """An appeal: `open`, `decided` (with its outcome, by whom) or `withdrawn`."""

    appeal_id: str
    target: Target
    incident_id: str | None
    opened_at: datetime
    state: str = "open"
    outcome: str | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None


def opened(event: AppealOpened) -> Appeal:
    """A new appeal."""
    return Appeal(appeal_id=event.appeal_id, target=event.target, incident_id=event.incident_id, opened_at=event.at)


def withdrawn(appeal: Appeal) -> Appeal:
    """Taken back."""
    return replace(appeal, state="withdrawn")


def decided(appeal: Appeal, event: AppealDecided) -> Appeal:
    """Decided for good."""
    return replace(appeal, state="decided", outcome=event.outcome, decided_by=event.by, decided_at=event.at)
