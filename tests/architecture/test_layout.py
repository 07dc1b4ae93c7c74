"""What keeps the source tree what the documents say: checked on the tracked files, so that it holds in every checkout."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

import services
import shared

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("services", "shared", "migrations", "tests")
MAX_FILE_LINES = 250
MAX_FUNCTION_LINES = 50
GENERATED = "shared/client/api/"  # written from the declared endpoints, as long as those are


def tracked(*patterns: str) -> list[Path]:
    """The files that belong to the project: tracked or about to be."""
    said = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", *patterns], cwd=ROOT, capture_output=True, check=False)
    if said.returncode == 0:
        return [ROOT / name for name in said.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    return [path for pattern in patterns or ("*",) for path in ROOT.rglob(pattern) if ".venv" not in path.parts]


def sources() -> list[Path]:
    return [path for path in tracked("*.py") if path.relative_to(ROOT).parts[0] in PACKAGES]


def test_the_packages_come_from_this_repository() -> None:
    """`services` and `shared` are names that others use too."""
    for package in (services, shared):
        assert Path(str(package.__file__)).resolve().parents[1] == ROOT


def test_every_import_package_has_an_init() -> None:
    folders = {path.parent for path in sources()}
    assert [str(folder.relative_to(ROOT)) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_the_clock_and_the_ids_have_one_home_each() -> None:
    """Everything else is told the moment and the id (ruff bans the names too; this also sees attributes of aliases)."""
    banned = re.compile(r"datetime\.now\(|utcnow\(|date\.today\(|\buuid[147]\(|time\.time\(\)")
    homes = {"shared/clock.py", "shared/ids.py"}
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] != "tests" and str(path.relative_to(ROOT)) not in homes
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if banned.search(line)
    ]
    assert found == []


def test_files_and_functions_stay_readable() -> None:
    long = []
    for path in sources():
        text = path.read_text()
        name = str(path.relative_to(ROOT))
        if len(text.splitlines()) > MAX_FILE_LINES and not name.startswith(GENERATED):
            long.append(f"{name}: {len(text.splitlines())} lines")
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        lines = {function.name: (function.end_lineno or 0) - function.lineno + 1 for function in functions}
        long.extend(f"{name}: {function} {count} lines" for function, count in lines.items() if count > MAX_FUNCTION_LINES)
    assert long == []


def test_every_module_defers_its_annotations() -> None:
    modules = [path for path in sources() if path.name != "__init__.py" and path.read_text().strip()]
    assert [str(path.relative_to(ROOT)) for path in modules if "from __future__ import annotations" not in path.read_text()] == []


def test_no_tracked_file_names_a_place_of_one_machine() -> None:
    """Home folders, work folders and package hosts are nobody else's business; lock files name packages and hashes only."""
    place = re.compile(r"/(?:work|root|home)/[\w.-]+/|https?://[\w.-]*(?:pypi|pythonhosted|npmjs)[\w.-]*")
    found = []
    for path in tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if path != Path(__file__) and (match := place.search(text)):
            found.append(f"{path.relative_to(ROOT)}: {match.group(0)}")
    assert found == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_lock_files_are_hashed_and_name_no_host(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "://" not in text
    assert "--index" not in text
    for entry in re.split(r"\n(?=[a-z])", text.strip()):
        assert "--hash=sha256:" in entry, entry
