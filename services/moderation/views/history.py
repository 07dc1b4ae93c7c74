"""A player's events as an auditor reads them: as recorded, with who and under which policy, and the leaf hash of the log."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.eventstore.codec import Codec, DataKey, UnreadableEvent
from shared.eventstore.envelope import EventMeta, StoredEvent


def history_item(codec: Codec, stored: StoredEvent, key: DataKey | None) -> dict[str, Any]:
    """One event. An event that this version can't read is shown as it is stored, and says so: an auditor misses nothing (E06)."""
    meta, why = _meta(codec, stored)
    item: dict[str, Any] = {
        "position": stored.position,
        "version": stored.version,
        "type": stored.type,
        "recorded_at": stored.recorded_at,
        "occurred_at": meta.occurred_at,
        "actor": meta.actor or None,
        "role": meta.role or None,
        "via": meta.via,
        "policy_version": meta.policy_version,
    }
    if why is not None:
        item["unreadable"] = why
    try:
        data: Any = codec.decode(stored, data_key=key)
    except UnreadableEvent as error:
        data, item["unreadable"] = _raw(stored.payload), error.why
    return {**item, "data": data, "hash": stored.leaf_hash.hex()}


def _meta(codec: Codec, stored: StoredEvent) -> tuple[EventMeta, str | None]:
    """Who and under what, and why that can't be read where it can't: then nobody is named."""
    try:
        return codec.decode_meta(stored), None
    except UnreadableEvent as error:
        return EventMeta(actor="", role=""), error.why


def _raw(payload: bytes) -> Any:
    try:
        return msgspec.json.decode(payload)
    except msgspec.DecodeError:
        return None
