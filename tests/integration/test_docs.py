"""What the documents say is so: their examples run, their links lead somewhere, their lists are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shared.http.codes import CODES
from tests.support import pages
from tests.support.live import ROOT, Live

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")
HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)


@pytest.mark.skipif(not pages.curl_is_there(), reason="the examples need curl and bash")
@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_run(page: Path, live: Live, tmp_path: Path) -> None:
    pages.run(page, live, tmp_path)


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_lead_somewhere(page: Path) -> None:
    text = FENCED.sub("", page.read_text())
    for match in LINK.finditer(text):
        target = (page.parent / match[1]).resolve() if match[1] else page
        assert target.exists(), f"{page.name}: {match[0]}"
        if match[2]:
            assert match[2][1:] in anchors(target), f"{page.name}: {match[0]}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in HEADING.findall(FENCED.sub("", page.read_text()))}


def test_every_page_can_be_found_from_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    linked = {(ROOT / "docs" / match[1]).resolve() for match in LINK.finditer(index) if match[1]}
    left_out = [str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md") if page.resolve() not in linked and page.name != "index.md"]
    assert left_out == []


def test_the_page_of_errors_has_every_code_under_its_status() -> None:
    text = (ROOT / "docs" / "errors.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| (\d{3}) \|", text, re.MULTILINE))
    assert rows == {code.code: str(code.status) for code in CODES.values()}


def test_every_interpretation_that_the_code_cites_is_on_its_page() -> None:
    text = (ROOT / "docs" / "interpretations.md").read_text()
    numbered = set(re.findall(r"^- \*\*(I-\d+)\*\*", text, re.MULTILINE))
    files = [path for folder in ("services", "shared", "tests") for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".toml"}]
    sources = [path.read_text() for path in files]
    cited = set(re.findall(r"\bI-\d+\b", "\n".join(sources)))
    assert cited - numbered == set()
    expected = [*range(1, 23), *range(30, 37), *range(40, 52), *range(60, 65), *range(70, 89)]
    assert numbered == {f"I-{number}" for number in expected}


def test_every_variable_that_is_read_is_explained() -> None:
    text = (ROOT / "docs" / "howto" / "configure.md").read_text()
    read = set(re.findall(r'"((?:MODERATION|DATABASE)_[A-Z_]+)"', (ROOT / "shared" / "settings.py").read_text()))
    assert {name for name in read if f"`{name}`" not in text} == set()


def test_every_recorded_decision_says_what_was_decided_and_why() -> None:
    decisions = sorted((ROOT / "docs" / "adr").glob("*.md"))
    for page in decisions:
        text = page.read_text()
        assert re.match(r"# \d+\. \S", text), page.name
        assert "**Decision.**" in text, page.name
        assert "**Why.**" in text, page.name
        assert len(text.splitlines()) < 70, page.name
    numbers = [int(page.name[:4]) for page in decisions]
    assert len(set(numbers)) == len(numbers)
