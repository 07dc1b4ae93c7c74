"""Examples for the API description: one small event, from its setting-up to its report."""

from __future__ import annotations

from typing import Any, Final

PENALTY_ID: Final = "019ad000-0000-7000-8000-000000000062"
DUTY_ID: Final = "019ad000-0000-7000-8000-000000000063"
_AT: Final = "2026-11-30T10:00:00Z"
Example = dict[str, Any]

TOURNAMENT_BODY: Final[Example] = {
    "rel": "competitive", "games_per_match": 3, "decklists": True, "scoring_version": "3.0", "head_judge_id": "senior-1", "judge_ids": ["admin-1"],
    "tardiness_grace_seconds": 0,
}  # fmt: skip
ROUND_BODY: Final[Example] = {"number": 1, "stage": "swiss", "pairings": [["p-yugi", "p-kaiba"]], "starts_at": _AT}
ROUND: Final[Example] = {**ROUND_BODY, "games_per_match": 3}
TOURNAMENT: Final[Example] = {"tournament_id": "spring-open", **TOURNAMENT_BODY, "rounds": [ROUND], "playing": 2, "people": 2, "version": 4}
TOURNAMENT_REPLY: Final[Example] = {**TOURNAMENT, "position": 20}
TABLE_BODY: Final[Example] = {"cells": [{"infraction": "unsporting-minor", "rel": "regular", "penalty": "warning"}], "note": "Our house rules."}
RULE: Final[Example] = {
    "id": "20-time-extension", "section": 20, "text": "A time extension should be issued if the ruling has taken more than a minute.",
    "basis": "stated",
}  # fmt: skip
TABLE: Final[Example] = {
    "guide_version": "a93733585c17778c",
    "note": None,
    "infractions": [
        {
            "id": "unsporting-minor", "name": "Unsporting Conduct - Minor", "section": 141, "category": "Unsporting Conduct",
            "cells": {
                "regular": {"penalty": "warning", "basis": "organiser"}, "competitive": {"penalty": "warning", "basis": "assumed"},
                "professional": {"penalty": "warning", "basis": "assumed"},
            },
            "because": "D 20: a quick word corrects the behaviour at Regular events.", "repeats": "always",
        },
    ],
    "rules": [RULE],
}  # fmt: skip
PERSON_BODY: Final[Example] = {"person_id": "p-yugi", "kind": "player"}
DUTY: Final[Example] = {
    "duty_id": DUTY_ID, "kind": "report_to_penalty_database", "to": "penalty_database", "penalty_id": PENALTY_ID, "person_id": "p-yugi", "since": _AT,
    "discharged_by": None,
}  # fmt: skip
PENALTY_BODY: Final[Example] = {
    "person_id": "p-yugi", "infraction": "unsporting-minor", "round": 1, "game": 1, "ruling_seconds": 90, "description": "Slammed the table.",
}  # fmt: skip
PENALTY: Final[Example] = {
    "penalty_id": PENALTY_ID, "person_id": "p-yugi", "infraction": "unsporting-minor", "reported_as": "unsporting-minor", "rel": "competitive",
    "round": 1, "game": 1, "standard": {"penalty": "warning", "basis": "assumed", "section": 141}, "penalty": "warning", "no_proof": False,
    "self_reported": False, "steps": [], "applies_to": {"round": 1, "game": 1}, "moved_by": None, "absorbed": False, "remedy": None,
    "deviation": None, "companion_of": None, "companions": [], "similar_to": None,
    "effects": [{"kind": "time_extension", "person_id": "p-yugi", "rule": "20-time-extension", "round": 1, "seconds": 90}],
    "duties": [DUTY], "referral_id": None, "given_by": "admin-1", "given_at": _AT,
    "description": None, "deviation_reason": None, "exceptional_reason": None, "root_cause": None,
}  # fmt: skip
PENALTY_REPLY: Final[Example] = {**PENALTY, "version": 5, "position": 25}
PENALTY_SHOWN: Final[Example] = {**PENALTY, "description": "Slammed the table."}
PERSON: Final[Example] = {
    "person_id": "p-yugi", "kind": "player", "playing": True, "dropped_in": None, "left_because": None, "disqualified": None,
    "drops_unless_reported": False, "penalties": [PENALTY_SHOWN], "version": 5,
}  # fmt: skip
PERSON_REPLY: Final[Example] = {**{name: value for name, value in PERSON.items() if name != "penalties"}, "version": 2, "position": 21}
REFERRED: Final[Example] = {
    "referral_id": "019ad000-0000-7000-8000-000000000061", "tournament_id": "spring-open", "penalty_id": PENALTY_ID, "person_id": "p-yugi",
    "version": 6, "position": 26,
}  # fmt: skip
DUTY_REPLY: Final[Example] = {**DUTY, "discharged_by": "admin-1", "version": 7, "position": 28}
STANDINGS_BODY: Final[Example] = {"order": ["p-yugi", "p-kaiba"], "cut": 1}
STANDINGS: Final[Example] = {
    "order": ["p-yugi", "p-kaiba"],
    "places": [
        {"place": 1, "person_id": "p-yugi", "advances": True, "disqualified": False},
        {"place": 2, "person_id": "p-kaiba", "advances": False, "disqualified": False},
    ],
    "cut": 1, "advancing": ["p-yugi"], "removed": [], "version": 8,
}  # fmt: skip
STANDINGS_REPLY: Final[Example] = {**STANDINGS, "position": 29}
TRIGGER_BODY: Final[Example] = {
    "optional": True, "choices": False, "visible_effect": True, "default_action": False, "within_turn_cycle": True,
}  # fmt: skip
TRIGGER: Final[Example] = {
    "remedy": "no_penalty", "rule": "123-optional",
    "text": 'If the trigger instruction is optional ("may") and specifies no consequence for not doing it, assume that the player has chosen '
    "not to perform the instruction and issue no penalty.",
}  # fmt: skip
TARDINESS_BODY: Final[Example] = {
    "person_id": "p-yugi", "round": 1, "began_at": _AT, "seated_at": "2026-11-30T10:04:00Z", "reported": False,
}  # fmt: skip
TARDINESS: Final[Example] = {
    "penalties": ["game_loss"], "dropped": False, "time_extension_seconds": 0,
    "rules": [
        {
            "id": "131-late", "section": 131, "text": "Otherwise, the appropriate penalty should be issued as soon as the round begins.",
            "basis": "stated",
        },
    ],
}  # fmt: skip
SHEET: Final[Example] = {
    "tournament_id": "spring-open", "round": 1, "stage": "swiss", "games_per_match": 3, "starts_at": _AT,
    "matches": [
        {
            "table": 1, "players": ["p-yugi", "p-kaiba"], "games_lost": [], "match_lost_by": [], "winner": None, "time_extension_seconds": 90,
        },
    ],
    "game_losses": [], "match_losses": [], "match_points": [], "play_or_draw": [], "sideboard_bans": [],
    "time_extensions": [{"person_id": "p-yugi", "seconds": 90, "penalty": "warning", "penalty_id": PENALTY_ID}],
    "drops": [], "drop_unless_reported": [], "carried_over": [], "not_paired": [], "version": 5,
}  # fmt: skip
REPORT: Final[Example] = {
    "tournament": TOURNAMENT,
    "counts": {
        "caution": 0, "warning": 1, "match_point": 0, "game_loss": 0, "match_loss": 0, "disqualification": 0, "disqualification_without_prize": 0,
    },
    "penalties": [PENALTY_SHOWN], "deviations": [], "disqualifications": [], "instructions": [], "absorbed": [], "duties": [DUTY],
    "table_changes": [], "version": 5,
}  # fmt: skip
