"""Loading tournaments: the events, decoded and folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from services.moderation.tournaments.events import PenaltyGiven, PenaltyMoved, TournamentEvent
from services.moderation.tournaments.state import INITIAL, TournamentState, evolve_all
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore
from shared.refusal import Refusal
from shared.security.data_keys import DataKeys


@dataclass(frozen=True, kw_only=True)
class LoadedTournament:
    """A tournament and how it came to be what it is."""

    state: TournamentState
    events: tuple[TournamentEvent, ...]

    def after(self, events: Sequence[TournamentEvent]) -> LoadedTournament:
        """The tournament with these events too."""
        return LoadedTournament(state=evolve_all(self.state, events), events=(*self.events, *events))

    @cached_property
    def penalties(self) -> Mapping[str, PenaltyGiven]:
        """The penalties as they were given, in order."""
        return {event.penalty_id: event for event in self.events if isinstance(event, PenaltyGiven)}

    @cached_property
    def moves(self) -> Mapping[str, PenaltyMoved]:
        """What was moved last to where, by penalty."""
        return {event.penalty_id: event for event in self.events if isinstance(event, PenaltyMoved)}

    @cached_property
    def companions(self) -> Mapping[str, Sequence[PenaltyGiven]]:
        """What fell on opponents along with a penalty, by that penalty."""
        found: dict[str, list[PenaltyGiven]] = {}
        for event in self.penalties.values():
            if event.companion_of is not None:
                found.setdefault(event.companion_of, []).append(event)
        return found


NO_TOURNAMENT = LoadedTournament(state=INITIAL, events=())


def stream_of(tournament_id: str) -> str:
    """The stream of a tournament."""
    return f"tournament-{tournament_id}"


class Tournaments:
    """Reads tournaments. What can't be decoded raises `Unavailable`."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys

    async def load(self, tournament_id: str) -> LoadedTournament:
        """The tournament, of version 0 when there is none."""
        stored = await self._store.read(stream_of(tournament_id))
        return NO_TOURNAMENT.after([cast("TournamentEvent", self._codec.decode(item)) for item in stored])

    async def find(self, tournament_id: str, *, personal: bool = False) -> LoadedTournament:
        """The tournament; with `personal` what judges wrote about people, as far as it can be read still. Raises a `Refusal` `not_found`."""
        stored = await self._store.read(stream_of(tournament_id))
        if not stored:
            raise Refusal("not_found", "There is no such tournament.")
        events = [cast("TournamentEvent", self._codec.decode(item)) for item in stored]
        if personal:
            subjects = {event.person_id for event in events if isinstance(event, PenaltyGiven)}
            keys = await self._data_keys.of(sorted(subjects))
            for index, item in enumerate(stored):
                event = events[index]
                key = keys.get(event.person_id) if isinstance(event, PenaltyGiven) else None
                if key is not None:
                    events[index] = cast("TournamentEvent", self._codec.decode(item, data_key=key))
        return NO_TOURNAMENT.after(events)
