"""A sample of a published policy: its first rows, which use every part of a table between them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.policy.events import PolicyPublished
from services.moderation.policy.tables import Cell, Choice, Row, SanctionTemplate, Settings, Upgrade, Variant
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_WARNING: Final = Cell(text="Warning", sanctions=(SanctionTemplate(kind="warning"),))
_RANGE: Final = Cell(text="1\u20137 day ban or Perma", choice=Choice(days=(1, 7), permanent=True))
_EITHER: Final = Cell(text="Game / Match Loss", choice=Choice(outcomes=("game_loss", "match_loss"), ip_ban=True, required=False))
_DAYS: Final = Cell(text="5 day ban", sanctions=(SanctionTemplate(kind="ban", days=5),))
_MINOR: Final = Row(
    id="minor",
    name="Minor",
    section=1,
    description="A small one.",
    strike=False,
    cells=(_WARNING, _EITHER),
    columns=("Warning", "Game / Match Loss", "-", "-"),
    upgrade=Upgrade(automatic=False, condition="within", within_seconds=604_800, to="major", ignored_warning=True, basis="I-8"),
    derives="major",
    basis="S1",
    interpretations=("I-1",),
)
_MAJOR: Final = Row(
    id="major",
    name="Major",
    section=2,
    description="A large one.",
    strike=True,
    cells=(_DAYS, _RANGE),
    columns=("5 day ban", "1\u20137 day ban or Perma", "-", "-"),
    legal_review=True,
    upgrade=Upgrade(automatic=True, condition="same_duel", sanctions=(SanctionTemplate(kind="game_loss"),), basis="I-7"),
    variants=(Variant(id="note-taking", cell=_DAYS, basis="I-11"), Variant(id="coaching", basis="I-11")),
    accounts=True,
    basis="S2",
)

SAMPLES: Final = (
    Sample(
        event=PolicyPublished(
            version="0123456789abcdef",
            note="As published.",
            published_at=_NOW,
            published_by="head-1",
            packaged=False,
            settings=Settings(),
            infractions=(_MINOR, _MAJOR),
        ),
        stream="policy-simorg",
    ),
)
