"""The penalty guide as data ("D", its sections 1 to 211): what an offense at a tournament costs, and the rules that move a penalty up, down or on.

Nothing here decides about a person. Each cell says on what it rests: `stated` in D, `inferred` from D's words, `assumed` by this service (I-70), or
`organiser` for a cell that a tournament's own table replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from shared.refusal import Refusal

CAUTION, WARNING, MATCH_POINT, GAME_LOSS, MATCH_LOSS = "caution", "warning", "match_point", "game_loss", "match_loss"
DISQUALIFICATION, WITHOUT_PRIZE = "disqualification", "disqualification_without_prize"
PENALTIES: Final = (CAUTION, WARNING, MATCH_POINT, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION, WITHOUT_PRIZE)
"""Every penalty, the lightest first."""
LADDER: Final = (CAUTION, WARNING, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION)
"""The order in which repeats go up (D 40)."""
RELS: Final = ("regular", "competitive", "professional")
REGULAR: Final = "regular"
ORGANISER: Final = "organiser"
ASSUMED: Final = "assumed"


def severity(penalty: str | None) -> int:
    """How grave a penalty is; no penalty is the least."""
    return -1 if penalty is None else PENALTIES.index(penalty)


def step_up(penalty: str) -> str:
    """The next graver penalty (D 40). After a Match Point comes a Match Loss; the last step is a disqualification with prize."""
    if penalty == MATCH_POINT:
        return MATCH_LOSS
    if penalty == WITHOUT_PRIZE:
        return WITHOUT_PRIZE
    return LADDER[min(LADDER.index(penalty) + 1, len(LADDER) - 1)]


def step_down(penalty: str) -> str:
    """The next lighter penalty; a Caution stays one."""
    if penalty == WITHOUT_PRIZE:
        return DISQUALIFICATION
    if penalty == MATCH_POINT:
        return WARNING
    return LADDER[max(LADDER.index(penalty) - 1, 0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A sentence of D that decides something; `text` are D's words, `basis` whether they say it (`stated`) or it follows from them (`inferred`)."""

    id: str
    section: int
    text: str
    basis: str = "stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A chapter of D, and what holds for all of it.

    `error`: unintentional by definition (I-86); `players`: only a player can commit it; `judges`: Game Losses and more are not kept to the head judge
    (I-77); `unsporting`: disqualifications are reported at any level (I-78); `unnoticeable`: goes up for it (I-83); `self_report`: may go down.
    """

    name: str
    error: bool = False
    players: bool = False
    judges: bool = False
    unsporting: bool = False
    unnoticeable: bool = False
    self_report: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCell:
    """What a first offense costs at one rules enforcement level, and what that rests on."""

    penalty: str
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Infraction:
    """One infraction of D.

    `repeats` says how a further offense goes up (I-72): `always`, `similar` (when it is like a named one), `exceptional` (for a reason of the head
    judge), or `instruct` (I-80, then `becomes` is charged). `lists` is `needed` or `absent` for an infraction of tournaments with or without
    decklists. `remedy` is what is done about the deck (I-84). `opponents_get` is charged on opponents who noticed nothing (I-76).
    """

    id: str
    name: str
    section: int
    category: str
    cells: Mapping[str, PenaltyCell]
    because: str
    repeats: str = "always"
    judges: bool = False
    lists: str | None = None
    remedy: str | None = None
    match_point: bool = True
    opponents_get: str | None = None
    becomes: str | None = None
    obvious_card: bool = False
    lost_sideboard: bool = False
    before_play: bool = False
    shuffle: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSettings:
    """The numbers of the guide. Seconds are seconds of play, a version is one of the scoring software."""

    match_point_version: str = "3.0"
    extension_after_seconds: int = 60
    late_again_seconds: int = 600
    grace_seconds: int = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class CellChange:
    """An organiser's cell (I-70)."""

    infraction: str
    rel: str
    penalty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGuide:
    """The whole guide under the digest of its content, in D's order."""

    version: str
    settings: GuideSettings
    categories: Mapping[str, Category]
    infractions: Mapping[str, Infraction]
    rules: Mapping[str, Rule]

    def infraction(self, name: str) -> Infraction:
        """The infraction. Raises a `Refusal` `unknown_infraction`."""
        found = self.infractions.get(name)
        if found is None:
            raise Refusal("unknown_infraction", "The penalty guide has no such infraction.", allowed=list(self.infractions), field="infraction")
        return found

    def category(self, row: Infraction) -> Category:
        """The infraction's chapter."""
        return self.categories[row.category]

    def for_intent(self) -> list[str]:
        """What an intentional offense is charged as: the Cheating and Unsporting Conduct infractions (I-86)."""
        return [row.id for row in self.infractions.values() if not self.category(row).error and row.becomes is None]

    def with_changes(self, changes: Iterable[CellChange]) -> PenaltyGuide:
        """The guide with an organiser's cells in place of its own; see `check_changes` for what may be changed."""
        rows = dict(self.infractions)
        for change in changes:
            row = rows.get(change.infraction)
            if row is not None:
                cells = {**row.cells, change.rel: PenaltyCell(penalty=change.penalty, basis=ORGANISER)}
                rows[row.id] = replace(row, cells=MappingProxyType(cells))
        return replace(self, infractions=MappingProxyType(rows))

    def check_changes(self, changes: Iterable[CellChange]) -> None:
        """Only assumed cells are the organiser's (I-70), each once, and never to a Match Point (D 20).

        Raises a `Refusal`: `unknown_infraction`, `not_applicable`, `invalid_request`.
        """
        seen = set()
        for number, change in enumerate(changes):
            row, field = self.infraction(change.infraction), f"cells[{number}]"
            if row.cells[change.rel].basis != ASSUMED:
                said = f"This cell is {row.cells[change.rel].basis} in the guide; only assumed ones are the organiser's."
                raise Refusal("not_applicable", said, field=field)
            if change.penalty == MATCH_POINT:
                allowed = [penalty for penalty in PENALTIES if penalty != MATCH_POINT]
                raise Refusal("not_applicable", "A Match Point is never the penalty of a table.", allowed=allowed, field=f"{field}.penalty")
            if (change.infraction, change.rel) in seen:
                raise Refusal("invalid_request", "A cell is changed once.", field=field)
            seen.add((change.infraction, change.rel))


def version_at_least(version: str, wanted: str) -> bool:
    """Whether a software version is that one or later: numbers between dots, not text (2.10 comes after 2.9)."""
    return _numbers(version) >= _numbers(wanted)


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)
