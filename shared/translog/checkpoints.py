"""Checkpoints (c2sp.org/tlog-checkpoint): the log's origin, size and root as the text of a signed note."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from shared.eventstore.merkle import HASH_BYTES
from shared.translog.notes import Note, NoteError, Signer, VerifierKey, parse_note, signed_by

_SIZE = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A tree head: so many leaves, this root."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def sign(checkpoint: Checkpoint, signer: Signer) -> Note:
    """The checkpoint as a note with the log's signature. Raises `NoteError` for a key of another log."""
    if signer.name != checkpoint.origin:
        raise NoteError(f"{signer.name} signs no checkpoint of {checkpoint.origin}")
    text = checkpoint.text()
    return Note(text, (signer.sign(text),))


def parse_text(text: str) -> Checkpoint:
    """The checkpoint that a note's text holds (extension lines are allowed and left alone). Raises `NoteError`."""
    origin, *rest = text.removesuffix("\n").split("\n")
    if len(rest) < 2 or not origin or not all(rest[2:]) or not _SIZE.match(rest[0]):
        raise NoteError("a checkpoint has an origin, a size and a root, each on its line")
    try:
        root = b64decode(rest[1], validate=True)
    except (binascii.Error, ValueError):
        raise NoteError("the root of a checkpoint is base64") from None
    if len(root) != HASH_BYTES or b64encode(root).decode() != rest[1]:
        raise NoteError("the root of a checkpoint has 32 bytes")
    return Checkpoint(origin=origin, size=int(rest[0]), root=root)


def open_checkpoint(raw: bytes, keys: Iterable[VerifierKey]) -> tuple[Checkpoint, Note, VerifierKey]:
    """A checkpoint that one of the log's keys signed, its note, and that key. Raises `NoteError` for anything else."""
    note = parse_note(raw)
    key = signed_by(note, keys)
    checkpoint = parse_text(note.text)
    if checkpoint.origin != key.name:
        raise NoteError(f"a checkpoint of {checkpoint.origin} is signed by {key.name}")
    return checkpoint, note, key
