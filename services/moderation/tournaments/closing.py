"""After the ruling: reports made, penalties referred to the site, and the standings (I-78, I-79, I-88)."""

from __future__ import annotations

from collections.abc import Sequence

from services.moderation.policy.penalties import WITHOUT_PRIZE
from services.moderation.tournaments.commands import DischargeDuty, PutStandings, ReferPenalty
from services.moderation.tournaments.events import DutyDischarged, PenaltyReferred, StandingsPut, TournamentEvent
from services.moderation.tournaments.officials import check_apart, check_exists, check_head_judge, check_judge, check_organiser
from services.moderation.tournaments.setup import overdue
from services.moderation.tournaments.state import PLAYER, TournamentState
from shared.refusal import Refusal


def discharge_duty(command: DischargeDuty, state: TournamentState) -> Sequence[TournamentEvent]:
    """The report was made; once is enough. The investigations manager hears from the head judge (D 20).

    Raises a `Refusal`: `not_found`, `not_a_judge`, `head_judge_required`, `conflict_of_interest` for what is about one's own account.
    """
    check_exists(state)
    if command.by.role != "head_admin":
        check_judge(command.by, state)
    duty = state.duties.get(command.duty_id)
    if duty is None:
        raise Refusal("not_found", "There is no such duty.", field="duty_id")
    check_apart(command.by, (duty.person_id,))
    if duty.to == "investigations" and command.by.role != "head_admin":
        check_head_judge(command.by, state, "reports to the investigations manager")
    if duty.discharged_by is not None:
        return []
    return [DutyDischarged(duty_id=duty.duty_id, by=command.by.staff_id, at=state.moment(command.at))]


def refer_penalty(command: ReferPenalty, state: TournamentState) -> Sequence[TournamentEvent]:
    """Refer the penalty to the site's admins, once; it never adds a strike by itself. Raises a `Refusal`: `not_found`, `head_judge_required`."""
    check_exists(state)
    check_head_judge(command.by, state, "refers a penalty to the site")
    penalty = state.penalties.get(command.penalty_id)
    if penalty is None:
        raise Refusal("not_found", "There is no such penalty.", field="penalty_id")
    if penalty.referral_id is not None:
        return []
    at = state.moment(command.at)
    return [PenaltyReferred(penalty_id=penalty.penalty_id, referral_id=command.referral_id, by=command.by.staff_id, at=at)]


def put_standings(command: PutStandings, state: TournamentState) -> Sequence[TournamentEvent]:
    """The scorekeeper's order. When a cut is made, those who advance are the first of the order who are still in; later nobody joins them (I-79).

    Who was to report by the end of the round and did not (I-82) is not in any more: the cut ends it.

    Raises a `Refusal` `invalid_request` for somebody who does not play, or stands twice; `head_judge_required`.
    """
    check_exists(state)
    check_organiser(command.by, state)
    seen: set[str] = set()
    for place, person_id in enumerate(command.order):
        person = state.people.get(person_id)
        if person is None or person.kind != PLAYER or person_id in seen:
            raise Refusal("invalid_request", "The order names each player of the tournament once.", field=f"order[{place}]")
        seen.add(person_id)
    if command.cut is not None and command.cut > len(command.order):
        raise Refusal("invalid_request", "More advance than there are.", field="cut")
    if (command.order, command.cut) == (state.order, state.cut):
        return []
    advancing: tuple[str, ...] = ()
    if command.cut is not None:
        late = overdue(state)
        still_in = tuple(name for name in command.order if state.people[name].playing and name not in late)
        advancing = state.advancing if state.cut == command.cut else still_in[: command.cut]
    return [StandingsPut(order=command.order, cut=command.cut, advancing=advancing, by=command.by.staff_id, at=state.moment(command.at))]


def placed(state: TournamentState) -> tuple[str, ...]:
    """The order without who is disqualified without prize: everybody below moves up one place (I-79)."""
    return tuple(name for name in state.order if state.people[name].disqualified != WITHOUT_PRIZE)


def still_advancing(state: TournamentState) -> tuple[str, ...]:
    """Who advances and is not disqualified since: nobody advances in their place."""
    return tuple(name for name in state.advancing if state.people[name].disqualified is None)
