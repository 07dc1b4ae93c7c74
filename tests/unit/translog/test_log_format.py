"""Every example of docs/log-format.md, checked against the code, and the way back from a leaf to its event."""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from shared.eventstore import merkle
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.merkle_leaf import canonical, leaf_hash
from shared.translog.checkpoints import open_checkpoint
from shared.translog.leaf import LeafError, parse_leaf
from shared.translog.notes import NoteError, Signer, parse_note, parse_verifier

PAGE = (Path(__file__).parents[3] / "docs" / "log-format.md").read_text()


def block(kind: str) -> str:
    """The page's block of this kind."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def example() -> StoredEvent:
    fields = json.loads(block("json"))
    return StoredEvent(
        position=fields["position"],
        stream=fields["stream"],
        version=fields["version"],
        type=fields["type"],
        recorded_at=datetime.fromisoformat(fields["recorded_at"]),
        command_id=fields["command_id"],
        meta=fields["meta"].encode(),
        payload=fields["payload"].encode(),
        leaf_hash=bytes.fromhex(block("hash")),
    )


def test_the_example_of_a_leaf_is_right() -> None:
    """docs/log-format.md, A leaf."""
    raw = bytes.fromhex(block("hex"))
    assert canonical(example()) == raw
    assert leaf_hash(example()) == sha256(b"\x00" + raw).digest() == bytes.fromhex(block("hash"))
    assert parse_leaf(raw) == example()


def test_the_example_of_a_checkpoint_is_right() -> None:
    """docs/log-format.md, The tree and its checkpoints."""
    key = parse_verifier(block("vkey"))
    assert Signer(name=key.name, seed=bytes(32)).verifier == key
    checkpoint, note, _ = open_checkpoint(block("checkpoint").encode(), [key])
    leaves = [leaf_hash(replace(example(), position=position)) for position in (1, 2, 3)]
    assert (checkpoint.origin, checkpoint.size, checkpoint.root) == (key.name, 3, merkle.root_of(leaves))
    assert note.render() == block("checkpoint")


def test_the_specifications_own_cosigned_checkpoint_is_read() -> None:
    """c2sp.org/tlog-cosignature: its example note has the log's signature and a witness's, of 64 and of 72 bytes."""
    log = "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    signature = "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA=="
    witness = f"\u2014 witness.example.com/w1 {signature}\n"
    raw = f"example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n{log}{witness}"
    note = parse_note(raw.encode())
    assert [(one.name, len(one.value)) for one in note.signatures] == [("example.com/behind-the-sofa", 64), ("witness.example.com/w1", 72)]
    assert int.from_bytes(note.signatures[1].value[:8], "big") == 1679315147
    assert note.render() == raw


@pytest.mark.parametrize(
    "change",
    ["", "\n", "x", "a\n\nb\n", "a\n\n\u2014 n AAAA\n", "a\n\n\u2014 n AAAAAAA\n", "a\n\n- n AAAAAAAA\n", "a\r\n\n\u2014 n AAAAAAAA\n"],
)
def test_what_is_no_note_is_an_error(change: str) -> None:
    with pytest.raises(NoteError):
        parse_note(change.encode())


def test_a_leaf_has_one_form_and_nothing_else_is_one() -> None:
    """Every cut and every lengthened part of a leaf is refused; random events come back as they were."""
    chance = random.Random(1)
    for _ in range(200):
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=chance.randrange(1 << 55))
        texts = ["".join(chance.choice("aé-\u2603") for _ in range(chance.randrange(9))) for _ in range(3)]
        event = StoredEvent(
            position=chance.randrange(1 << 62), stream=texts[0], version=chance.randrange(1 << 31), type=texts[1], recorded_at=moment,
            command_id=texts[2], meta=chance.randbytes(chance.randrange(9)), payload=chance.randbytes(chance.randrange(9)), leaf_hash=b"",
        )  # fmt: skip
        raw = canonical(event)
        assert parse_leaf(raw) == replace(event, leaf_hash=leaf_hash(event))
        for wrong in (raw[:-1], raw + b"\0", raw[: chance.randrange(len(raw))], raw + bytes(4), b"x" + raw):
            with pytest.raises(LeafError):
                parse_leaf(wrong)
