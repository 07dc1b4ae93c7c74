"""The data keys under which personal data is encrypted: one per subject, kept wrapped in the store; destroying it erases the data."""

from __future__ import annotations

from collections.abc import Sequence

from shared.eventstore.port import DataKeyRow, EventStore
from shared.security.shredding import new_data_key, unwrap_key, wrap_key


class DataKeys:
    """Reads and makes data keys. Nothing is cached: a destroyed key is gone for every process at once."""

    def __init__(self, store: EventStore, wrapping_key: bytes) -> None:
        self._store = store
        self._wrapping_key = wrapping_key

    async def of(self, subjects: Sequence[str]) -> dict[str, bytes]:
        """The data keys of those subjects that have one."""
        wrapped = await self._store.data_keys(subjects)
        return {subject: unwrap_key(self._wrapping_key, subject, row) for subject, row in wrapped.items()}

    async def for_writing(self, subject: str) -> tuple[bytes, DataKeyRow | None]:
        """The subject's data key, and when it is a new one the row to record with the first event under it."""
        known = await self.of([subject])
        if subject in known:
            return known[subject], None
        key = new_data_key()
        return key, DataKeyRow(subject=subject, wrapped=wrap_key(self._wrapping_key, subject, key))
