"""`make bench`: every `bench_*.py` beside this file, or those whose names are given (`append` for `bench_append.py`). Fails when one falls short."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main() -> int:
    """Run them one after another, each with its ceilings measured in the same run."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    wanted = sys.argv[1:] or known
    if unknown := sorted(set(wanted) - set(known)):
        print(f"unknown: {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    short = []
    for name in wanted:
        print(f"=== {name}", flush=True)
        if import_module(f"tests.bench.bench_{name}").main() != 0:
            short.append(name)
    if short:
        print(f"fell short: {', '.join(short)}", file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    raise SystemExit(main())
