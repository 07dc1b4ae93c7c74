"""Who may do what at a tournament (I-77). A judge is a member of staff whom the organiser named; the site's levels give nobody a judge's powers."""

from __future__ import annotations

from services.moderation.policy.penalties import WARNING, Infraction, PenaltyGuide, severity
from services.moderation.tournaments.commands import GivePenalty, Official
from services.moderation.tournaments.state import TournamentState
from shared.refusal import Refusal

_HEAD_ADMIN = "head_admin"


def check_exists(state: TournamentState) -> None:
    """Raises a `Refusal` `not_found`."""
    if not state.exists:
        raise Refusal("not_found", "There is no such tournament.", field="tournament_id")


def check_head_admin(by: Official) -> None:
    """Only the organiser's Head Admin. Raises a `Refusal` `head_admin_required`."""
    if by.role != _HEAD_ADMIN:
        raise Refusal("head_admin_required", "Only a Head Admin sets up a tournament.")


def check_organiser(by: Official, state: TournamentState) -> None:
    """Rounds, people and standings are a Head Admin's and the head judge's. Raises a `Refusal` `head_judge_required`."""
    if by.role != _HEAD_ADMIN and by.staff_id != state.head_judge_id:
        raise Refusal("head_judge_required", "Only the head judge or a Head Admin may do this.")


def check_judge(by: Official, state: TournamentState) -> None:
    """Raises a `Refusal` `not_a_judge`."""
    if by.staff_id != state.head_judge_id and by.staff_id not in state.judge_ids:
        raise Refusal("not_a_judge", "Only a judge of this tournament may do this.")


def check_head_judge(by: Official, state: TournamentState, what: str) -> None:
    """Raises a `Refusal` `head_judge_required`, or `not_a_judge` for who is none at all."""
    check_judge(by, state)
    if by.staff_id != state.head_judge_id:
        raise Refusal("head_judge_required", f"Only the head judge {what}.")


def check_powers(command: GivePenalty, state: TournamentState) -> None:
    """The choices that D leaves to the head judge alone. Raises a `Refusal` `head_judge_required`."""
    asked = {
        "departs from the guide (D 1)": command.deviation is not None,
        "downgrades an offense that was reported at once (D 1)": command.self_reported,
        "upgrades at a Regular event (D 40)": command.upgrade,
        "upgrades tardiness (D 131)": command.exceptional,
        "finds an error clerical (D 112)": command.clerical,
        "finds a card's name obvious (D 111)": command.obvious_card,
        "disqualifies without proof (D 20)": command.no_proof,
    }
    for what, wanted in asked.items():
        if wanted:
            check_head_judge(command.by, state, what)


def check_authority(command: GivePenalty, state: TournamentState, guide: PenaltyGuide, row: Infraction, penalty: str | None) -> None:
    """More than a Warning is the head judge's, but for tardiness and deck errors (D 30). Raises a `Refusal` `head_judge_required`."""
    if severity(penalty) > severity(WARNING) and not (row.judges or guide.category(row).judges):
        check_head_judge(command.by, state, "gives this penalty")


def check_apart(by: Official, people: tuple[str, ...]) -> None:
    """Nobody decides about themselves or their own match. Raises a `Refusal` `conflict_of_interest`."""
    if by.player_id is not None and by.player_id in people:
        raise Refusal("conflict_of_interest", "This touches your own match; another judge decides.")
