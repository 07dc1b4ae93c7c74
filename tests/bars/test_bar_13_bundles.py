"""Bar 13: a bundle convinces who has nothing but the log's public key, and an altered one convinces nobody."""

from __future__ import annotations

import io
import random
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services import cli
from services.moderation.bundles.check import Checked, check_bundle
from services.moderation.bundles.export import Exporter, ExportError
from services.moderation.bundles.lines import BundleError
from shared.security.data_keys import DataKeys
from shared.settings import Settings
from shared.translog.checkpoints import open_checkpoint, sign
from shared.translog.keys import LogKeys, log_keys
from shared.translog.notes import Signer
from shared.translog.reading import TransparencyLog
from tests.support.app import MASTER, Service, serving
from tests.support.database import Database

KEYS: LogKeys = log_keys(Settings(database_url="", owner_database_url="", master_key=MASTER))
SECRET = "a word that nobody needs to read"


async def eventful(service: Service) -> None:
    """Two players with some past."""
    first = await service.issue("p1", "spam-major", evidence=[{"kind": "chat_log", "ref": "c", "text": SECRET, "sha256": "0" * 64}])
    await service.issue("p1", "harassment-minor")
    service.clock.turn(days=3)
    await service.issue("p1", "cheating", internal_note=SECRET)
    await service.adjust(first["incident_id"], {"kind": "ban", "days": 9})
    await service.issue("p2", "cheating", "spam-major")


async def exported(service: Service, player_id: str | None, *, personal: bool = False) -> bytes:
    """A bundle of this player, or of all."""
    out = io.BytesIO()
    data_keys = service.resources.get(DataKeys) if personal else None
    exporter = Exporter(service.store, TransparencyLog(service.store.fetch, KEYS), data_keys)
    await (exporter.everything(service.clock.now(), out) if player_id is None else exporter.player(player_id, service.clock.now(), out))
    return out.getvalue()


def check(raw: bytes) -> Checked:
    return check_bundle(io.BytesIO(raw), KEYS.trusted)


def refused(raw: bytes) -> bool:
    """Whether the bundle is refused, and not by an accident of the program."""
    try:
        check(raw)
    except BundleError:
        return True
    return False


def forged(lines: list[Any]) -> bytes:
    """The bundle with these lines, written as the exporter would, counts and digest included."""
    body = b"".join(msgspec.json.encode(line) + b"\n" for line in lines[:-1])
    kinds = [line["line"] for line in lines]
    end = {**lines[-1], "events": kinds.count("event"), "standings": kinds.count("standing"), "sha256": sha256(body).hexdigest()}
    return body + msgspec.json.encode(end) + b"\n"


def disturb(chance: random.Random, raw: bytes) -> bytes:
    """The bytes with something small wrong."""
    at = chance.randrange(len(raw))
    kind = chance.choice(("flip", "drop", "add", "cut", "line", "double", "swap", "behind"))
    lines = raw.splitlines(keepends=True)
    one, other = sorted(chance.sample(range(len(lines)), 2))
    if kind == "flip":
        return raw[:at] + bytes([raw[at] ^ 1 << chance.randrange(8)]) + raw[at + 1 :]
    if kind == "drop":
        return raw[:at] + raw[at + chance.randint(1, 20) :]
    if kind == "add":
        return raw[:at] + bytes([chance.choice(b' 0a\n,"')]) + raw[at:]
    if kind == "cut":
        return raw[:at]
    if kind == "line":
        return b"".join([*lines[:one], *lines[one + 1 :]])
    if kind == "double":
        return b"".join([*lines[:one], lines[one], *lines[one:]])
    if kind == "swap":
        lines[one], lines[other] = lines[other], lines[one]
        return b"".join(lines)
    return raw + chance.choice((b"\n", b" ", lines[one]))


def lie(chance: random.Random, raw: bytes) -> bytes:
    """A bundle that is right in itself (form, counts, digest) and says something untrue."""
    lines = [msgspec.json.decode(line) for line in raw.splitlines()]
    events = [at for at, line in enumerate(lines) if line["line"] == "event"]
    standings = [at for at, line in enumerate(lines) if line["line"] == "standing"]
    at, other = chance.sample(events, 2)
    kind = chance.choice(("standing", "leaf", "proof", "swap", "skip", "twice", "signer", "root", "player", "none"))
    standing = lines[chance.choice(standings)]
    if kind == "standing":
        lies = {"strikes": 7, "warnings": 7, "status": "forgiven", "version": 70, "legal_review": True}
        name = chance.choice(sorted(lies))
        standing["standing"][name] = lies[name]
    elif kind == "leaf":
        leaf = bytearray(b64decode(lines[at]["leaf"]))
        leaf[chance.randrange(len(leaf))] ^= 1 << chance.randrange(8)
        lines[at]["leaf"] = b64encode(bytes(leaf)).decode()
    elif kind == "proof":
        path = lines[at].get("proof")
        lines[at]["proof"] = path[:-1] if path else ["00" * 32]
    elif kind == "swap":
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "skip":
        del lines[min(at, other)]
    elif kind == "twice":
        lines.insert(at, lines[at])
    elif kind in ("signer", "root"):
        checkpoint, _, _ = open_checkpoint(lines[0]["checkpoint"].encode(), KEYS.trusted)
        seed = KEYS.signer.seed if kind == "root" else b"s" * 32
        signer = Signer(name=checkpoint.origin, seed=seed)
        root = checkpoint.root if kind == "signer" else chance.randbytes(32)
        lines[0]["checkpoint"] = sign(replace(checkpoint, root=root), signer).render()
    elif kind == "player":
        lines[0]["player_id"] = "p2" if lines[0]["player_id"] == "p1" else "p1"
    else:
        lines = [line for line in lines if line["line"] != "standing"]
    return forged(lines)


