"""Random sequences of commands against a small book kept by hand: strikes, columns, warnings, ban starts and ends (I-2 to I-5, I-13, I-20, I-22)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.moderation.record.commands import Facts, RecordCommand
from services.moderation.record.events import IncidentDecided
from tests.support.record import DAY, NEW, PLAYER, T0, Past, adjustment, charge, imported, incident, standing
from tests.unit.record.test_ladder import ROWS

LADDER = {(name, column): (strike, cell) for name, strike, column, cell in ROWS}
CHOICE = {"objectionable-major", "spam-severe", "slow-play-major"}  # they need a choice, which the ladder's own test makes
REPEATS = {"gameplay-minor", "slow-play-minor", "unsporting-minor"}  # they change by themselves
NAMES = sorted({name for name, _ in LADDER} - CHOICE - REPEATS - {"profanity-to-admin"})
TIMED = ["spam-major", "trolling-major", "inexperience", "duel-notes-misuse", "cheating", "malicious-afk"]
LIMIT = 5


@dataclass
class Ban:
    start: datetime
    end: datetime | None
    days: int | None

    def runs(self, at: datetime) -> bool:
        return self.start <= at and (self.end is None or at < self.end)


@dataclass
class Entry:
    strike: bool
    ban: Ban | None = None
    warning: bool = False
    used: set[str] = field(default_factory=set)


class Book:
    """What a person with a pencil would write."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.alts: set[str] = set()

    @property
    def strikes(self) -> int:
        return sum(entry.strike for entry in self.entries)

    def running(self, at: datetime) -> list[Ban]:
        return [entry.ban for entry in self.entries if entry.ban is not None and entry.ban.runs(at)]

    def charge(self, names: list[str], alts: set[str], at: datetime) -> None:
        """One incident: the cells of its rows at one column, one strike, days added up; alts by I-13."""
        column, before = min(self.strikes + 1, 5), self.running(at)
        cells = [LADDER[name, column] for name in names]
        words = [word for _, cell in cells for word in cell]
        entry = Entry(strike=any(strike for strike, _ in cells) or bool(alts and not before), warning="W" in words)
        days = sum(int(word) for word in words if word.isdigit())
        if "P" in words:
            entry.ban = Ban(at, None, None)
        elif days:
            entry.ban = Ban(at, at + timedelta(hours=24 * days), days)
        self.alts |= alts
        banned = bool(before) or entry.ban is not None
        if len(self.alts) + banned >= LIMIT and banned and (alts or not before):
            entry.ban = Ban(at, None, None)
        if alts and before:
            self.evade(entry, alts, before)
        self.entries.append(entry)

    def evade(self, entry: Entry, alts: set[str], before: list[Ban]) -> None:
        """Two days for each new alt on the ban that ends last, unless a permanent one runs."""
        new = alts - {alt for other in self.entries for alt in other.used}
        if new and all(ban.end is not None for ban in before):
            last = max(before, key=lambda ban: ban.end or ban.start)
            assert last.end is not None
            last.end += timedelta(hours=48 * len(new))
            entry.used = new

    def adjust(self, number: int, what: str | int | None, strike: bool, at: datetime) -> None:  # noqa: FBT001
        entry = self.entries[number]
        old = entry.ban
        start = old.start if old is not None else at
        entry.strike, entry.warning = strike, what == "warning"
        if isinstance(what, int):
            same = old is not None and old.days == what
            entry.ban = old if same else Ban(start, start + timedelta(hours=24 * what), what)
        else:
            entry.ban = Ban(start, None, None) if what == "permanent_ban" else None


