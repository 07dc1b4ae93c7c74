"""A log of realistic incidents, written by COPY: what a million commands over HTTP would leave, without the hours they take.

A player's record has the same distribution of lengths whatever the log's size (half of them one event, one in fifty more than twenty), and a hundred
players' events stand mixed in the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import asyncpg

from services.moderation.record.events import EffectAcknowledged, IncidentDecided, ProxyBanLifted, ProxyBanned, SanctionsAdjusted
from services.moderation.record.outcomes import AssessedOffense, Evidence, IncidentDetails, Outcome, Sanction
from services.moderation.record.repository import stream_of
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import EventMeta, StoredEvent
from shared.eventstore.merkle_leaf import leaf_hash
from tests.support.database import Database
from tests.support.rebuilding import codec as codec_of_all

COLUMNS = ("position", "stream", "version", "type", "recorded_at", "command_id", "meta", "payload", "leaf_hash")
_FIRST = datetime(2024, 1, 1, tzinfo=UTC)
_POLICY = "5f0c9a1e7b2d4c68"
_KEY = bytes(range(32))
_AT_ONCE = 100
"""Few enough that even ten thousand events hold long records in their due share."""
_LENGTHS = ((0.5, 1, 1), (0.85, 2, 5), (0.98, 6, 20), (1.0, 21, 60))
_TEXTS = ("Kept posting the same link after being asked to stop.", "Left the duel on purpose in the last turn.", "Insulted the opponent in the chat.")
_OFFENSES = (("spam-major", "1 day ban", "ban", 1), ("toxic-minor", "warning", "warning", None), ("leaving", "game loss", "game_loss", None))


class _Player:
    """A record that is being written: what its next event may refer to."""

    def __init__(self, number: int, random: Random) -> None:
        self.id = f"p{number:08d}"
        share = random.random()
        _, least, most = next(line for line in _LENGTHS if share <= line[0])
        self.left = random.randint(least, most)
        self.version = 0
        self.strikes = 0
        self.last: IncidentDecided | None = None
        self.proxy = False

    def next(self, at: datetime, random: Random, identifier: str) -> Any:
        """Its next event: seven in ten are incidents."""
        self.left -= 1
        self.version += 1
        kind, last = random.random(), self.last
        if last is None or kind < 0.7:
            self.last = self._incident(at, random, identifier)
            return self.last
        if kind < 0.8:
            before = last.sanctions
            after = tuple(Sanction(sanction_id=f"{identifier[:-1]}s", kind="warning", starts_at=at) for _ in before)
            return SanctionsAdjusted(
                adjustment_id=identifier, incident_id=last.incident_id, at=at, by="head-1", role="head_admin", before=before, after=after,
                strike_before=last.strike, strike_after=last.strike,
            )  # fmt: skip
        if kind < 0.9:
            return EffectAcknowledged(incident_id=last.incident_id, effect="game_loss", at=at, by="duel-server-1")
        self.proxy = not self.proxy
        if self.proxy:
            return ProxyBanned(at=at, reported_by="duel-server-1", policy_version=_POLICY)
        return ProxyBanLifted(at=at, by="head-1", role="head_admin")

    def _incident(self, at: datetime, random: Random, identifier: str) -> IncidentDecided:
        infraction, cell, kind, days = random.choice(_OFFENSES)
        strike = kind != "warning"
        self.strikes += strike
        ends = None if days is None else at + timedelta(days=days)
        offense = AssessedOffense(
            charged=infraction, infraction=infraction, column=1, cell=cell, sanctions=(Outcome(kind=kind, days=days),), basis="S4", strike=strike
        )
        return IncidentDecided(
            incident_id=identifier,
            player_id=self.id,
            at=at,
            decided_by=f"admin-{random.randint(1, 40)}",
            role="admin",
            policy_version=_POLICY,
            column=1,
            strike=self.strikes if strike else None,
            offenses=(offense,),
            sanctions=(Sanction(sanction_id=f"{identifier[:-1]}s", kind=kind, starts_at=at, ends_at=ends, days=days),),
            occurred_at=at - timedelta(minutes=2),
            duel_id=f"d-{random.getrandbits(48):012x}" if random.random() < 0.6 else None,
            external_id=f"report-{random.getrandbits(40):010x}",
            details=IncidentDetails(
                descriptions=(random.choice(_TEXTS),), evidence=(Evidence(kind="chat_log", ref="chat/4711", text="join my server"),)
            ),
        )


def rows(count: int, codec: Codec) -> Iterator[tuple[Any, ...]]:
    """So many rows of the log, always the same ones but for the nonces."""
    random = Random(25)
    players = [_Player(number, random) for number in range(_AT_ONCE)]
    begun = _AT_ONCE
    for position in range(1, count + 1):
        place = random.randrange(_AT_ONCE)
        player = players[place]
        at = _FIRST + timedelta(seconds=20 * position)
        identifier = f"01890a5d-ac96-774b-bcce-{position:011d}e"
        event = player.next(at, random, identifier)
        stream = stream_of(player.id)
        kind, payload = codec.encode(event, stream=stream, version=player.version, data_key=_KEY)
        meta = codec.encode_meta(EventMeta(actor="admin-1", role="admin", policy_version=_POLICY, occurred_at=at, request_id=identifier))
        stored = StoredEvent(
            position=position, stream=stream, version=player.version, type=kind, recorded_at=at, command_id=identifier, meta=meta, payload=payload,
            leaf_hash=b"",
        )  # fmt: skip
        yield (position, stream, player.version, kind, at, identifier, meta, payload, leaf_hash(stored))
        if not player.left:
            players[place] = _Player(begun, random)
            begun += 1


def fill(database: Database, count: int) -> None:
    """So many events in an empty log."""

    async def work() -> None:
        connection = await asyncpg.connect(database.superuser)
        try:
            await connection.copy_records_to_table("events", records=rows(count, codec_of_all()), columns=COLUMNS)
            await connection.execute("UPDATE log_head SET position = $1, recorded_at = (SELECT max(recorded_at) FROM events) WHERE id", count)
            await connection.execute("VACUUM ANALYZE events")
        finally:
            await connection.close()

    asyncio.run(work())
