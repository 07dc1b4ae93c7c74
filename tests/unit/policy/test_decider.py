"""Given what was published, when a table is published, then an event, nothing, or a refusal."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from services.moderation.policy.commands import Command, PublishPackaged, PublishPolicy
from services.moderation.policy.decider import decide
from services.moderation.policy.events import PolicyPublished
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.state import PolicyState, evolve
from services.moderation.policy.tables import Policy
from services.moderation.policy.versioning import make_policy
from shared.refusal import Refusal

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
PACKAGED = packaged_policy()


def edited(days: int, note: str | None = "Evasion costs more.") -> Policy:
    """A table that differs in one number."""
    return make_policy(replace(PACKAGED.settings, evasion_days_per_alt=days), PACKAGED.rows.values(), note=note)


def by_head(policy: Policy) -> PublishPolicy:
    """A head admin publishes."""
    return PublishPolicy(policy=policy, by="head-1", at=NOW)


def by_system(policy: Policy) -> PublishPackaged:
    """The service starts."""
    return PublishPackaged(policy=policy, by="system", at=NOW)


def when(*commands: Command) -> list[list[PolicyPublished]]:
    """What each command causes, one after another."""
    state, caused = PolicyState(), []
    for command in commands:
        events = decide(command, state)
        for event in events:
            state = evolve(state, event)
        caused.append(events)
    return caused


def test_the_first_start_publishes_the_packaged_table_whole() -> None:
    """Decisions need a table in the log before the first of them."""
    ((event,),) = when(by_system(PACKAGED))
    assert (event.version, event.published_at, event.published_by, event.packaged) == (PACKAGED.version, NOW, "system", True)
    assert (event.settings, event.infractions) == (PACKAGED.settings, tuple(PACKAGED.rows.values()))


def test_a_further_start_with_the_same_table_publishes_nothing() -> None:
    """Every process does it at every start."""
    assert when(by_system(PACKAGED), by_system(PACKAGED))[1] == []


def test_a_newer_package_replaces_an_older_one() -> None:
    """An added row counts from the next start."""
    assert [event.version for event in when(by_system(PACKAGED), by_system(edited(3)))[1]] == [edited(3).version]


def test_a_package_never_replaces_what_a_head_admin_published() -> None:
    """Also not when the head admin published the package's own table again."""
    assert when(by_system(PACKAGED), by_head(edited(3)), by_system(PACKAGED))[2] == []
    again = replace(PACKAGED, note="Back to the default.")
    assert when(by_system(PACKAGED), by_head(edited(3)), by_head(again), by_system(edited(4)))[3] == []


def test_a_head_admin_publishes_an_edited_table() -> None:
    """Contract, POST /v1/policy."""
    ((_,), (event,)) = when(by_system(PACKAGED), by_head(edited(3)))
    assert (event.version, event.published_by, event.packaged, event.note) == (edited(3).version, "head-1", False, "Evasion costs more.")


def test_the_table_that_holds_is_not_published_again_with_or_without_a_note() -> None:
    """What GET gives, posted back, is a no-op."""
    assert when(by_system(PACKAGED), by_head(replace(PACKAGED, note=None)))[1] == []
    assert when(by_head(edited(3)), by_head(edited(3, "Other words.")))[1] == []


def test_an_older_table_published_again_holds_again() -> None:
    """The version is its content's name, so it comes back under the old one."""
    events = when(by_head(edited(3)), by_head(edited(4)), by_head(edited(3, "That was too much.")))
    assert [event.version for (event,) in events] == [edited(3).version, edited(4).version, edited(3).version]


@pytest.mark.parametrize("note", [None, "", " \n\t"])
def test_a_change_without_a_note_is_refused(note: str | None) -> None:
    """Contract: with a `note`."""
    with pytest.raises(Refusal) as refused:
        when(by_system(PACKAGED), by_head(edited(3, note)))
    assert (refused.value.code, refused.value.field) == ("invalid_request", "note")


def test_the_state_after_an_event_is_the_published_table() -> None:
    """The fold gives what was decided, whatever came before."""
    ((event,),) = when(by_head(edited(3)))
    later = replace(event, published_at=NOW + timedelta(days=1))
    current = evolve(evolve(PolicyState(), event), later).current
    assert current is not None
    assert (current.policy, current.published_at) == (edited(3), NOW + timedelta(days=1))


def test_the_event_survives_its_stored_form() -> None:
    """Encoded and decoded as data, nothing is lost."""
    ((event,),) = when(by_system(PACKAGED))
    assert msgspec.json.decode(msgspec.json.encode(event), type=PolicyPublished) == event
