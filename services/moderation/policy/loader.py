"""The packaged table, `simorg.toml`, read and checked once at start. It needs no Python to gain a row: docs/howto/add-an-infraction.md."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from services.moderation.policy.document import PolicyBody, policy_of
from services.moderation.policy.tables import NO_CELL, Policy
from services.moderation.policy.validation import Finding

PACKAGED = Path(__file__).with_name("simorg.toml")


class PolicyFileError(ValueError):
    """The file can't be used; `findings` are (field path, message), and the message names them all. The service does not start with it."""

    def __init__(self, source: str, findings: list[Finding]) -> None:
        super().__init__(f"{source} is no policy:\n" + "\n".join(f"  {path}: {message}" for path, message in findings))
        self.findings = findings


def packaged_policy() -> Policy:
    """The policy that comes with the service. Raises `PolicyFileError`."""
    return load_policy(PACKAGED.read_text(encoding="utf-8"), source=PACKAGED.name)


def load_policy(text: str, *, source: str = "the text") -> Policy:
    """The policy that a file's text describes.

    A row's `columns` are the source's words; what they impose stands once under `words`, and becomes the row's cells. A variant names the words of
    its own cell as `says`. Raises `PolicyFileError`.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyFileError(source, [("(the file)", str(error))]) from error
    findings: list[Finding] = []
    document = _expanded(data, findings)
    if findings:
        raise PolicyFileError(source, findings)
    try:
        body = msgspec.convert(document, PolicyBody)
    except msgspec.ValidationError as error:
        raise PolicyFileError(source, [("(a value)", str(error))]) from error
    policy, findings = policy_of(body)
    if policy is None:
        raise PolicyFileError(source, [_named(finding, body) for finding in findings])
    return policy


def _expanded(data: dict[str, Any], findings: list[Finding]) -> dict[str, Any]:
    """The document with every cell in place of its words."""
    words = data.pop("words", {})
    used: set[str] = set()
    if not isinstance(words, Mapping):
        findings.append(("words", "must be a table of words"))
        words = {}

    def cell(text: object, path: str) -> dict[str, Any]:
        meaning = words.get(text) if isinstance(text, str) else None
        if isinstance(text, str) and isinstance(meaning, Mapping):
            used.add(text)
            return {"text": text, **meaning}
        findings.append((path, f"{text!r} is not explained under [words]"))
        return {}

    rows = data.get("infractions", [])
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        if isinstance(row, dict):
            _expand(row, f"infractions[{index}] ({row.get('id', '?')})", cell, findings)
    findings.extend((f"words.{text}", "no column says so") for text in words if text not in used)
    return data


def _expand(row: dict[str, Any], path: str, cell: Callable[[object, str], dict[str, Any]], findings: list[Finding]) -> None:
    columns = row.get("columns")
    if "cells" in row:
        findings.append((f"{path}.cells", "come from the columns; explain the words under [words]"))
    if not isinstance(columns, list):
        findings.append((f"{path}.columns", "must be the four columns' words"))
        return
    row["cells"] = [cell(text, f"{path}.columns[{at}]") for at, text in enumerate(columns) if text != NO_CELL]
    variants = row.get("variants", [])
    for at, variant in enumerate(variants if isinstance(variants, list) else []):
        if isinstance(variant, dict) and "says" in variant:
            variant["cell"] = cell(variant.pop("says"), f"{path}.variants[{at}].says")


def _named(finding: Finding, body: PolicyBody) -> Finding:
    """The finding with the row's id beside its number: nobody counts rows in a file."""
    path, message = finding
    if not path.startswith("infractions["):
        return finding
    number, _, rest = path.removeprefix("infractions[").partition("]")
    return f"infractions[{number}] ({body.infractions[int(number)].id}){rest}", message
