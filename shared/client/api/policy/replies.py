"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from shared.client.api.common.replies import AppealsChange, Standing


class CellBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A cell: the words of its column, what they impose, what they leave open."""

    text: str
    sanctions: tuple[SanctionBody, ...] = ()
    choice: ChoiceBody | None = None


class ChoiceBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the cell leaves to the decider (I-6)."""

    days: tuple[int, int] | None = None
    permanent: bool = False
    outcomes: tuple[str, ...] = ()
    ip_ban: bool = False
    required: bool = True


class PolicyBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A policy. When one is published, `version`, `published_at` and `published_by` are ignored: they are what GET gave, and are given anew."""

    version: str | None = None
    note: str | None = None
    published_at: datetime | None = None
    published_by: str | None = None
    settings: SettingsBody
    infractions: tuple[RowBody, ...]


class PolicyChange(Struct, frozen=True, kw_only=True):
    """One difference between two policies: `path` in the document, infractions named by their ids; None where there is nothing."""

    path: str
    before: Any
    after: Any


class PublishedReply(Struct, frozen=True, kw_only=True):
    """What a publication does: the version that holds from now on, and every difference from the one before.

    `version` is the table's, `position` the event's in the log (null in a dry run, and when nothing changed).
    """

    version: str
    previous_version: str | None
    note: str | None
    published_at: datetime
    published_by: str
    changes: tuple[PolicyChange, ...]
    position: int | None


class CheckedReply(PublishedReply, frozen=True, kw_only=True):
    """The same; a dry run says besides who would stand differently, were past decisions read from the table (they are not, and stay).

    `players` shows the first hundred of the `differing` ones. A dry run looks for two seconds: with `complete` false, `examined` of the players `of`
    the service were looked at. `undetermined` are records with an offense that the table has no row for, or that can't be read.
    """

    players: list[StandsDifferently] | None = None
    examined: int | None = None
    of: int | None = None
    differing: int | None = None
    undetermined: int | None = None
    complete: bool | None = None


class RowBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One infraction: the four columns in the source's words (`-`: undefined), and what each defined cell imposes."""

    id: str
    name: str
    section: int
    description: str
    strike: bool
    cells: tuple[CellBody, ...]
    columns: tuple[str, str, str, str]
    legal_review: bool = False
    upgrade: UpgradeBody | None = None
    variants: tuple[VariantBody, ...] = ()
    derives: str | None = None
    accounts: bool = False
    basis: str
    interpretations: tuple[str, ...] = ()


class SanctionBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that a cell imposes; only a `ban` has days."""

    kind: str
    days: int | None = None


class SettingsBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The numbers of the rules that belong to no row; one left out has its default."""

    permanent_from_strike: int = 4
    evasion_days_per_alt: int = 2
    ip_ban_accounts: int = 5
    network_window_seconds: int = 7776000
    proxy_ban: str = "off"
    max_ban_days: int = 3650
    call_lease_seconds: int = 120


class StandsDifferently(Struct, frozen=True, kw_only=True):
    """A player whose standing would be another, if all their incidents were read from the table."""

    player_id: str
    before: Standing
    after: Standing
    changes: list[AppealsChange]


class UpgradeBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a repeated offense becomes, by itself (I-7) or when the decider asks for it (I-8)."""

    automatic: bool
    condition: str
    within_seconds: int | None = None
    to: str | None = None
    sanctions: tuple[SanctionBody, ...] = ()
    ignored_warning: bool = False
    basis: str


class VariantBody(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A named form of the offense; without a cell of its own it follows the ordinary ladder (I-11)."""

    id: str
    cell: CellBody | None = None
    basis: str
