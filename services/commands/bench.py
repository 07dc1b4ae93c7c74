"""`moderation bench`: figures of speed, each beside a ceiling measured in the same run. They live with the tests, which only a checkout has."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which ones."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as `rebuild` or `history` (default: all; a wrong name lists them)")
    parser.epilog = "Exit code 1: a figure falls short; 2: they can't be run here. See docs/performance.md for what each measures."


def run(arguments: argparse.Namespace) -> int:
    """Run them in a process of their own, since they import what only tests need."""
    if not (_ROOT / "tests" / "bench" / "__main__.py").is_file():
        print("bench: the benchmarks belong to the source, not to the installed package: run it in a checkout, after `make install`", file=sys.stderr)
        return 2
    path = os.pathsep.join(filter(None, (os.fspath(_ROOT), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", *arguments.names], cwd=_ROOT, env={**os.environ, "PYTHONPATH": path}, check=False
    )
    return done.returncode
