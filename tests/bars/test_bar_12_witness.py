"""Bar 12, from outside: a witness with its own key confirms growth, and refuses forks and rollbacks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from shared.eventstore import merkle
from shared.translog.checkpoints import Checkpoint, sign
from shared.translog.notes import WITNESS, NoteError, Signer, VerifierKey, parse_verifier
from shared.translog.witness import MAX_REFUSED, Witness, WitnessMemory, WitnessRefusal
from tests.support.translog import KEYS, ORIGIN

NEXT = Signer(name=ORIGIN, seed=b"n" * 32)


class Liar:
    """A log whose operator holds the key: any tree, signed."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.leaves = leaves

    def note(self, size: int) -> bytes:
        """The checkpoint of the first so many leaves."""
        return sign(Checkpoint(origin=ORIGIN, size=size, root=merkle.root_of(self.leaves[:size])), KEYS.signer).render().encode()

    def prove(self, old: int, new: int) -> list[bytes]:
        """The best proof that it has."""
        return merkle.proof(merkle.consistency_nodes(old, new), lambda level, at: merkle.root_of(self.leaves[at << level : at + 1 << level]))


@pytest.mark.bar(12)
def test_a_witness_confirms_no_fork_and_no_rollback(tmp_path: Path) -> None:
    """Bar 12: 500 of 500 refused, remembered across restarts; as a control the honest log in between is confirmed."""
    chance = random.Random(500)
    own = Signer(name="witness.example", seed=b"w" * 32, algorithm=WITNESS)
    honest = Liar([chance.randbytes(32) for _ in range(2000)])
    size, refused = 3, 0
    for attempt in range(500):
        with WitnessMemory(tmp_path / "checkpoint") as memory:
            witness = Witness(own, KEYS.trusted, memory)
            if attempt % 10 == 0:
                size += chance.randint(1, 30)
                note = witness.confirm(honest.note(size), honest.prove, 1_700_000_000 + attempt)
                assert own.verifier.verifies(note.text, note.signatures[1])
                assert KEYS.signer.verifier.verifies(note.text, note.signatures[0])
            before = witness.last()
            forked = list(honest.leaves)
            forked[chance.randrange(size)] = chance.randbytes(32)
            liar, kind = Liar(forked), chance.choice(("fork", "fork and grow", "rollback", "honest proof"))
            shown = {"fork": size, "rollback": chance.randrange(size)}.get(kind, size + chance.randint(1, 300))
            teller = honest if kind == "rollback" else liar
            with pytest.raises(WitnessRefusal) as caught:
                witness.confirm(teller.note(shown), (honest if kind == "honest proof" else liar).prove, 1_700_000_000)
            assert caught.value.kind == ("rollback" if kind == "rollback" else "fork")
            assert witness.last() == before
            refused += 1
    assert (tmp_path / "checkpoint.refused").read_text().count("# ") == refused == 500
    print(f"bar 12: {refused} of 500 forks and rollbacks refused")


def test_what_is_refused_again_and_again_is_kept_once(tmp_path: Path) -> None:
    """A forked log that is looked at every ten seconds for weeks; another contradiction is kept too, up to a limit."""
    own = Signer(name="witness.example", seed=b"w" * 32, algorithm=WITNESS)
    kept = tmp_path / "checkpoint.refused"
    with WitnessMemory(tmp_path / "checkpoint") as memory:
        witness = Witness(own, KEYS.trusted, memory)
        log = Liar([bytes([n]) * 32 for n in range(20)])
        witness.confirm(log.note(9), log.prove, 1)
        for size in (5, 5, 5, 6, 6):
            with pytest.raises(WitnessRefusal, match="rollback"):
                witness.confirm(log.note(size), log.prove, 1)
        assert kept.read_text().count("# ") == 2
        with kept.open("ab") as file:
            file.truncate(MAX_REFUSED)
        with pytest.raises(WitnessRefusal, match="rollback"):
            witness.confirm(log.note(7), log.prove, 1)
        assert kept.stat().st_size == MAX_REFUSED


def test_a_witness_believes_neither_a_foreign_key_nor_a_changed_memory(tmp_path: Path) -> None:
    own = Signer(name="witness.example", seed=b"w" * 32, algorithm=WITNESS)
    log = Liar([bytes([n]) * 32 for n in range(20)])
    with WitnessMemory(tmp_path / "checkpoint") as memory:
        witness = Witness(own, KEYS.trusted, memory)
        foreign = sign(Checkpoint(origin=ORIGIN, size=5, root=b"r" * 32), NEXT).render().encode()
        for raw in (foreign, b"", b"x\n\n", log.note(5)[:-2] + b"\n", log.note(5).replace(b"\n5\n", b"\n6\n")):
            with pytest.raises(WitnessRefusal, match="unsigned"):
                witness.confirm(raw, log.prove, 1)
        witness.confirm(log.note(5), log.prove, 1)

        def nothing(_old: int, _new: int) -> list[bytes]:
            raise OSError("the log is away")

        with pytest.raises(WitnessRefusal, match="unproven"):
            witness.confirm(log.note(9), nothing, 1)
        with pytest.raises(WitnessRefusal, match="busy"), WitnessMemory(tmp_path / "checkpoint"):
            pass
        memory.write(log.note(3))
        with pytest.raises(WitnessRefusal, match="memory"):
            witness.confirm(log.note(9), log.prove, 1)


def test_keys_and_notes_are_written_as_the_specifications_say() -> None:
    """c2sp.org/signed-note."""
    for signer in (KEYS.signer, Signer(name="w", seed=b"w" * 32, algorithm=WITNESS)):
        assert parse_verifier(str(signer.verifier)) == signer.verifier
        assert isinstance(signer.verifier, VerifierKey)
    for wrong in ("", "a", "a+b", "a+00000000+AA==", str(KEYS.signer.verifier)[1:], str(KEYS.signer.verifier).replace("+", "+0", 1)):
        with pytest.raises(NoteError):
            parse_verifier(wrong)
    with pytest.raises(NoteError):
        Signer(name="with blank", seed=b"w" * 32)
    assert "119" not in repr(Signer(name="w", seed=b"w" * 32))

