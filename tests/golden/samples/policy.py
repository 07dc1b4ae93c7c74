"""A sample of a published policy: a small table of its own that shows every form a row may take, since the packaged one changes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.policy.commands import PublishPolicy
from services.moderation.policy.decider import decide
from services.moderation.policy.state import PolicyState
from services.moderation.policy.tables import Cell, Choice, Row, SanctionTemplate, Settings, Upgrade, Variant
from services.moderation.policy.versioning import make_policy
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_PERMANENT: Final = Cell(text="Perma ban", sanctions=(SanctionTemplate(kind="permanent_ban"),))
_ROWS: Final = (
    Row(
        id="rudeness",
        name="Rudeness",
        section=1,
        description="Being rude.",
        strike=False,
        cells=(Cell(text="Warning (no strike)", sanctions=(SanctionTemplate(kind="warning"),)),),
        columns=("Warning (no strike)", "-", "-", "-"),
        upgrade=Upgrade(automatic=False, condition="within", within_seconds=604_800, to="insult", ignored_warning=True, basis="I-8"),
        derives=None,
        basis="S1",
        interpretations=("I-1", "I-8"),
    ),
    Row(
        id="insult",
        name="Insult",
        section=2,
        description="An insult.",
        strike=True,
        cells=(Cell(text="1\u20133 day ban", choice=Choice(days=(1, 3), permanent=True)), _PERMANENT),
        columns=("1\u20133 day ban", "Perma ban", "-", "-"),
        legal_review=True,
        variants=(Variant(id="in-writing", cell=_PERMANENT, basis="I-11"),),
        basis="S2",
        interpretations=("I-3",),
    ),
)
_POLICY: Final = make_policy(Settings(), _ROWS, note="A table of two rows.")
_EVENTS: Final = decide(PublishPolicy(policy=_POLICY, by="head-1", at=_NOW), PolicyState())

SAMPLES: Final[tuple[Sample, ...]] = tuple(Sample(event=event, stream="policy-simorg") for event in _EVENTS)
