"""The documents as tests: every `sh` and `python` block runs, in the order of its page, against a running service.

- A page's `sh` blocks share one shell, so that a variable set in one is known in the next; `python` blocks are programs of their own.
- The addresses in the text become those of the service under test; `.moderation/headers/NAME` holds the example tokens, as after `make run`.
- A block that can't run here follows `<!-- not run: REASON -->`.
- A `json` block right after a block is what that one prints: its members must be there; `"…"` stands for any text or number.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.live import ROOT, Live

ADDRESS = "http://127.0.0.1:8000"
NOT_RUN = re.compile(r"<!-- not run: \S.* -->\s*\Z")
BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>[a-z]*)\n(?P<text>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE)
RUN = frozenset({"sh", "python"})
PAGE_SECONDS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block that runs, and what it is said to print."""

    line: int
    language: str
    text: str
    expected: Any = None


def pages() -> list[Path]:
    """Every page with something to run."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(path for path in found if blocks(path.read_text()))


def blocks(page: str) -> list[Block]:
    """The blocks of a page that run."""
    found: list[Block] = []
    last_runs, end = False, 0
    for match in BLOCK.finditer(page):
        last_runs = last_runs and not page[end : match.start()].strip()
        end = match.end()
        text = "\n".join(line.removeprefix(match["indent"]) for line in match["text"].splitlines())
        line = page.count("\n", 0, match.start()) + 1
        if match["language"] in RUN:
            last_runs = not NOT_RUN.search(page[: match.start()])
            if last_runs:
                found.append(Block(line=line, language=match["language"], text=text))
        elif match["language"] == "json" and last_runs:
            before = found.pop()
            found.append(Block(line=before.line, language=before.language, text=before.text, expected=json.loads(text)))
            last_runs = False
        else:
            last_runs = False
    return found


def run(page: Path, live: Live, folder: Path) -> None:
    """Run the page's blocks in this folder; an `AssertionError` names the line of the first that fails or prints something else."""
    found = blocks(page.read_text())
    (folder / ".moderation").symlink_to(live.folder / ".moderation")
    script = "\n".join(["set -euo pipefail", *(line for number, block in enumerate(found) for line in _lines(number, block))])
    (folder / "page.sh").write_text(script.replace(ADDRESS, live.url))
    environment = _environment(folder)
    done = subprocess.run(["bash", "page.sh"], cwd=folder, env=environment, capture_output=True, text=True, timeout=PAGE_SECONDS, check=False)
    for number, block in enumerate(found):
        out = folder / f"{number}.out"
        text = out.read_text() if out.exists() else ""
        where = f"{page.relative_to(ROOT)}:{block.line}"
        assert (folder / f"{number}.done").exists(), f"{where}: the block fails:\n{done.stderr[-2000:]}\n{text[-2000:]}"
        if block.expected is not None:
            _compare(block.expected, json.loads(text), where)
    meant = sum(isinstance(block.expected, dict) and "code" in block.expected for block in found)
    refused = [line for line in done.stderr.splitlines() if re.match(r"[45]\d\d http", line)]
    assert len(refused) == meant, f"{page.relative_to(ROOT)}: refusals that the page doesn't show: {refused}"


def _lines(number: int, block: Block) -> Iterator[str]:
    if block.language == "python":
        yield f"python3 - >{number}.out <<'END_OF_BLOCK'\n{block.text}\nEND_OF_BLOCK"
    else:
        yield f"{{ :\n{block.text}\n}} >{number}.out"
    yield f"touch {number}.done"


def _environment(folder: Path) -> dict[str, str]:
    (folder / ".curlrc").write_text('write-out = "%{stderr}%{http_code} %{url_effective}\\n"\n')
    programs = folder / "bin"
    programs.mkdir()
    for name, words in {"moderation": '-m services.cli "$@"', "python3": '"$@"'}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}\n')
        (programs / name).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MODERATION_", "DATABASE_"))}
    own = {"PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1", "CURL_HOME": str(folder)}
    return {**kept, **own, "PATH": f"{programs}:{os.environ['PATH']}"}


def _compare(expected: Any, printed: Any, where: str) -> None:
    """What the page says must be what is printed."""
    if isinstance(expected, dict) and isinstance(printed, dict):
        missing = expected.keys() - printed.keys()
        assert not missing, f"{where}: not printed: {sorted(missing)}; but {printed}"
        for name, value in expected.items():
            _compare(value, printed[name], f"{where} {name}")
    elif isinstance(expected, list) and isinstance(printed, list):
        assert len(expected) == len(printed), f"{where}: {len(printed)} items: {printed}"
        for number, (one, other) in enumerate(zip(expected, printed, strict=True)):
            _compare(one, other, f"{where}[{number}]")
    elif expected == "…":
        assert isinstance(printed, str | int), f"{where}: {printed!r}"
    else:
        assert (type(expected), expected) == (type(printed), printed), f"{where}: {printed!r}"


def curl_is_there() -> bool:
    """Whether the examples can run at all."""
    return shutil.which("curl") is not None and shutil.which("bash") is not None
