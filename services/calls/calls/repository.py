"""Loading calls: the events of a call, decoded and folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast, get_args

from services.calls.calls.events import CallEvent, PersonalEvent
from services.calls.calls.state import INITIAL, CallState, evolve
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import EventStore
from shared.refusal import Refusal
from shared.security.data_keys import DataKeys
from shared.unreadable import UnreadableEvent

_PERSONAL = get_args(PersonalEvent)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedCall:
    """A call and how it came to be what it is."""

    state: CallState
    events: tuple[CallEvent, ...]

    def after(self, events: Sequence[CallEvent]) -> LoadedCall:
        """The call with these events too."""
        state = self.state
        for event in events:
            state = evolve(state, event)
        return LoadedCall(state=state, events=(*self.events, *events))


NO_CALL = LoadedCall(state=INITIAL, events=())


def stream_of(call_id: str) -> str:
    """The stream of a call."""
    return f"call-{call_id}"


def _folded(stored: Sequence[StoredEvent], events: Sequence[CallEvent]) -> LoadedCall:
    """The call after these events. Raises `UnreadableEvent` for one that fits nothing before it (E06)."""
    state = INITIAL
    for item, event in zip(stored, events, strict=True):
        try:
            state = evolve(state, event)
        except LookupError as error:
            raise UnreadableEvent(item.position, item.type, "it is about something that the call does not hold") from error
    return LoadedCall(state=state, events=tuple(events))


class Calls:
    """Reads calls. What can't be read raises `UnreadableEvent`."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys

    async def find(self, call_id: str, *, personal: bool = False) -> LoadedCall:
        """The call; with `personal` what people wrote, as far as it can be read still. Raises a `Refusal` `not_found`."""
        stored = await self._store.read(stream_of(call_id))
        if not stored:
            raise Refusal("not_found", "There is no such call.")
        events = [cast("CallEvent", self._codec.decode(item)) for item in stored]
        if personal:
            events = await self._opened(stored, events)
        return _folded(stored, events)

    async def takers(self, call_id: str) -> frozenset[str]:
        """Everybody who ever had the call; nobody where there is none of this id."""
        stored = await self._store.read(stream_of(call_id))
        return _folded(stored, [cast("CallEvent", self._codec.decode(item)) for item in stored]).state.takers

    async def _opened(self, stored: Sequence[StoredEvent], events: Sequence[CallEvent]) -> list[CallEvent]:
        """The same events with their words, each under the key of its subject."""
        subjects = {event.subject for event in events if isinstance(event, _PERSONAL)}
        keys = await self._data_keys.of(sorted(subjects))
        opened = []
        for item, event in zip(stored, events, strict=True):
            key = keys.get(event.subject) if isinstance(event, _PERSONAL) else None
            opened.append(event if key is None else cast("CallEvent", self._codec.decode(item, data_key=key)))
        return opened
