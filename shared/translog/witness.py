"""The witness: somebody else, with a key and a memory of their own, who confirms a checkpoint only when it continues the last one they confirmed.

How it confirms is the cosignature of c2sp.org/tlog-cosignature. Its memory is one file, the last cosigned checkpoint; what it refuses is kept beside
it, since two checkpoints of one log that contradict each other prove that its operator (or who stole the key) told two stories.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from shared.eventstore.merkle import verify_consistency
from shared.translog.checkpoints import Checkpoint, open_checkpoint, parse_text
from shared.translog.notes import Note, NoteError, Signer, VerifierKey, parse_note, signed_by

MAX_REFUSED: Final = 10_000_000
"""The first contradiction is proof enough: a forked log that goes on growing must not fill the witness's disk."""

Prove = Callable[[int, int], Sequence[bytes]]


class WitnessRefusal(Exception):  # noqa: N818  the witness's answer, not an error of it
    """The checkpoint is not confirmed. `fork` and `rollback` are the log's fault, `unproven` may be mended by asking again."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why


class WitnessMemory:
    """The file with the last cosigned checkpoint; one process at a time holds it, and what is written survives a loss of power."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def __enter__(self) -> Self:
        self._lock = os.open(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WitnessRefusal("busy", f"another witness works with {self.path}") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        if self._lock is not None:
            os.close(self._lock)

    def read(self) -> bytes | None:
        """What was written last, None at the beginning."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None

    def write(self, note: bytes) -> None:
        """Replace it, durably, as one step."""
        fresh = self.path.with_name(self.path.name + ".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as out:
            out.write(note)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def keep_refused(self, note: bytes, why: str) -> None:
        """Keep what was refused, as evidence: the same once, however often one looks at a log that stays as it is, and `MAX_REFUSED` bytes in all."""
        entry = f"# {why}\n".encode() + note.rstrip(b"\n") + b"\n\n"
        with self.path.with_name(self.path.name + ".refused").open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(entry)))
            if file.read() != entry and size < MAX_REFUSED:
                file.write(entry)
                file.flush()
                os.fsync(file.fileno())


class Witness:
    """Confirms the checkpoints of one log, whose keys it was given by a person."""

    def __init__(self, signer: Signer, keys: Sequence[VerifierKey], memory: WitnessMemory) -> None:
        self._signer = signer
        self._keys = tuple(keys)
        self._memory = memory

    def last(self) -> Checkpoint | None:
        """The last confirmed checkpoint. Raises `WitnessRefusal` when the memory is not what this witness wrote."""
        raw = self._memory.read()
        if raw is None:
            return None
        try:
            note = parse_note(raw)
            signed_by(note, [self._signer.verifier])
            return parse_text(note.text)
        except NoteError as error:
            raise WitnessRefusal("memory", f"{self._memory.path} is not what this witness wrote ({error})") from error

    def confirm(self, raw: bytes, prove: Prove, seconds: int) -> Note:
        """The checkpoint with this witness's cosignature of this moment (seconds since 1970), remembered before it is given away.

        `prove` fetches the consistency proof between two sizes. Raises `WitnessRefusal`.
        """
        last = self.last()
        try:
            new, note, key = open_checkpoint(raw, self._keys)
        except NoteError as error:
            raise WitnessRefusal("unsigned", str(error)) from error
        try:
            self._compare(last, new, prove)
        except WitnessRefusal as refusal:
            self._memory.keep_refused(raw, str(refusal))
            raise
        own = tuple(one for one in note.signatures if (one.name, one.key_id) == (key.name, key.key_id))
        cosigned = Note(note.text, (*own, self._signer.cosign(note.text, seconds)))
        self._memory.write(cosigned.render().encode())
        return cosigned

    def _compare(self, last: Checkpoint | None, new: Checkpoint, prove: Prove) -> None:
        if last is None:
            return
        if new.origin != last.origin:
            raise WitnessRefusal("fork", f"this memory is of {last.origin}, the checkpoint of {new.origin}")
        if new.size < last.size:
            raise WitnessRefusal("rollback", f"the log had {last.size} events and now has {new.size}")
        if new.size == last.size:
            if new.root != last.root:
                raise WitnessRefusal("fork", f"two histories of {new.size} events")
            return
        try:
            path = list(prove(last.size, new.size))
        except (ValueError, LookupError, OSError) as error:
            raise WitnessRefusal("unproven", f"there is no proof from {last.size} to {new.size} ({type(error).__name__})") from error
        if not verify_consistency(last.size, new.size, last.root, new.root, path):
            raise WitnessRefusal("fork", f"the history of {new.size} events does not begin with the {last.size} that were confirmed")
