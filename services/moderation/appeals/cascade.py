"""A record on another past: without some incidents, every later one read again (I-34). Used by overturning, rollbacks and what-if questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from services.moderation.appeals.events import IncidentOverturned, IncidentReassessed, Kept
from services.moderation.appeals.reread import HARSHER, NEEDS_A_CHOICE, Reading, outcomes_of, read_again, sanctions_again, severity
from services.moderation.policy.tables import Policy
from services.moderation.record.entries import Incident
from services.moderation.record.events import (
    AltBanned,
    AssessedOffense,
    Discretion,
    EffectAcknowledged,
    Extension,
    IncidentDecided,
    IncidentImported,
    IpBanLifted,
    LinkedIpBanImposed,
    RecordEvent,
    Sanction,
    SanctionsAdjusted,
)
from services.moderation.record.impose import DAY
from services.moderation.record.state import INITIAL, RecordState, evolve
from services.moderation.views.timeline import Recorded, settled

CHANGED = "a Head Admin or an appeal changed it"
CHOSEN = "the reviewer chose to leave the permanent ban"
DECLINED = "the reviewer declined to have later incidents read again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reassessed:
    """A later incident that comes to something else on the other past."""

    incident_id: str
    policy_version: str
    column_before: int
    column_after: int
    strike_before: int | None
    strike_after: int | None
    offenses: tuple[AssessedOffense, ...]
    sanctions_before: tuple[Sanction, ...]
    sanctions_after: tuple[Sanction, ...]
    legal_review: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    """The record on the other past: its state, what was read again with another result, and what was kept although it would have changed."""

    state: RecordState
    reassessed: tuple[Reassessed, ...]
    kept: tuple[Kept, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which past: without the incidents `without`; those recorded after version `after` are read again, under their own policy version or `policy`.

    `choices` gives the discretion for cells that leave one at the new column; with `decline` nothing is applied, and what would change is kept.
    A harsher result is not applied, but for a question under another policy (`even_harsher`).
    """

    without: frozenset[str]
    after: int
    policies: Mapping[str, Policy]
    choices: Mapping[str, Discretion]
    policy: Policy | None = None
    decline: bool = False
    even_harsher: bool = False


class _Retelling:
    """Folds the record again, event by event."""

    def __init__(self, current: RecordState, latest: Mapping[str, IncidentReassessed], question: Question, ids: Iterator[str]) -> None:
        self.state = INITIAL
        self.reassessed: list[Reassessed] = []
        self.kept: list[Kept] = []
        self._current = current
        self._latest = latest
        self._question = question
        self._ids = ids

    def tell(self, recorded: Recorded) -> None:
        event = recorded.event
        if isinstance(event, IncidentOverturned | IncidentReassessed):
            return
        if isinstance(event, IncidentDecided | IncidentImported | AltBanned | LinkedIpBanImposed) and self._is_gone(event.incident_id):
            return
        if isinstance(event, SanctionsAdjusted | IpBanLifted | EffectAcknowledged) and event.incident_id not in self.state.incidents:
            return
        if isinstance(event, IncidentDecided):
            event = self._decided(event, again=recorded.version > self._question.after)
        self.state = evolve(self.state, event)

    def _is_gone(self, incident_id: str) -> bool:
        return incident_id in self._question.without or self._current.incidents[incident_id].overturned

    def _decided(self, event: IncidentDecided, *, again: bool) -> IncidentDecided:
        """The incident as it counts in this telling."""
        event = self._effective(event)
        if event.extension is not None:
            event = replace(event, extension=self._extension(event.extension))
        if not again:
            return event
        incident = self._current.incidents[event.incident_id]
        policy = self._question.policy or self._question.policies[event.policy_version]
        linked = incident.linked_ip_ban and any(held.sanction.kind == "ip_ban" for held in incident.sanctions)
        reading = read_again(event, self.state, policy, self._question.choices.get(event.incident_id), linked_ip_ban=linked)
        if incident.changed:
            if reading is None or _is_moved(event, reading):
                self.kept.append(Kept(incident_id=event.incident_id, why=CHANGED))
            return event
        why = self._why_kept(event, incident, reading)
        if why is not None:
            self.kept.append(Kept(incident_id=event.incident_id, why=why))
            return event
        if reading is None or not _differs(event, incident, reading):
            return event
        return self._apply(event, incident, reading, policy)

    def _effective(self, event: IncidentDecided) -> IncidentDecided:
        """The decision, or its latest reassessment in its place."""
        latest = self._latest.get(event.incident_id)
        if latest is None:
            return event
        return replace(
            event,
            column=latest.column_after,
            strike=latest.strike_after,
            offenses=latest.offenses,
            sanctions=_unextended(latest.sanctions_after),
            legal_review=latest.legal_review,
        )

    def _extension(self, extension: Extension) -> Extension | None:
        """The extension, on the ban as it is told here; None when that ban is not there."""
        incident = self.state.incidents.get(extension.incident_id)
        for held in incident.sanctions if incident is not None else ():
            end = held.sanction.ends_at
            if held.sanction.sanction_id == extension.sanction_id and end is not None:
                return replace(extension, ends_at_before=end, ends_at=end + extension.days * DAY)
        return None

    def _why_kept(self, event: IncidentDecided, incident: Incident, reading: Reading | None) -> str | None:
        if reading is None:
            return NEEDS_A_CHOICE
        if not _differs(event, incident, reading):
            return CHOSEN if self._is_chosen(event, incident, reading) else None
        old = severity(outcomes_of(tuple(held.sanction for held in incident.sanctions)), strike=incident.strike is not None)
        if severity(reading.outcomes, strike=reading.strike) > old and not self._question.even_harsher:
            return HARSHER
        return DECLINED if self._question.decline else None

    def _is_chosen(self, event: IncidentDecided, incident: Incident, reading: Reading) -> bool:
        """Whether a permanent ban stays at another column because the reviewer chose that, which is said (I-35)."""
        choice = self._question.choices.get(event.incident_id)
        permanent = any(held.sanction.kind == "permanent_ban" for held in incident.sanctions)
        return choice is not None and choice.permanent and permanent and reading.column != event.column

    def _apply(self, event: IncidentDecided, incident: Incident, reading: Reading, policy: Policy) -> IncidentDecided:
        sanctions = sanctions_again(incident, reading.outcomes, self._ids)
        strike = self.state.strikes + 1 if reading.strike else None
        self.reassessed.append(
            Reassessed(
                incident_id=event.incident_id,
                policy_version=policy.version,
                column_before=event.column,
                column_after=reading.column,
                strike_before=incident.strike,
                strike_after=strike,
                offenses=reading.lines,
                sanctions_before=tuple(held.sanction for held in incident.sanctions),
                sanctions_after=sanctions,
                legal_review=reading.legal_review,
            )
        )
        return replace(
            event,
            column=reading.column,
            strike=strike,
            offenses=reading.lines,
            sanctions=_unextended(sanctions),
            legal_review=reading.legal_review,
        )


