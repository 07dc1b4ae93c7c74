"""Checking a bundle with nothing but the file and the log's public key (bar 13)."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import IO, Final

from services.moderation.bundles.lines import BundleError, EndLine, EventLine, Header, Line, StandingLine, expect, read
from services.moderation.bundles.replay import RECORD, Replay
from shared.eventstore.codec import UnreadableEvent
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.merkle import EMPTY_ROOT, verify_inclusion
from shared.translog.checkpoints import Checkpoint, open_checkpoint
from shared.translog.leaf import LeafError, parse_leaf
from shared.translog.notes import NoteError, VerifierKey
from shared.translog.tiles import TreeBuilder

MAX_LINE: Final = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the bundle proves. `opened`: it also holds personal parts, which are the exporter's word."""

    player_id: str | None
    checkpoint: Checkpoint
    as_of: datetime
    events: int
    standings: tuple[dict[str, object], ...]
    opened: bool


class Checker:
    """Takes the lines one by one."""

    def __init__(self, header: Header, checkpoint: Checkpoint) -> None:
        self.header = header
        self.checkpoint = checkpoint
        self.replay = Replay(header.as_of)
        self.events = 0
        self.opened = False
        self.standings: list[dict[str, object]] = []
        self._tree = TreeBuilder(0, {})
        self._versions: dict[str, int] = {}

    def event(self, line: EventLine, number: int) -> None:
        """An event: a leaf of the tree, in its place, the next one of its stream."""
        if self.standings:
            raise BundleError(number, "events come before standings")
        event = _event(line, number)
        version = self._versions[event.stream] = self._versions.get(event.stream, 0) + 1
        if event.version != version:
            raise BundleError(number, f"{event.stream} is at version {version - 1}, the event is {event.version}")
        if self.header.player_id is None:
            self._next_of_all(event, line, number)
        else:
            self._of_player(event, line, number, self.header.player_id)
        try:
            self.replay.add(event)
        except UnreadableEvent as error:
            raise BundleError(number, str(error)) from error
        self.events += 1
        self.opened = self.opened or line.personal is not None

    def standing(self, line: StandingLine, number: int) -> None:
        """A standing: the one that the events lead to."""
        players = self.replay.players
        if len(self.standings) >= len(players) or players[len(self.standings)] != line.player_id:
            raise BundleError(number, "this is not the standing that comes next")
        if line.standing != self.replay.standing(line.player_id):
            raise BundleError(number, f"the events of {line.player_id} lead to another standing")
        self.standings.append(line.standing)

    def end(self, line: EndLine, number: int, digest: str) -> None:
        """The end: nothing is missing."""
        if (line.events, line.standings, line.sha256) != (self.events, len(self.standings), digest):
            raise BundleError(number, "the bundle is not the one that was written")
        if len(self.standings) != len(self.replay.players) or (self.header.player_id is not None and not self.standings):
            raise BundleError(number, "a standing is missing")
        if self.header.player_id is None and (self._tree.size, self._tree.root() if self.events else EMPTY_ROOT) != (
            self.checkpoint.size,
            self.checkpoint.root,
        ):
            raise BundleError(number, "the events are not those of the checkpoint")

    def _next_of_all(self, event: StoredEvent, line: EventLine, number: int) -> None:
        if line.proof is not None or event.position != self.events + 1:
            raise BundleError(number, f"event {self.events + 1} of the log is expected here")
        self._tree.extend([event.leaf_hash])

    def _of_player(self, event: StoredEvent, line: EventLine, number: int, player_id: str) -> None:
        if event.stream != f"{RECORD}{player_id}":
            raise BundleError(number, f"the event is of {event.stream}")
        path = [_hash(text, number) for text in line.proof or ()]
        if line.proof is None or not verify_inclusion(event.position - 1, self.checkpoint.size, event.leaf_hash, path, self.checkpoint.root):
            raise BundleError(number, "the event is not proven to be in the log")


def check_bundle(file: IO[bytes], keys: Sequence[VerifierKey]) -> Checked:
    """Check every line of the bundle against the checkpoint that one of these keys signed. Raises `BundleError`."""
    digest = sha256()
    checker: Checker | None = None
    number = 0
    for number, (raw, line) in enumerate(_lines(file), 1):
        if checker is None:
            checker = _begin(expect(line, Header, number), keys)
        elif isinstance(line, EventLine):
            checker.event(line, number)
        elif isinstance(line, StandingLine):
            checker.standing(line, number)
        else:
            checker.end(expect(line, EndLine, number), number, digest.hexdigest())
            if file.read(1):
                raise BundleError(number + 1, "there is something behind the end")
            return Checked(
                player_id=checker.header.player_id,
                checkpoint=checker.checkpoint,
                as_of=checker.header.as_of,
                events=checker.events,
                standings=tuple(checker.standings),
                opened=checker.opened,
            )
        digest.update(raw)
    raise BundleError(number + 1, "the end is missing")


def _lines(file: IO[bytes]) -> Iterator[tuple[bytes, Line]]:
    number = 0
    while raw := file.readline(MAX_LINE):
        number += 1
        yield raw, read(raw, number)


def _begin(header: Header, keys: Sequence[VerifierKey]) -> Checker:
    try:
        checkpoint, _, _ = open_checkpoint(header.checkpoint.encode(), keys)
    except NoteError as error:
        raise BundleError(1, f"the checkpoint is not the log's: {error}") from error
    return Checker(header, checkpoint)


def _event(line: EventLine, number: int) -> StoredEvent:
    try:
        raw = b64decode(line.leaf, validate=True)
        if b64encode(raw).decode() != line.leaf:
            raise LeafError("the leaf is not base64 in its one form")
        return parse_leaf(raw)
    except (binascii.Error, ValueError) as error:
        raise BundleError(number, str(error)) from error


def _hash(text: str, number: int) -> bytes:
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raw = b""
    if raw.hex() != text:
        raise BundleError(number, "a hash is hexadecimal")
    return raw