@pytest.mark.bar(13)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("count", [500, pytest.param(5_000, marks=pytest.mark.full)])
async def test_altered_bundles_are_refused(database: Database, count: int) -> None:
    """Bar 13: disturbed bytes and well-formed lies; as a control the unaltered ones prove the standing that the service gives."""
    async with serving(database) as service:
        await eventful(service)
        bundles = [await exported(service, "p1"), await exported(service, None), await exported(service, "p1", personal=True)]
        standing = (await service.standing("p1")).body
    for raw in bundles:
        checked = check(raw)
        assert {**standing, "as_of": 0} in [{**found, "as_of": 0} for found in checked.standings]
        lines = [msgspec.json.decode(line) for line in raw.splitlines()]
        assert forged(lines) == raw
    chance = random.Random(13)
    refusals = 0
    for number in range(count):
        raw = bundles[number % 3]
        altered = (disturb if chance.random() < 0.5 else lie)(chance, raw)
        assert altered == raw or refused(altered), altered
        refusals += altered != raw
    print(f"bar 13: {refusals} altered bundles refused")


@pytest.mark.bar(13)
@pytest.mark.parametrize("broken", ["verify_inclusion", "Replay"])
async def test_control_without_proofs_or_replay_lies_pass(database: Database, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Bar 13, negative control: each check is what refuses its lie."""
    async with serving(database) as service:
        await eventful(service)
        raw = await exported(service, "p1")
    lines = [msgspec.json.decode(line) for line in raw.splitlines()]
    if broken == "verify_inclusion":
        next(line for line in lines if line["line"] == "event")["proof"] = ["00" * 32]
    else:
        next(line for line in lines if line["line"] == "standing")["standing"]["strikes"] = 7
    lie = forged(lines)
    assert refused(lie)
    if broken == "verify_inclusion":
        monkeypatch.setattr("services.moderation.bundles.check.verify_inclusion", lambda *_: True)
    else:
        monkeypatch.setattr("services.moderation.bundles.check.Replay.standing", lambda *_: lines[-2]["standing"])
    assert not refused(lie)


@pytest.mark.bar(13)
async def test_a_bundle_keeps_words_sealed_unless_they_are_asked_for(database: Database) -> None:
    """Bar 13: personal fields are in the leaves as ciphertext; opened ones are marked as the exporter's word."""
    async with serving(database) as service:
        await eventful(service)
        sealed, everything, opened = await exported(service, "p1"), await exported(service, None), await exported(service, "p1", personal=True)
        with pytest.raises(ExportError, match="nothing"):
            await exported(service, "nobody")
    assert SECRET.encode() not in sealed
    assert SECRET.encode() not in everything
    assert opened.count(SECRET.encode()) == 2
    assert (check(sealed).opened, check(opened).opened) == (False, True)
    assert (check(sealed).player_id, check(everything).player_id) == ("p1", None)
    assert check(everything).events == check(everything).checkpoint.size


@pytest.mark.bar(13)
async def test_the_command_checks_a_bundle_with_the_file_and_the_key_alone(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bar 13: no database, no network, no variable of the installation."""
    async with serving(database) as service:
        await eventful(service)
        raw = await exported(service, "p1")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    good, bad, key = tmp_path / "good", tmp_path / "bad", str(KEYS.signer.verifier)
    good.write_bytes(raw)
    bad.write_bytes(raw.replace(b'"strikes":', b'"strikes": '))
    assert cli.main(["verify-bundle", str(good), "--key", key]) == 0
    assert "ok: 4 events proven" in capsys.readouterr().out
    assert cli.main(["verify-bundle", str(bad), "--key", key]) == 1
    assert "REFUSED: line" in capsys.readouterr().out
    other = Signer(name=KEYS.signer.name, seed=b"o" * 32)
    assert cli.main(["verify-bundle", str(good), "--key", str(other.verifier)]) == 1
    assert cli.main(["verify-bundle", str(good), "--key", "nonsense"]) == 2
    assert cli.main(["verify-bundle", str(tmp_path / "none"), "--key", key]) == 2