def _unextended(sanctions: tuple[Sanction, ...]) -> tuple[Sanction, ...]:
    """The sanctions without the days that evasion adds later in the telling."""
    return tuple(
        replace(sanction, ends_at=sanction.starts_at + sanction.days * DAY) if sanction.days is not None else sanction for sanction in sanctions
    )


def _differs(event: IncidentDecided, incident: Incident, reading: Reading) -> bool:
    """Whether the new reading imposes something else than what stands, or takes the strike."""
    standing = outcomes_of(tuple(held.sanction for held in incident.sanctions))
    upgrades = [line.upgraded_from for line in event.offenses] != [line.upgraded_from for line in reading.lines]
    return standing != reading.outcomes or (incident.strike is None) is reading.strike or upgrades


def _is_moved(event: IncidentDecided, reading: Reading) -> bool:
    """Whether the decision itself would read otherwise on the other past, whatever was made of it since."""
    before, after = ([(line.infraction, line.sanctions) for line in lines] for lines in (event.offenses, reading.lines))
    return reading.column != event.column or before != after


def retell(events: Iterable[Recorded], current: RecordState, question: Question, ids: Iterator[str]) -> Counterfactual:
    """The record on the other past, told without what a rollback undid. Raises a `Refusal` when a given choice is out of range."""
    told = settled(list(events))
    latest = {item.event.incident_id: item.event for item in told if isinstance(item.event, IncidentReassessed)}
    telling = _Retelling(current, latest, question, ids)
    for recorded in told:
        telling.tell(recorded)
    return Counterfactual(state=telling.state, reassessed=tuple(telling.reassessed), kept=tuple(telling.kept))


def policy_versions(events: Iterable[Recorded]) -> frozenset[str]:
    """The policy versions that reading the incidents again may need."""
    return frozenset(item.event.policy_version for item in events if isinstance(item.event, IncidentDecided))


def version_of(events: Iterable[Recorded], incident_id: str) -> int:
    """The version at which the incident entered the record; 0 when it never did."""
    return next((item.version for item in events if _enters(item.event, incident_id)), 0)


def _enters(event: RecordEvent, incident_id: str) -> bool:
    return isinstance(event, IncidentDecided | IncidentImported) and event.incident_id == incident_id