Step = tuple[str, Any, int]
GAPS = st.one_of(st.integers(0, 24), st.integers(0, 24 * 9))
CHARGED = st.lists(st.one_of(st.sampled_from(TIMED), st.sampled_from(NAMES)), max_size=3, unique=True)
ALTS: st.SearchStrategy[set[str]] = st.one_of(st.just(set()), st.sets(st.sampled_from("abcdef"), max_size=2))
NAMED = st.one_of(st.sampled_from([3, 5]), st.sampled_from([None, "warning", "permanent_ban", 1, 2, 30]))
CHARGE = st.tuples(st.just("charge"), st.tuples(CHARGED, ALTS), GAPS)
STEPS = st.one_of(
    CHARGE,
    CHARGE,
    st.tuples(st.just("adjust"), st.tuples(st.integers(0, 50), NAMED, st.booleans()), GAPS),
    st.tuples(st.just("import"), st.tuples(st.integers(0, 60), st.integers(1, 30), st.booleans()), GAPS),
)


def take(past: Past, book: Book, step: Step, at: datetime) -> Past:
    """Do it on the record and in the book."""
    kind, what, _ = step
    command: RecordCommand
    if kind == "charge" and (what[0] or what[1]):
        names, alts = what
        charges = [charge(name) for name in names] + ([charge("multiple-accounts", alts=tuple(sorted(alts)))] if alts else [])
        command = incident(*charges, at=at, facts=Facts(banned=dict.fromkeys("abcdef", True)))
        column = book.strikes + 1
        book.charge(names, alts, at)
        (event,) = past.when(command).happens()
        assert isinstance(event, IncidentDecided)
        assert (event.column, event.strike) == (column, column if book.entries[-1].strike else None)
        return past.given(event)
    if kind == "adjust" and book.entries:
        number, named, strike = what
        number %= len(book.entries)
        book.adjust(number, named, strike, at)
        return past.after(adjustment(list(past.state().incidents)[number], *([] if named is None else [named]), strike=strike, at=at))
    if kind == "import":
        ago, days, strike = what
        start = at - ago * DAY
        book.entries.append(Entry(strike=strike, ban=Ban(start, start + days * DAY, days)))
        return past.after(imported(days, decided_at=start, at=at, strike=strike))
    return past


@settings(max_examples=300, deadline=None)
@given(st.lists(STEPS, min_size=3, max_size=14))
def test_the_record_says_what_a_book_kept_by_hand_says(steps: list[Step]) -> None:
    """After every step, and at moments before and after each end."""
    past, book, at = NEW, Book(), T0
    for step in steps:
        at += timedelta(hours=step[2])
        past = take(past, book, step, at)
        state = past.state()
        assert state.version == len(past.past)
        assert state.strikes == book.strikes >= 0
        for entry in book.entries:
            for moment in (at, *({entry.ban.end, entry.ban.end - DAY / 86400} if entry.ban and entry.ban.end else ())):
                compare(past, book, max(moment, at))


def compare(past: Past, book: Book, moment: datetime) -> None:
    """The standing at the moment against the book."""
    seen, running = standing(past, moment), book.running(moment)
    assert seen.player_id == PLAYER
    assert seen.warnings == sum(entry.warning for entry in book.entries)
    if not running:
        assert (seen.ban, seen.status) == (None, "warned" if book.strikes or seen.warnings else "good")
        return
    ends = [ban.end for ban in running]
    end = None if None in ends else max(e for e in ends if e is not None)
    assert seen.ban is not None
    assert (seen.ban.starts_at, seen.ban.ends_at) == (min(ban.start for ban in running), end)
    assert seen.status == ("permanently_banned" if end is None else "banned")


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=10), st.integers(0, 10))
def test_folding_a_part_and_then_the_rest_is_folding_the_whole(steps: list[Step], cut: int) -> None:
    """So a state may be kept at any version and continued."""
    past, book, at = NEW, Book(), T0
    for step in steps:
        at += timedelta(hours=step[2])
        past = take(past, book, step, at)
    events = past.past
    state = NEW.given(*events[:cut]).state()
    assert state.version == min(cut, len(events))
    for event in events[cut:]:
        state = past.decider.evolve(state, event)
    assert state == past.state()
