"""What can be asked of a tournament. The moment, ids, the guide and who acts come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.policy.penalties import CellChange, PenaltyGuide
from services.moderation.tournaments.events import PenaltyWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Official:
    """Who acts: a member of staff, their level on the site, and their own player account."""

    staff_id: str
    role: str
    player_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTournament:
    """Open the tournament, or say anew what it is."""

    tournament_id: str
    rel: str
    games_per_match: int
    decklists: bool
    scoring_version: str
    head_judge_id: str
    judge_ids: tuple[str, ...]
    tardiness_grace_seconds: int
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTable:
    """The organiser's own cells, whole; none: the guide as it is."""

    cells: tuple[CellChange, ...]
    guide: PenaltyGuide
    by: Official
    at: datetime
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPerson:
    """Enter a player or a spectator."""

    person_id: str
    kind: str
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DropPerson:
    """A player leaves."""

    person_id: str
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLatecomer:
    """A player who was too late is here after all (I-82)."""

    person_id: str
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginRound:
    """Pair a round."""

    number: int
    stage: str
    games_per_match: int | None
    pairings: tuple[tuple[str, ...], ...]
    starts_at: datetime
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Where the match stood when the offense came to light (I-73, I-74)."""

    new_game_began: bool = False
    between_rounds: bool = False
    before_match: bool = False
    can_continue: bool = True
    opponent_match_loss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedDeviation:
    """What the head judge gives instead; `because` may be one of the reasons that D refuses (I-77)."""

    penalty: str
    because: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivePenalty:
    """Penalise an offense. `ids` are new ids, enough for this penalty, its companions and all their duties; `words` are kept and decide nothing."""

    penalty_id: str
    person_id: str
    infraction: str
    round: int
    game: int
    guide: PenaltyGuide
    by: Official
    at: datetime
    ids: tuple[str, ...]
    situation: Situation = Situation()
    cause: str | None = None
    similar_to: str | None = None
    upgrade: bool = False
    self_reported: bool = False
    deviation: WantedDeviation | None = None
    opponents_noticed: bool = False
    exceptional: bool = False
    unnoticeable: bool = False
    clerical: bool = False
    told_at_once: bool = False
    obvious_card: bool = False
    took_long: bool = False
    ten_minutes: bool = False
    ruling_seconds: int | None = None
    intentional: bool = False
    no_proof: bool = False
    companion_of: str | None = None
    words: PenaltyWords | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DischargeDuty:
    """A report was made."""

    duty_id: str
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PutStandings:
    """The order, and how many advance when a cut is made."""

    order: tuple[str, ...]
    cut: int | None
    by: Official
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferPenalty:
    """Refer a penalty to the site's admins."""

    penalty_id: str
    referral_id: str
    by: Official
    at: datetime


TournamentCommand = (
    SetTournament | SetTable | EnterPerson | DropPerson | ReportLatecomer | BeginRound | GivePenalty | DischargeDuty | PutStandings | ReferPenalty
)
