"""A player's events as an auditor reads them: as recorded, with who and under which policy, and the leaf hash of the log."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.eventstore.codec import Codec, DataKey, UnreadableEvent
from shared.eventstore.envelope import StoredEvent


def history_item(codec: Codec, stored: StoredEvent, key: DataKey | None) -> dict[str, Any]:
    """One event. An event that this version can't read is shown as it is stored, and says so: an auditor misses nothing (E06)."""
    meta = codec.decode_meta(stored)
    item: dict[str, Any] = {
        "position": stored.position,
        "version": stored.version,
        "type": stored.type,
        "recorded_at": stored.recorded_at,
        "occurred_at": meta.occurred_at,
        "actor": meta.actor,
        "role": meta.role,
        "via": meta.via,
        "policy_version": meta.policy_version,
    }
    try:
        data: Any = codec.decode(stored, data_key=key)
    except UnreadableEvent as error:
        data, item["unreadable"] = _raw(stored.payload), error.why
    return {**item, "data": data, "hash": stored.leaf_hash.hex()}


def _raw(payload: bytes) -> Any:
    try:
        return msgspec.json.decode(payload)
    except msgspec.DecodeError:
        return None
