"""Opening and closing referrals (contract, Tournaments)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.moderation.referrals.commands import CloseReferral, OpenReferral, ReferralCommand
from services.moderation.referrals.events import ReferralClosed, ReferralEvent, ReferralOpened, ReferralWords
from services.moderation.referrals.state import INITIAL, ReferralState
from services.moderation.referrals.state import evolve as evolve_referral
from shared.refusal import Refusal


class ReferralDecider:
    """The decider of a referral."""

    def initial(self) -> ReferralState:
        """No referral."""
        return INITIAL

    def decide(self, command: ReferralCommand, state: ReferralState) -> Sequence[ReferralEvent]:
        """The events that the command causes. Raises a `Refusal`."""
        match command:
            case OpenReferral():
                return open_referral(command, state)
            case CloseReferral():
                return close_referral(command, state)
            case _:
                assert_never(command)

    def evolve(self, state: ReferralState, event: ReferralEvent) -> ReferralState:
        """The referral after the event."""
        return evolve_referral(state, event)


def open_referral(command: OpenReferral, state: ReferralState) -> Sequence[ReferralEvent]:
    """Open it; none when it is open already."""
    if state.opened is not None:
        return []
    return [
        ReferralOpened(
            referral_id=command.referral_id,
            tournament_id=command.tournament_id,
            penalty_id=command.penalty_id,
            person_id=command.person_id,
            infraction=command.infraction,
            penalty=command.penalty,
            by=command.by,
            at=command.at,
        )
    ]


def close_referral(command: CloseReferral, state: ReferralState) -> Sequence[ReferralEvent]:
    """Close it. Raises a `Refusal`.

    `not_found`, `already_decided`, `conflict_of_interest` for the person's own account, `invalid_request` for an incident of somebody else.
    """
    opened = state.opened
    if opened is None:
        raise Refusal("not_found", "There is no such referral.", field="referral_id")
    if command.own_player == opened.person_id:
        raise Refusal("conflict_of_interest", "This is about your own player account; another admin closes it.")
    if state.closed is not None:
        raise Refusal("already_decided", "The referral is closed.", current={"incident_id": state.closed.incident_id})
    if command.incident_id is not None and command.incident_player != opened.person_id:
        raise Refusal("invalid_request", "There is no such incident of this person.", field="incident_id")
    return [
        ReferralClosed(
            by=command.by,
            role=command.role,
            at=state.moment(command.at),
            incident_id=command.incident_id,
            words=ReferralWords(reason=command.reason),
        )
    ]
