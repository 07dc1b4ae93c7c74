"""`moderation import`: incidents decided before this service existed, from a file of JSON lines, over the API (I-22)."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from shared.client import Client, Problem, Unreachable
from shared.client.api.incidents import ImportBody, ImportRow

BATCH: Final = 500
"""As many as one request of the contract takes."""


class Line(ImportRow, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the file: a misspelled member is an error, not something left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, and to whom."""
    parser.add_argument("file", type=Path, help="a JSON object a line: player_id, infraction, decided_at, decided_by, strike, sanctions, external_id")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the service (http://127.0.0.1:8000)")
    parser.add_argument("--token-file", type=Path, required=True, help="a file with a head admin's token, alone or as an Authorization header")
    parser.epilog = "The whole file is checked before anything is sent. Repeating it is safe: a known external_id is not imported again."


def run(arguments: argparse.Namespace) -> int:
    """Check, send, tell; 1 when a line was refused or the rest could not be sent."""
    try:
        for _ in read(arguments.file):
            pass
        token = arguments.token_file.read_text().strip().removeprefix("Authorization:").strip().removeprefix("Bearer ")
    except (OSError, ValueError) as problem:
        print(f"import: {problem}", file=sys.stderr)
        return 1
    return asyncio.run(_send(arguments.file, arguments.url, token))


def read(file: Path) -> Iterator[tuple[int, ImportRow]]:
    """The rows with their line numbers, empty lines left out. Raises `ValueError` with the line that is none."""
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield number, msgspec.json.decode(line, type=Line)
            except (msgspec.DecodeError, UnicodeDecodeError) as problem:
                msg = f"line {number}: {problem}; nothing was imported"
                raise ValueError(msg) from problem


async def _send(file: Path, url: str, token: str) -> int:
    imported = known = refused = 0
    rows = read(file)
    async with Client(url, token, timeout=60.0) as client:
        while batch := list(itertools.islice(rows, BATCH)):
            try:
                reply = await client.incidents.import_incidents(ImportBody(incidents=[row for _, row in batch]))
            except (Problem, Unreachable) as problem:
                print(f"import: lines {batch[0][0]} to {batch[-1][0]}: {_printable(str(problem))}", file=sys.stderr)
                refused += len(batch)
                break
            imported, known, refused = imported + reply.imported, known + reply.known, refused + len(reply.failed)
            for failed in reply.failed:
                print(f"line {batch[failed.index][0]}: {failed.code}: {_printable(failed.detail)}")
    print(f"{imported} imported, {known} known already, {refused} refused")
    return 1 if refused else 0


def _printable(text: str) -> str:
    """The text on one line, whatever it quotes."""
    return text.encode("unicode_escape").decode("ascii")
