"""A player's cosmetics as their rules see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import assert_never

from services.cosmetics.slots.events import (
    CosmeticApproved,
    CosmeticDeleted,
    CosmeticPurged,
    CosmeticRemoved,
    CosmeticReported,
    CosmeticRestored,
    CosmeticUploaded,
    Picture,
    RemovalReinstated,
    SlotEvent,
)

ACTIVE, REPLACED, REMOVED, DELETED, PURGED = "active", "replaced", "removed", "deleted", "purged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cosmetic:
    """One upload. `reporters` are all who ever reported it, `reports` those since it was last approved; `incident_id` is that of its removal.

    `barred`: the picture is on the list of those removed for cause, by its `prints`, which are known of no others. `fallen`: its removal fell and
    does not stand again. `removed_from` is the state in which its removal found it, and to which the fall of that brings it back: only what was
    live then may be live again (A-51).
    """

    cosmetic_id: str
    slot: str
    picture: Picture
    uploaded_at: datetime
    state: str = ACTIVE
    removed_from: str = ACTIVE
    reviewed: bool = False
    reporters: frozenset[str] = frozenset()
    reports: int = 0
    incident_id: str | None = None
    barred: bool = False
    fallen: bool = False
    prints: tuple[str, ...] = ()

    @property
    def barred_by(self) -> str | None:
        """The incident with which it is on the list or off it; None where a purge put it there on its own."""
        return None if self.barred and self.fallen else self.incident_id

    @property
    def in_review(self) -> bool:
        """Whether a reviewer still has to look (I-64): also at what was reported and then replaced or deleted (A-52)."""
        return (self.state == ACTIVE and not self.reviewed) or (self.state not in {REMOVED, PURGED} and self.reports > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotState:
    """All uploads of a player, in order; `version` counts the events."""

    version: int = 0
    cosmetics: Mapping[str, Cosmetic] = field(default_factory=lambda: MappingProxyType({}))
    last_at: datetime | None = None

    def active(self, slot: str) -> Cosmetic | None:
        """What is in the slot."""
        return next((item for item in self.cosmetics.values() if item.slot == slot and item.state == ACTIVE), None)

    def moment(self, at: datetime) -> datetime:
        """`at`, but never before what is recorded already."""
        return at if self.last_at is None else max(at, self.last_at)


INITIAL = SlotState()


def evolve(state: SlotState, event: SlotEvent) -> SlotState:
    """The cosmetics after the event."""
    return fold(state, (event,))


def fold(state: SlotState, events: Iterable[SlotEvent]) -> SlotState:
    """The cosmetics after all these events: one copy for all of them, as a player may have uploaded thousands."""
    cosmetics, version, last_at = dict(state.cosmetics), state.version, state.last_at
    for event in events:
        cosmetics.update((item.cosmetic_id, item) for item in _changed(cosmetics, event))
        version += 1
        last_at = event.at if last_at is None else max(event.at, last_at)
    return SlotState(version=version, cosmetics=MappingProxyType(cosmetics), last_at=last_at)


def _changed(cosmetics: Mapping[str, Cosmetic], event: SlotEvent) -> list[Cosmetic]:
    if isinstance(event, CosmeticUploaded):
        new = Cosmetic(cosmetic_id=event.cosmetic_id, slot=event.slot, picture=event.picture, uploaded_at=event.at, prints=event.picture.prints)
        old = [] if event.replaced is None else [replace(cosmetics[event.replaced], state=REPLACED)]
        return [*old, new]
    item = cosmetics[event.cosmetic_id]
    match event:
        case CosmeticDeleted():
            return [replace(item, state=DELETED)]
        case CosmeticReported():
            return [replace(item, reporters=item.reporters | {event.reporter_id}, reports=item.reports + 1)]
        case CosmeticApproved():
            return [replace(item, reviewed=True, reports=0)]
        case CosmeticRemoved():
            return [replace(_removed(item), incident_id=event.incident_id, prints=event.prints or item.prints)]
        case CosmeticRestored():
            return [replace(item, state=_restored(item, active=event.active), barred=False, fallen=True)]
        case RemovalReinstated():
            return [_removed(item)]
        case CosmeticPurged():
            return [replace(item, state=PURGED, reviewed=True, reports=0, barred=event.listed, prints=event.prints or item.prints)]
        case _:
            assert_never(event)


def _removed(item: Cosmetic) -> Cosmetic:
    """Removed for cause, from whatever state: what was purged stays that."""
    state, removed_from = (PURGED, item.removed_from) if item.state == PURGED else (REMOVED, item.state)
    return replace(item, state=state, removed_from=removed_from, reviewed=True, reports=0, barred=True, fallen=False)


def _restored(item: Cosmetic, *, active: bool) -> str:
    """The state after the fall of a removal; what was live and finds its slot used again was replaced by that."""
    if item.state == PURGED:
        return PURGED
    if active:
        return ACTIVE
    return REPLACED if item.removed_from == ACTIVE else item.removed_from
