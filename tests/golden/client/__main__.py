"""Write `shared/client/api` anew: `python -m tests.golden.client`."""

from __future__ import annotations

import sys

from services.gateway.routes import ENDPOINTS
from tests.golden.client.files import FOLDER, write


def main() -> None:
    """Write what differs, remove what is left over, and say which."""
    wanted = {FOLDER / name: text for name, text in write(ENDPOINTS).items()}
    for path, text in sorted(wanted.items()):
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            sys.stdout.write(f"{path.relative_to(FOLDER)}\n")
    for path in sorted(set(FOLDER.rglob("*.py")) - set(wanted)):
        path.unlink()
        sys.stdout.write(f"{path.relative_to(FOLDER)} removed\n")


if __name__ == "__main__":
    main()
