"""A random walk over a record, the same for the same seed, and a digest of all it came to.

Run as a program it walks in every zone and at every clock and prints what it came to (bar 7).
"""

from __future__ import annotations

import hashlib
import os
import random
import socket
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any, NoReturn

import msgspec

from services.moderation.record.commands import Facts, RecordCommand
from services.moderation.views.standing import as_reply
from shared.clock import SystemClock
from shared.eventstore.codec import Codec
from shared.refusal import Refusal
from tests.golden.files import DATA_KEY, registry
from tests.support.record import DAY, NEW, POLICY, T0, Past, adjustment, charge, imported, incident, restart_ids, standing

ZONES, YEARS = ("UTC", "America/New_York", "Pacific/Kiritimati"), (-10, 0, 10)
ADJUSTED: tuple[tuple[str | int, ...], ...] = (("warning",), (3,), ("permanent_ban",), ())
ALTS = ("a1", "a2", "a3", "a4", "a5", "a6")


def walk(seed: int, steps: int) -> Past:
    """The record after so many commands; those that are refused change nothing."""
    chance, past, at = random.Random(seed), NEW, T0
    for _ in range(steps):
        at += timedelta(minutes=chance.randrange(0, 12_000))
        with suppress(Refusal):
            past = past.after(_command(chance, past, at))
    return past


def _command(chance: random.Random, past: Past, at: Any) -> RecordCommand:
    known, what = list(past.state().incidents), chance.random()
    if known and what < 0.15:
        return adjustment(chance.choice(known), *chance.choice(ADJUSTED), strike=chance.random() < 0.7, at=at)
    if what < 0.2:
        return imported(chance.randrange(1, 9), decided_at=at - chance.randrange(0, 400) * DAY, at=at)
    facts = Facts(networks=("aa", "bb"), banned={alt: chance.random() < 0.5 for alt in ALTS})
    names = chance.sample(sorted(POLICY.rows), chance.randrange(1, 4))
    charges = [charge(name, **_choices(chance, name)) for name in names]
    return incident(
        *charges, at=at, facts=facts, duel_id=chance.choice([None, "d1", "d2"]), occurred_at=at - timedelta(hours=chance.randrange(0, 400))
    )


def _choices(chance: random.Random, name: str) -> dict[str, Any]:
    match name:
        case "multiple-accounts":
            return {"alts": tuple(chance.sample(ALTS, chance.randrange(1, 4)))}
        case "objectionable-major" | "spam-severe":
            return {"days": chance.randrange(3, 6)}
        case "slow-play-major":
            return {"outcome": chance.choice(["game_loss", "match_loss"])}
        case "harassment-minor" | "spam-minor" | "non-compliance" | "rule-sharking":
            return {"upgrade": chance.random() < 0.3}
        case _:
            return {}


def digest(past: Past) -> str:
    """Of every event as it is stored, and of the standing after each one at several moments."""
    codec, hashed = Codec(registry(), nonces=bytes), hashlib.sha256()
    for count, event in enumerate(past.past, start=1):
        name, payload = codec.encode(event, stream="record-p1", version=count, data_key=DATA_KEY)
        hashed.update(name.encode() + payload)
        here = NEW.given(*past.past[:count]) if count % 10 == 0 or count == len(past.past) else None
        for days in (0, 1, 30, 3000) if here is not None else ():
            hashed.update(msgspec.json.encode(as_reply(standing(here or NEW, T0 + days * DAY))))
    return hashed.hexdigest()


def main() -> None:
    """Print, for each zone and clock, the number of events and the digest; then a digest that depends on the hash seed, as the control."""
    real = time.time
    socket.socket = _refuse  # type: ignore[assignment,misc]
    SystemClock.now = _refuse  # type: ignore[method-assign]
    for zone in ZONES:
        for years in YEARS:
            os.environ["TZ"] = zone
            time.tzset()
            time.time = lambda years=years: real() + years * 365 * 86_400  # type: ignore[misc]
            restart_ids()
            past = walk(seed=7, steps=60)
            print(len(past.past), digest(past))
    print(hash("simorg"))


def _refuse(*_: object, **__: object) -> NoReturn:
    message = "a decision asked the machine for a socket or the time"
    raise AssertionError(message)


if __name__ == "__main__":
    main()
