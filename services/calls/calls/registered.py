"""The stored names of a call's events. A name or version once released is never changed: a new form gets a new version and an upcaster."""

from __future__ import annotations

from services.calls.calls import events
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name; what people wrote is personal."""
    registry.register("calls.call_opened", 1, events.CallOpened, personal=("words",))
    registry.register("calls.problem_added", 1, events.ProblemAdded, personal=("words",))
    registry.register("calls.problems_withdrawn", 1, events.ProblemsWithdrawn)
    registry.register("calls.call_cancelled", 1, events.CallCancelled)
    registry.register("calls.call_taken", 1, events.CallTaken)
    registry.register("calls.lease_renewed", 1, events.LeaseRenewed)
    registry.register("calls.call_released", 1, events.CallReleased)
    registry.register("calls.presence_noted", 1, events.PresenceNoted)
    registry.register("calls.idle_noted", 1, events.IdleNoted)
    registry.register("calls.player_prompted", 1, events.PlayerPrompted)
    registry.register("calls.player_replied", 1, events.PlayerReplied)
    registry.register("calls.category_corrected", 1, events.CategoryCorrected)
    registry.register("calls.decision_made", 1, events.DecisionMade, personal=("words",))
    registry.register("calls.decision_appealed", 1, events.DecisionAppealed)
    registry.register("calls.call_appeal_decided", 1, events.CallAppealDecided, personal=("words",))
    registry.register("calls.play_resumed", 1, events.PlayResumed)
    registry.register("calls.call_resolved", 1, events.CallResolved, personal=("words",))
