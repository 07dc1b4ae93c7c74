"""Which events the views of this service name: none that they would write something of is left out."""

from __future__ import annotations

from typing import Any

import pytest

from services.moderation.record.state import INITIAL
from shared.projections.folding import Step, TableView
from tests.golden.samples import SAMPLES
from tests.support.rebuilding import VIEWS, codec

NAMING = [view for view in VIEWS if view.of is not None]


@pytest.mark.parametrize("view", NAMING, ids=[view.table for view in NAMING])
def test_a_view_writes_nothing_of_an_event_that_it_does_not_name(view: TableView[Any]) -> None:
    """Asked all the same, it has no row for it. Its category is the record's, whose events are among the samples."""
    assert view.of is not None
    others = [sample.event for sample in SAMPLES if type(sample.event) not in view.of]
    assert len({type(event) for event in others}) > 20
    for event in others:
        step = Step(key="p1", before=INITIAL, after=INITIAL, events=(event,), version=1, state=lambda category, _key: category.initial)
        assert [write for write in view.writes(step) if write.table == view.table] == []


def test_the_events_that_views_name_are_registered() -> None:
    for view in NAMING:
        assert all(codec().type_of(sample.event) for sample in SAMPLES if type(sample.event) in (view.of or ()))
