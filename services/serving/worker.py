"""A worker of `moderation serve`: started by the parent, listens on the socket that it inherits, ends with its parent."""

from __future__ import annotations

import argparse
import gc
import os
import socket

from services.serving.server import run_server
from shared.observability import configure_logging
from shared.settings import load_settings


def main() -> int:
    """Serve until told to stop. The byte on the pipe tells the parent that this worker answers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen", type=int, required=True)
    parser.add_argument("--ready", type=int, required=True)
    arguments = parser.parse_args()
    settings = load_settings()
    configure_logging(settings.log_level, settings.log_format)

    from services.gateway.app import create_app

    def started() -> None:
        gc.collect()
        gc.freeze()  # what lives from here on is not walked through again
        os.write(arguments.ready, b"1")
        os.close(arguments.ready)

    return 0 if run_server(create_app(settings), settings, socket.socket(fileno=arguments.listen), started) else 1


if __name__ == "__main__":
    raise SystemExit(main())
