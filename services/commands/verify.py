"""`moderation verify`: whether the log is what was appended and signed, from the first event to the last."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

from services.commands.deployment import add_data_dir, database_of, keys_of, settings_of
from services.commands.progress import Bar
from shared.settings import SettingsError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the log is and whom to believe."""
    add_data_dir(parser)
    own = "a verifier key of the log, or a file with some (default: this installation's own)"
    parser.add_argument("--key", action="append", default=[], metavar="VKEY", help=own)
    kept = "a checkpoint kept elsewhere, such as a witness's store: the log must lead to it"
    parser.add_argument("--checkpoint", action="append", default=[], type=Path, metavar="FILE", help=kept)
    many = min(os.cpu_count() or 1, 4)
    parser.add_argument("--processes", type=int, default=many, help="how many processes (one a core, at most 4)")
    parser.epilog = (
        "Exit code 0: all is as it was; 1: it is not, and the first bad position is named; 2: it could not be checked. With --key nothing secret is"
        " needed, only DATABASE_URL. Somebody who can write the whole database can cut it back to an older state unless --checkpoint is given."
    )


def run(arguments: argparse.Namespace) -> int:
    """Check and tell."""
    import asyncpg

    from shared.translog.checkpoints import open_checkpoint
    from shared.translog.keys import log_keys
    from shared.translog.notes import NoteError
    from shared.translog.verify import verify_log

    bar, began = Bar("events"), time.monotonic()
    try:
        keys = keys_of(arguments.key) or log_keys(settings_of(arguments.data_dir)).trusted
        kept = [open_checkpoint(file.read_bytes(), keys)[0] for file in arguments.checkpoint]
        report = asyncio.run(verify_log(database_of(arguments.data_dir), keys, kept=kept, processes=arguments.processes, progress=bar))
        bar.end()
    except SettingsError as problem:
        print("verify:", *problem.problems, sep="\n  ", file=sys.stderr)
        return 2
    except NoteError as problem:
        print(f"verify: a kept checkpoint is not the log's: {problem}", file=sys.stderr)
        return 2
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as problem:
        print(f"verify: the log can't be read: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 2
    if report.problem is not None:
        print(f"BAD at position {report.problem.position}: {report.problem.what}")
        for other in report.problems[1:20]:
            print(f"  also at {other.position}: {other.what}")
        return 1
    seconds = time.monotonic() - began
    print(f"ok: {report.events} events in {seconds:.1f} s, {report.sealed} of them under {report.checkpoints} signed checkpoints")
    if report.events > report.sealed:
        print(f"{report.events - report.sealed} events are not sealed yet")
    return 0
