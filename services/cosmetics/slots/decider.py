"""The rules of cosmetics: pure, one function per command. Sources: I-9, I-60 to I-64, A10, I17."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.cosmetics.slots.commands import (
    Approve,
    Delete,
    Forget,
    Purge,
    Reinstate,
    Remove,
    Report,
    Restore,
    SlotCommand,
    Staff,
    Upload,
)
from services.cosmetics.slots.events import (
    CosmeticApproved,
    CosmeticDeleted,
    CosmeticPurged,
    CosmeticRemoved,
    CosmeticReported,
    CosmeticRestored,
    CosmeticUploaded,
    RemovalReinstated,
    SlotEvent,
)
from services.cosmetics.slots.layout import sizes_of
from services.cosmetics.slots.state import ACTIVE, INITIAL, PURGED, REMOVED, Cosmetic, SlotState
from services.cosmetics.slots.state import evolve as evolve_slots
from shared.refusal import Refusal

GALLERY, FOR_CAUSE = "gallery", "removed"
"""The two lists of pictures that nobody may upload (I-63)."""


class SlotDecider:
    """A player's cosmetics, one stream each (`cosmetics-{player_id}`)."""

    __slots__ = ()

    def initial(self) -> SlotState:
        """Nothing uploaded."""
        return INITIAL

    def decide(self, command: SlotCommand, state: SlotState) -> Sequence[SlotEvent]:
        """The events that the command causes; none when it is so already. Raises a `Refusal`."""
        return decide(command, state)

    def evolve(self, state: SlotState, event: SlotEvent) -> SlotState:
        """The cosmetics after the event."""
        return evolve_slots(state, event)


def decide(command: SlotCommand, state: SlotState) -> Sequence[SlotEvent]:
    """Dispatch to the rule of this command."""
    match command:
        case Upload():
            return upload(command, state)
        case Delete():
            return delete(command, state)
        case Report():
            return report(command, state)
        case Approve():
            return approve(command, state)
        case Remove():
            return remove(command, state)
        case Restore():
            return restore(command, state)
        case Reinstate():
            return reinstate(command, state)
        case Purge():
            return purge(command, state)
        case Forget():
            return forget(command, state)
        case _:
            assert_never(command)


def check_uploader(*, pro: bool, banned: bool) -> None:
    """Who may upload (I-62). Raises a `Refusal` `pro_required` or `banned`."""
    if not pro:
        raise Refusal("pro_required", "Only PRO accounts upload cosmetics.")
    if banned:
        raise Refusal("banned", "A banned player uploads nothing.")


def upload(command: Upload, state: SlotState) -> Sequence[SlotEvent]:
    """A picture goes live in its slot and replaces what was there (I-62).

    Raises a `Refusal`: `unknown_slot`, `pro_required`, `banned`, `unlock_gallery_artwork`, `previously_removed` (I-63).
    """
    sizes_of(command.slot)
    check_uploader(pro=command.pro, banned=command.banned)
    if command.known == GALLERY:
        raise Refusal("unlock_gallery_artwork", "This is artwork of a card in an unlock gallery.")
    if command.known == FOR_CAUSE:
        raise Refusal("previously_removed", "This image was removed before.")
    there = state.active(command.slot)
    uploaded = CosmeticUploaded(
        cosmetic_id=command.cosmetic_id,
        player_id=command.player_id,
        slot=command.slot,
        picture=command.picture,
        replaced=there.cosmetic_id if there is not None else None,
        at=state.moment(command.at),
        likeness=command.likeness,
    )
    return [uploaded]


def delete(command: Delete, state: SlotState) -> Sequence[SlotEvent]:
    """The slot is empty afterwards; nothing when it was. Raises a `Refusal` `unknown_slot`."""
    sizes_of(command.slot)
    there = state.active(command.slot)
    return [] if there is None else [CosmeticDeleted(cosmetic_id=there.cosmetic_id, slot=command.slot, at=state.moment(command.at))]


def report(command: Report, state: SlotState) -> Sequence[SlotEvent]:
    """A reporter counts once for a picture. Raises a `Refusal` `gone` for one that nobody sees any more."""
    item = found(command.cosmetic_id, state)
    if command.reporter_id in item.reporters:
        return []
    if item.state != ACTIVE:
        raise Refusal("gone", "This image is not shown any more.", current={"state": item.state})
    return [CosmeticReported(cosmetic_id=item.cosmetic_id, reporter_id=command.reporter_id, at=state.moment(command.at), words=command.words)]


def approve(command: Approve, state: SlotState) -> Sequence[SlotEvent]:
    """The picture leaves the review list: also one that is not shown any more and is there, by its own hash (A-52).

    Raises a `Refusal`: `image_replaced`, `conflict_of_interest`.
    """
    item = found(command.cosmetic_id, state)
    _check_apart(command.by, command.player_id)
    _check_seen(item, command.sha256, shown=command.sha256 is None or not item.in_review)
    if not item.in_review:
        return []
    at = state.moment(command.at)
    return [CosmeticApproved(cosmetic_id=item.cosmetic_id, sha256=item.picture.sha256, staff_id=command.by.staff_id, role=command.by.role, at=at)]


