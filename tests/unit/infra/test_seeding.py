"""The files that `moderation dev` writes for people and for the black-box cases."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from services.commands.seeding import STAFF, Tokens, write_headers, write_tokens

TOKENS = Tokens(game_server="dev_game", staff={staff_id: f"dev_{staff_id}" for staff_id, _ in STAFF.values()})


def test_the_tokens_file_is_private_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    file.write_text("old")
    file.chmod(0o644)
    write_tokens(file, TOKENS)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    content = json.loads(file.read_text())
    assert set(content) == {"game_server", "admin", "admin_b", "senior_admin", "senior_admin_b", "head_admin", "head_admin_b", "auditor"}
    assert content["game_server"] == "dev_game"
    assert content["head_admin_b"] == {"id": "head-2", "token": "dev_head-2"}
    assert [path.name for path in tmp_path.iterdir()] == ["tokens.json"]


def test_each_principal_has_a_header_file_for_curl(tmp_path: Path) -> None:
    folder = write_headers(tmp_path / "headers", TOKENS)
    assert (folder / "admin-1").read_text() == "Authorization: Bearer dev_admin-1\n"
    assert stat.S_IMODE((folder / "game-1").stat().st_mode) == 0o600
    assert len(list(folder.iterdir())) == 8
