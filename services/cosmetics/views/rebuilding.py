"""The tables of this service as the log alone gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.cosmetics.gallery import state as gallery
from services.cosmetics.gallery.handler import gallery_write
from services.cosmetics.slots import state as slots
from services.cosmetics.views.cosmetic import rows_of
from shared.eventstore.port import TableWrite
from shared.projections.folding import Category, Step, TableView

SLOTS: Category[slots.SlotState] = Category(prefix="cosmetics-", initial=slots.INITIAL, evolve=slots.evolve)
CARD: Category[gallery.CardState] = Category(prefix="gallery-", initial=gallery.INITIAL, evolve=gallery.evolve)


def _slots(step: Step[slots.SlotState]) -> Iterable[TableWrite]:
    return rows_of(step.key, step.before, step.after)


def _gallery(step: Step[gallery.CardState]) -> Iterable[TableWrite]:
    return (gallery_write(step.key, event) for event in step.events)


VIEWS: tuple[TableView[Any], ...] = (
    TableView(table="cosmetics", category=SLOTS, writes=_slots),
    TableView(table="known_images", category=SLOTS, writes=_slots),
    TableView(table="known_images", category=CARD, writes=_gallery),
)