def check_remove(command: Remove, state: SlotState) -> Cosmetic:
    """What is removed: also what the player replaced or deleted meanwhile, so that nobody evades a decision by swapping pictures (A-51).

    Raises a `Refusal`: `already_decided` for what was removed already, `image_replaced` when it is another picture than was seen,
    `conflict_of_interest`.
    """
    item = found(command.cosmetic_id, state)
    _check_apart(command.by, command.player_id)
    if item.state in {REMOVED, PURGED}:
        raise Refusal("already_decided", "The image was removed already.", current={"state": item.state, "incident_id": item.incident_id})
    _check_seen(item, command.sha256)
    return item


def remove(command: Remove, state: SlotState) -> Sequence[SlotEvent]:
    """The picture is out of its slot, if it was there still, and barred (I-63, I-64). Raises a `Refusal` as `check_remove`."""
    item = check_remove(command, state)
    removed = CosmeticRemoved(
        cosmetic_id=item.cosmetic_id,
        slot=item.slot,
        sha256=item.picture.sha256,
        incident_id=command.incident_id,
        staff_id=command.by.staff_id,
        role=command.by.role,
        at=state.moment(command.at),
        words=command.words,
        prints=command.prints,
    )
    return [removed]


def restore(command: Restore, state: SlotState) -> Sequence[SlotEvent]:
    """The removal fell: off the list, and what was live when it was removed is back in the slot.

    Unless that was used again (A10), or the bytes are gone: they were purged since. What had left the slot before stays out of it (A-51).
    """
    fallen = [item for item in state.cosmetics.values() if item.barred and item.barred_by == command.incident_id]
    return [
        CosmeticRestored(
            cosmetic_id=item.cosmetic_id,
            slot=item.slot,
            incident_id=command.incident_id,
            active=item.state == REMOVED and item.removed_from == ACTIVE and state.active(item.slot) is None,
            at=state.moment(command.at),
        )
        for item in fallen
    ]


def reinstate(command: Reinstate, state: SlotState) -> Sequence[SlotEvent]:
    """The removal stands again (I-20): what it had removed is removed again and barred, whatever became of it since."""
    at = state.moment(command.at)
    return [
        RemovalReinstated(cosmetic_id=item.cosmetic_id, slot=item.slot, incident_id=command.incident_id, at=at)
        for item in state.cosmetics.values()
        if item.fallen and item.barred_by == command.incident_id
    ]


def purge(command: Purge, state: SlotState) -> Sequence[SlotEvent]:
    """The bytes go and the picture is barred (I-64), until a removal that stands falls (I-63); a live one leaves its slot.

    Raises a `Refusal` `conflict_of_interest`.
    """
    item = found(command.cosmetic_id, state)
    _check_apart(command.by, command.player_id)
    if item.state == PURGED:
        return []
    return [_purged(item, command.by, state, command, listed=True)]


def forget(command: Forget, state: SlotState) -> Sequence[SlotEvent]:
    """The bytes of all pictures up to the erasure go; what was barred for cause stays barred, and what was uploaded later stays."""
    left = [item for item in state.cosmetics.values() if item.state != PURGED and item.uploaded_at <= command.until]
    return [_purged(item, command.by, state, command, listed=item.barred) for item in left]


def _purged(item: Cosmetic, by: Staff, state: SlotState, command: Purge | Forget, *, listed: bool) -> CosmeticPurged:
    words, prints = (command.words, command.prints) if isinstance(command, Purge) else (None, ())
    at = state.moment(command.at)
    return CosmeticPurged(
        cosmetic_id=item.cosmetic_id, slot=item.slot, by=by.staff_id, role=by.role, listed=listed, at=at, words=words, prints=prints
    )


def found(cosmetic_id: str, state: SlotState) -> Cosmetic:
    """The upload. Raises a `Refusal` `not_found`."""
    item = state.cosmetics.get(cosmetic_id)
    if item is None:
        raise Refusal("not_found", "There is no such cosmetic.", field="cosmetic_id")
    return item


def _check_apart(by: Staff, player_id: str) -> None:
    if by.player_id is not None and by.player_id == player_id:
        raise Refusal("conflict_of_interest", "This is your own player account.")


def _check_seen(item: Cosmetic, sha256: str | None, *, shown: bool = False) -> None:
    if (sha256 is not None and sha256 != item.picture.sha256) or (shown and item.state != ACTIVE):
        current = {"state": item.state, "sha256": item.picture.sha256}
        raise Refusal("image_replaced", "This is not the image that is shown now.", current=current, field="sha256")
