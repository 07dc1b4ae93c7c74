"""`moderation import` against the running service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from services.cli import main
from tests.support.live import Live

ROW = {
    "player_id": "import-1", "infraction": "spam-major", "decided_at": "2025-03-01T12:00:00Z", "decided_by": "former-admin", "strike": True,
    "sanctions": [{"kind": "ban", "days": 1}], "external_id": "old-1",
}  # fmt: skip


def imported(live: Live, file: Path, rows: list[dict[str, object]]) -> int:
    file.write_text("\n\n".join(json.dumps(row) for row in rows))
    return main(["import", str(file), "--url", live.url, "--token-file", str(live.folder / ".moderation/headers/head-1")])


def test_a_file_is_imported_once_however_often_it_is_given(live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """I-22; a refused line is named by its number in the file."""
    many = ({**ROW, "player_id": f"import-{n}", "external_id": "more"} for n in range(600))
    rows = [ROW, {**ROW, "infraction": "no-such\nrow", "external_id": "old-2"}, *many]
    assert imported(live, tmp_path / "rows", rows) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("line 3: unknown_infraction: ")
    assert lines[1:] == ["601 imported, 0 known already, 1 refused"]
    assert imported(live, tmp_path / "rows", [rows[0], rows[2]]) == 0
    assert capsys.readouterr().out == "0 imported, 2 known already, 0 refused\n"


@pytest.mark.parametrize(("wrong", "said"), [({"strikes": 1}, "strikes"), ({"decided_at": "yesterday"}, "decided_at"), ({"strike": 1}, "strike")])
def test_nothing_is_sent_of_a_file_with_a_wrong_line(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: dict[str, object], said: str
) -> None:
    assert imported(live, tmp_path / "rows", [{**ROW, "external_id": "wrong-1"}, {**ROW, **wrong}]) == 1
    error = capsys.readouterr().err
    assert error.startswith("import: line 3: ")
    assert said in error
    assert imported(live, tmp_path / "rows", [{**ROW, "external_id": "wrong-1"}]) == 0
    assert capsys.readouterr().out.endswith("refused\n")


def test_a_service_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "token").write_text("mod_x\n")
    (tmp_path / "rows").write_text(json.dumps(ROW))
    words = ["import", str(tmp_path / "rows"), "--url", "http://127.0.0.1:9", "--token-file", str(tmp_path / "token")]
    assert main(words) == 1
    assert "ConnectError" in capsys.readouterr().err
