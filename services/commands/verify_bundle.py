"""`moderation verify-bundle`: whether a file proves what it says. Needs the file and the log's public key, no database and no network."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from services.commands.deployment import keys_of
from shared.settings import SettingsError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and whom to believe."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a bundle of `moderation export`")
    parser.add_argument("--key", action="append", required=True, metavar="VKEY", help="a verifier key of the log, or a file with some")
    parser.add_argument("--json", action="store_true", help="print the proven standings as JSON lines")
    parser.epilog = "Exit code 0: signature, root, inclusion and the replayed standing hold; 1: the file proves nothing; 2: it could not be read."


def run(arguments: argparse.Namespace) -> int:
    """Check and tell."""
    from services.moderation.bundles.check import check_bundle
    from services.moderation.bundles.lines import BundleError

    try:
        keys = keys_of(arguments.key)
        with arguments.file.open("rb") as file:
            checked = check_bundle(file, keys)
    except BundleError as problem:
        print(f"REFUSED: {problem}")
        return 1
    except SettingsError as problem:
        print("verify-bundle:", *problem.problems, sep="\n  ", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"verify-bundle: {problem}", file=sys.stderr)
        return 2
    if arguments.json:
        for standing in checked.standings:
            print(json.dumps(standing))
        return 0
    print(f"ok: {checked.events} events proven under the checkpoint of {checked.checkpoint.size} events of {checked.checkpoint.origin}")
    print(f"{len(checked.standings)} standings as of {checked.as_of:%Y-%m-%dT%H:%M:%SZ} replayed")
    if checked.player_id is not None:
        print(json.dumps(checked.standings[0]))
        print("(later events of the player may exist: the bundle shows the record up to its checkpoint, as far as the exporter gave it)")
    if checked.opened:
        print("the opened personal parts are the exporter's word: the proofs are about their sealed form")
    return 0
