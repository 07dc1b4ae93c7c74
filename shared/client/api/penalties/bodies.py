"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct


class DeviationBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The head judge's own penalty, with the reason that the report gives (I-77)."""

    penalty: Literal["caution", "disqualification", "disqualification_without_prize", "game_loss", "match_loss", "match_point", "warning"]
    reason: str
    because: Literal[
        "age", "education", "exceptional_circumstances", "experience", "judge_level", "no_applicable_philosophy", "rel", "round"
    ] | None = None


class PenaltyBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An offense; the guide says what it costs.

    `ten_minutes`: the player was still not there ten minutes into the round (D 131). `ruling_seconds`: how long the ruling took, and for Tardiness in
    a single game how late the player was (I-85).
    """

    person_id: str
    infraction: str
    round: int
    game: int
    description: str | None = None
    root_cause: str | None = None
    similar_to: str | None = None
    upgrade: bool = False
    self_reported: bool = False
    deviation: DeviationBody | None = None
    opponents_noticed: bool = False
    exceptional_reason: str | None = None
    unnoticeable: bool = False
    clerical: bool = False
    told_at_once: bool = False
    obvious_card: bool = False
    took_long: bool = False
    ten_minutes: bool = False
    ruling_seconds: int | None = None
    intentional: bool = False
    no_proof: bool = False
    situation: SituationBody | None = None


class SituationBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the match stood when the offense came to light (I-73, I-74)."""

    new_game_began: bool = False
    between_rounds: bool = False
    before_match: bool = False
    can_continue: bool = True
    opponent_match_loss: bool = False


class TardinessBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When the round began, when the player sat down (null: not yet), and whether they reported before its end."""

    person_id: str
    round: int
    began_at: datetime
    seated_at: datetime | None = None
    reported: bool = False


class TriggerBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answers that D 123 asks for."""

    optional: bool
    choices: bool
    visible_effect: bool
    default_action: bool
    within_turn_cycle: bool
