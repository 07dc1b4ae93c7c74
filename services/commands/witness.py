"""`moderation witness`: confirm from outside that the log only grows. Runs elsewhere than the service, with a key and a memory of its own."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from services.commands.deployment import keys_of
from shared.settings import SettingsError, parse_master_key


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which log, and what the witness keeps."""
    parser.add_argument("--url", required=True, help="the service, such as https://moderation.example")
    parser.add_argument("--log-key", action="append", required=True, metavar="VKEY", help="a verifier key of the log, or a file with some")
    parser.add_argument("--name", default="witness.invalid", help="the witness's name, a host name of its operator (witness.invalid)")
    parser.add_argument("--key", type=Path, default=Path("witness.key"), help="the witness's own key, made when missing (witness.key)")
    remembers = "its memory, the last cosigned checkpoint (witness.checkpoint)"
    parser.add_argument("--store", type=Path, default=Path("witness.checkpoint"), help=remembers)
    parser.add_argument("--token-file", type=Path, help="a token of the service (else MODERATION_TOKEN)")
    parser.add_argument("--interval", type=float, default=10.0, help="seconds between looks (10)")
    parser.add_argument("--once", action="store_true", help="look once; exit code 1 when the checkpoint is refused, 2 when the log can't be asked")
    parser.epilog = "A refused checkpoint is kept in STORE.refused: with the one in STORE it proves that the log told two stories."


def run(arguments: argparse.Namespace) -> int:
    """Look, compare, confirm; again and again."""
    from shared.translog.notes import WITNESS, NoteError, Signer
    from shared.translog.witness import Witness, WitnessMemory, WitnessRefusal

    try:
        keys = keys_of(arguments.log_key)
        signer = Signer(name=arguments.name, seed=_own_key(arguments.key), algorithm=WITNESS)
        token = arguments.token_file.read_text().strip() if arguments.token_file else os.environ.get("MODERATION_TOKEN", "")
        with WitnessMemory(arguments.store) as memory:
            print(f"witness key: {signer.verifier}", file=sys.stderr, flush=True)
            return _watch(Witness(signer, keys, memory), arguments, token)
    except (SettingsError, NoteError, OSError, WitnessRefusal) as problem:
        print(f"witness: {problem}", file=sys.stderr)
        return 2


def _watch(witness: Any, arguments: argparse.Namespace, token: str) -> int:
    import httpx

    from shared.clock import SystemClock
    from shared.translog.witness import WitnessRefusal

    with httpx.Client(base_url=arguments.url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as http:

        def prove(old: int, new: int) -> Sequence[bytes]:
            try:
                reply = http.get("/v1/log/proofs/consistency", params={"from": old, "to": new}).raise_for_status().json()
                return [bytes.fromhex(text) for text in reply["hashes"]]
            except (httpx.HTTPError, TypeError) as error:
                raise OSError(str(error)) from error

        while True:
            code = 0
            try:
                before = witness.last()
                raw = http.get("/v1/log/checkpoint").raise_for_status().content
                note = witness.confirm(raw, prove, int(SystemClock().now().timestamp()))
                if arguments.once or before is None or before.text() != note.text:
                    print(note.render(), flush=True)
            except WitnessRefusal as refusal:
                print(f"REFUSED: {refusal}", file=sys.stderr, flush=True)
                code = 2 if refusal.kind == "unproven" else 1
            except httpx.HTTPError as problem:
                print(f"witness: the log does not answer ({type(problem).__name__})", file=sys.stderr, flush=True)
                code = 2
            if arguments.once:
                return code
            time.sleep(arguments.interval)


def _own_key(file: Path) -> bytes:
    """The witness's seed, made once."""
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(b64encode(secrets.token_bytes(32)).decode() + "\n")
    try:
        return parse_master_key(file.read_text())
    except ValueError as problem:
        raise SettingsError([f"{file}: {problem}"]) from problem
