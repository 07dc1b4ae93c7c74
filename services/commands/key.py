"""`moderation key`: a new master key on standard output."""

from __future__ import annotations

import argparse
import base64
import secrets

from shared.settings import MASTER_KEY_BYTES


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """None."""


def run(_arguments: argparse.Namespace) -> int:
    """Print 32 random bytes in base64. Keep them: without the key no token works and no personal data can be read."""
    print(base64.b64encode(secrets.token_bytes(MASTER_KEY_BYTES)).decode())
    return 0
