"""The rule table as data: what an infraction is, what its cells impose, and what may be done about repeats.

Nothing here decides anything; the engine reads these tables. Words are those of the source ("S", its sections 1 to 4: `S1` .. `S4`); how they are
read is numbered `I-n` in docs/interpretations.md, and every part of a table names the number it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

DAY_SECONDS = 24 * 3600  # I-5: a day is 24 hours
NO_CELL = "-"  # the source's word for an undefined cell

KINDS = frozenset({"in_duel_warning", "game_loss", "match_loss", "warning", "ban", "permanent_ban", "ip_ban", "stats_reset", "cosmetic_removal"})
"""Every kind of sanction that exists; only `ban` has days."""

UNLISTED = "unlisted"
"""The id under which a head admin charges what fits no row (I-21); no row may take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SanctionTemplate:
    """One thing that a cell imposes. `days` is the length of a `ban` in days of 24 hours, and None for every other kind."""

    kind: str
    days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the decider chooses when charging (I-6): days within a range (both ends included), or `permanent`, or one of the outcomes (kinds).

    `ip_ban` may be added freely, to a cell that bans permanently. With `required` an incident without days, permanence or outcome is refused.
    """

    days: tuple[int, int] | None = None
    permanent: bool = False
    outcomes: tuple[str, ...] = ()
    ip_ban: bool = False
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: the source's words, what they always impose, and what they leave to the decider."""

    text: str
    sanctions: tuple[SanctionTemplate, ...] = ()
    choice: Choice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgrade:
    """What a repeated offense of the row becomes: by itself (`automatic`, I-7), or when the decider asks for it (I-8).

    `condition` ties it to an earlier offense of the same row: in the same duel room, at most `within_seconds` before (the edge included), or at any
    time. `ignored_warning` is a second way: the decider states that the earlier warning was ignored. `to` is the row that it becomes; None keeps the
    row, with `sanctions` instead of the cell's.
    """

    automatic: bool
    condition: Literal["same_duel", "within", "any_time"]
    within_seconds: int | None = None
    to: str | None = None
    sanctions: tuple[SanctionTemplate, ...] = ()
    ignored_warning: bool = False
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A named form of the offense (I-11). Its own cell holds at every column; None is the row's ordinary ladder."""

    id: str
    cell: Cell | None = None
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One infraction.

    `columns` are the source's four columns in its words, `cells` the defined ones; past the last, the last applies (I-3). `strike`: an incident with
    it adds a strike (I-1). `legal_review`: the source's asterisk (I-17). `derives`: the row it is charged as besides (I-10). `accounts`: sanctions
    fall on the alts and the main account by the rule on multiple accounts (I-13), not by the cell.
    """

    id: str
    name: str
    section: int
    description: str
    strike: bool
    cells: tuple[Cell, ...]
    columns: tuple[str, str, str, str]
    legal_review: bool = False
    upgrade: Upgrade | None = None
    variants: tuple[Variant, ...] = ()
    derives: str | None = None
    accounts: bool = False
    basis: str
    interpretations: tuple[str, ...] = ()

    def variant(self, name: str) -> Variant | None:
        """The variant of this id, None when the row knows none such."""
        return next((variant for variant in self.variants if variant.id == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The numbers of the rules that belong to no row.

    `permanent_from_strike`: the strike from which a timed ban past the ladder is permanent (I-3). `evasion_days_per_alt`, `ip_ban_accounts`: I-13.
    `network_window_seconds`: how far back an IP ban looks for networks (I-14). `proxy_ban`: I-15. `max_ban_days`: the longest timed ban that a
    command may name. `call_lease_seconds`: how long a taken call is held without a sign of life.
    """

    permanent_from_strike: int = 4
    evasion_days_per_alt: int = 2
    ip_ban_accounts: int = 5
    network_window_seconds: int = 90 * DAY_SECONDS
    proxy_ban: Literal["off", "automatic"] = "off"
    max_ban_days: int = 3650
    call_lease_seconds: int = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A whole table. `version` is a digest of settings and rows (`versioning.content_version`); `rows` keep the table's order."""

    version: str
    note: str | None
    settings: Settings
    rows: Mapping[str, Row]
