"""The JSON document: what GET gives can be edited and posted back; what it does not know is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from services.moderation.policy import document as forms
from services.moderation.policy import tables
from services.moderation.policy.document import Change, PolicyBody, body_of, changes_between, json_schema, policy_of, stored_policy
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.tables import Policy
from services.moderation.policy.versioning import make_policy

POLICY = packaged_policy()
GIVEN = body_of(POLICY, published_at=datetime(2026, 11, 30, 10, tzinfo=UTC), published_by="head-1")


def given() -> dict[str, Any]:
    """What GET gives, as an editor has it."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(GIVEN))
    return plain


def parse(document: dict[str, Any]) -> tuple[Policy | None, list[tuple[str, str]]]:
    """As the body of POST /v1/policy is parsed."""
    return policy_of(msgspec.json.decode(msgspec.json.encode(document), type=PolicyBody))


def test_what_get_gives_is_the_same_policy_when_posted_back() -> None:
    """Contract, POST /v1/policy."""
    assert parse(given()) == (POLICY, [])


def test_what_get_gives_holds_the_members_of_the_contract_and_moments_in_utc() -> None:
    """Contract, General: RFC 3339 with Z."""
    document = given()
    assert list(document) == ["version", "note", "published_at", "published_by", "settings", "infractions"]
    assert document["published_at"] == "2026-11-30T10:00:00Z"
    assert [row["id"] for row in document["infractions"]] == list(POLICY.rows)


def test_version_and_publication_in_a_posted_document_mean_nothing() -> None:
    """They are what an earlier GET gave."""
    assert parse({**given(), "version": "made-up", "published_at": "1999-01-01T00:00:00Z", "published_by": "nobody"}) == (POLICY, [])


def test_a_member_left_out_has_its_default() -> None:
    """An editor need not spell every null."""
    document = given()
    for row in document["infractions"]:
        for name in [name for name, value in row.items() if value in (None, False, []) and name != "strike"]:
            del row[name]
    assert parse(document) == (POLICY, [])


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a field at the top": lambda d: d.update(colour="red"),
    "a setting": lambda d: d["settings"].update(colour="red"),
    "a field of a row": lambda d: d["infractions"][0].update(colour="red"),
    "a field of a cell": lambda d: d["infractions"][0]["cells"][0].update(colour="red"),
    "a field of a sanction": lambda d: d["infractions"][0]["cells"][0]["sanctions"][0].update(colour="red"),
    "a field of an upgrade": lambda d: d["infractions"][0]["upgrade"].update(colour="red"),
    "a kind": lambda d: d["infractions"][0]["cells"][0]["sanctions"][0].update(kind="exile"),
    "true for days": lambda d: d["infractions"][0]["cells"][0]["sanctions"][0].update(kind="ban", days=True),
    "text for a strike": lambda d: d["infractions"][0].update(strike="false"),
    "a fifth column": lambda d: d["infractions"][0]["columns"].append("-"),
    "no settings": lambda d: d.pop("settings"),
    "no rows": lambda d: d.update(infractions=[]),
    "days beyond the longest ban": lambda d: d["settings"].update(max_ban_days=3651),
    "another word for automatic": lambda d: d["settings"].update(proxy_ban="always"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_a_document_of_another_shape_is_refused(edit: Callable[[dict[str, Any]], object]) -> None:
    """Strict input: unknown fields, wrong types, unknown words, D13."""
    document = given()
    edit(document)
    with pytest.raises(msgspec.ValidationError):
        parse(document)


def test_a_table_that_makes_no_sense_is_refused_with_the_places() -> None:
    """All of them in one answer."""
    document = given()
    document["infractions"][0]["upgrade"]["to"] = "nowhere"
    document["infractions"][3]["cells"][0]["choice"] = None
    policy, findings = parse(document)
    assert policy is None
    assert [path for path, _ in findings] == ["infractions[0].upgrade.to", "infractions[3].cells[0].sanctions"]


def test_the_schema_describes_the_document_and_forbids_more() -> None:
    """Contract, GET /v1/policy/schema."""
    schema = json_schema()
    assert schema["$ref"] == "#/$defs/PolicyBody"
    assert set(schema["$defs"]["PolicyBody"]["properties"]) == set(given())
    assert all(part.get("additionalProperties") is False for part in schema["$defs"].values() if part.get("type") == "object")


@pytest.mark.parametrize("name", ["Sanction", "Choice", "Cell", "Upgrade", "Variant", "Row", "Settings"])
def test_the_document_and_the_tables_have_the_same_fields(name: str) -> None:
    """Two spellings of one thing must not drift apart; nor may their defaults."""
    table = getattr(tables, "SanctionTemplate" if name == "Sanction" else name)
    body = getattr(forms, f"{name}Body")
    assert [field.name for field in msgspec.structs.fields(body)] == [field.name for field in fields(table)]
    for mine, theirs in zip(msgspec.structs.fields(body), fields(table), strict=True):
        assert mine.required is (theirs.default is not None and repr(theirs.default).startswith("<dataclasses._MISSING"))
        assert mine.required or mine.default == theirs.default, mine.name


def test_a_stored_document_keeps_the_version_it_was_published_under() -> None:
    """Decisions name it; a later way of counting versions must not rename it."""
    stored = msgspec.json.encode(msgspec.structs.replace(GIVEN, version="older-name"))
    assert stored_policy(stored) == replace(POLICY, version="older-name")


def test_a_stored_document_with_unknown_parts_is_not_half_read() -> None:
    """After a roll-back of the service: no rule is guessed."""
    document = given()
    document["infractions"][0]["doubles_on_sundays"] = True
    with pytest.raises(msgspec.ValidationError):
        stored_policy(msgspec.json.encode(document))


def test_changes_name_what_differs_by_the_infractions_id() -> None:
    """What a dry run of a publication reports."""
    rows = dict(POLICY.rows)
    spam = rows["spam-major"]
    cell = replace(spam.cells[0], text="2 day ban", sanctions=(replace(spam.cells[0].sanctions[0], days=2),))
    rows["spam-major"] = replace(spam, cells=(cell, *spam.cells[1:]), columns=("2 day ban", *spam.columns[1:]))
    wagering = rows.pop("wagering")
    after = make_policy(replace(POLICY.settings, proxy_ban="automatic"), rows.values())
    assert changes_between(POLICY, after) == [
        Change(path="settings.proxy_ban", before="off", after="automatic"),
        Change(path="infractions.spam-major.cells[0].text", before="1 day ban", after="2 day ban"),
        Change(path="infractions.spam-major.cells[0].sanctions[0].days", before=1, after=2),
        Change(path="infractions.spam-major.columns[0]", before="1 day ban", after="2 day ban"),
        Change(path="infractions.wagering", before=msgspec.to_builtins(wagering), after=None),
    ]


def test_a_new_order_is_a_change_and_equal_tables_have_none() -> None:
    """The order of rows is part of the version."""
    first, second, *others = POLICY.rows.values()
    turned = make_policy(POLICY.settings, [second, first, *others])
    assert [change.path for change in changes_between(POLICY, turned)] == ["infractions"]
    assert changes_between(POLICY, POLICY) == []
