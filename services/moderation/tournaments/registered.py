"""The stored names of a tournament's events. A name or version once released is never changed: a new form gets a new version and an upcaster."""

from __future__ import annotations

from services.moderation.tournaments import events
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name; what a judge wrote about a person is personal."""
    registry.register("moderation.tournament_set", 1, events.TournamentSet)
    registry.register("moderation.tournament_table_set", 1, events.TableSet)
    registry.register("moderation.tournament_person_entered", 1, events.PersonEntered)
    registry.register("moderation.tournament_person_dropped", 1, events.PersonDropped)
    registry.register("moderation.tournament_latecomer_reported", 1, events.LatecomerReported)
    registry.register("moderation.tournament_round_began", 1, events.RoundBegan)
    registry.register("moderation.tournament_penalty_given", 1, events.PenaltyGiven, personal=("words",))
    registry.register("moderation.tournament_penalty_absorbed", 1, events.PenaltyAbsorbed)
    registry.register("moderation.tournament_penalty_moved", 1, events.PenaltyMoved)
    registry.register("moderation.tournament_duty_discharged", 1, events.DutyDischarged)
    registry.register("moderation.tournament_standings_put", 1, events.StandingsPut)
    registry.register("moderation.tournament_penalty_referred", 1, events.PenaltyReferred)
