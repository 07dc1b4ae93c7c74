"""The pages of docs/ that are made from what they describe: `python -m tests.golden.documents` writes them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from services.moderation.policy.guide import packaged_guide
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.penalties import RELS, PenaltyGuide
from services.moderation.policy.tables import Choice, Policy, Row, Upgrade

DOCS = Path(__file__).resolve().parents[2] / "docs"
SECTIONS = {1: "General duel errors and misconduct", 2: "Unsporting conduct", 3: "Cheating", 4: "Communication systems and accounts"}
SETTINGS = {
    "permanent_from_strike": "past the ladder, a timed ban is permanent from this strike on ([I-3](interpretations.md#strikes-and-the-ladder))",
    "evasion_days_per_alt": "days that each account used for evasion adds to the ban that ends last (I-13)",
    "ip_ban_accounts": "so many linked accounts banned at once make an IP ban for all of them (I-13)",
    "network_window_seconds": "how far back an IP ban looks for the account's networks, in seconds (I-14)",
    "proxy_ban": '`"automatic"`: whoever comes through a proxy is banned until a Head Admin lifts it; `"off"`: nobody is (I-15)',
    "max_ban_days": "the longest timed ban that a command may name",
    "call_lease_seconds": "how long a taken call is held without a sign of life",
}
PAGE = """\
# The rule table

What every infraction costs, as a new installation has it. Made from `services/moderation/policy/simorg.toml`; what holds on a running service is
`GET /v1/policy`. To change a rule, see [add an infraction](howto/add-an-infraction.md).

The column is the player's active strikes + 1, over all categories (I-2). `-` is an undefined cell: then the last defined one applies, and from the
{permanent}th strike on a timed ban found that way is permanent (I-3). I-n are explained in [interpretations](interpretations.md).
"""


def policy_page(policy: Policy) -> str:
    """The rule table for people."""
    lines = [PAGE.format(permanent=policy.settings.permanent_from_strike)]
    for section, rows in groupby(policy.rows.values(), key=lambda row: row.section):
        lines += [f"## {section}. {SECTIONS.get(section, 'More')}", "", "| infraction | 1st | 2nd | 3rd | 4th | strike | notes |"]
        lines += ["|---|---|---|---|---|---|---|"]
        lines += [_row(row) for row in rows]
        lines.append("")
    lines += ["## Settings", "", "| setting | value | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | `{getattr(policy.settings, name)}` | {meaning} |" for name, meaning in SETTINGS.items()]
    return "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    cells = " | ".join(row.columns)
    return f"| **{row.name}** `{row.id}` | {cells} | {'yes' if row.strike else 'no'} | {'; '.join(_notes(row))} |"


def _notes(row: Row) -> Iterator[str]:
    for cell in {cell.text: cell for cell in row.cells}.values():
        if cell.choice is not None:
            yield f"`discretion`: {_choice(cell.choice)} (I-6)"
    if row.upgrade is not None:
        yield _upgrade(row.upgrade)
    for variant in row.variants:
        held = f"{variant.cell.text} at any strike" if variant.cell is not None else "the ordinary ladder"
        yield f'`variant` "{variant.id}": {held} ({variant.basis})'
    if row.derives is not None:
        yield f"charged as `{row.derives}` as well (I-10)"
    if row.accounts:
        yield "falls on the accounts, not by the cell (I-13)"
    if row.legal_review:
        yield "marked for legal review (I-17)"


def _choice(choice: Choice) -> str:
    options = []
    if choice.days is not None:
        options.append(f"`days` {choice.days[0]} to {choice.days[1]}")
    if choice.permanent:
        options.append("`permanent`")
    if choice.outcomes:
        options.append("`outcome` " + " or ".join(choice.outcomes))
    if choice.ip_ban:
        options.append("`ip_ban`")
    return " or ".join(options) + ("" if choice.required else ", if wanted")


def _upgrade(upgrade: Upgrade) -> str:
    when = {
        "same_duel": "a 2nd in the same duel room",
        "within": f"a 2nd within {(upgrade.within_seconds or 0) // 86_400} days",
        "any_time": "a repeated one",
    }[upgrade.condition]
    if upgrade.ignored_warning:
        when += " or after an ignored warning"
    into = f"`{upgrade.to}`" if upgrade.to is not None else " + ".join(sanction.kind for sanction in upgrade.sanctions)
    return f"{when} {'becomes' if upgrade.automatic else 'may become'} {into} ({upgrade.basis})"


PENALTIES_PAGE = """\
# The penalty table

What an offense at a tournament costs at first. Made from `services/moderation/policy/dci.toml`; what holds for a tournament, with the
organiser's own cells, is `GET /v1/tournaments/{id}/policy`. How to use it: [run a tournament](howto/run-a-tournament.md).

The excerpt of the guide ("D") that we have names few penalties. So each row says what it rests on
([I-70](interpretations.md#tournaments)): stated in D, inferred from its words, or assumed; an assumed one is the organiser's to change.

| infraction | D | regular | competitive | professional | basis | because |
|---|---|---|---|---|---|---|
"""
REPEATS = """
## Rules

Steps, effects and advice cite them by these ids. The words are D's.

| rule | D | says |
|---|---|---|
"""


def penalties_page(guide: PenaltyGuide) -> str:
    """The penalty table and the guide's rules, for people."""
    lines = [
        f"| **{row.name}** `{row.id}` | {row.section} | {' | '.join(row.cells[rel].penalty.replace('_', ' ') for rel in RELS)} "
        f"| {row.cells['regular'].basis} | {row.because} |\n"
        for row in guide.infractions.values()
    ]
    rules = [f"| `{rule.id}` | {rule.section} | {rule.text} |\n" for rule in guide.rules.values()]
    return PENALTIES_PAGE + "".join(lines) + REPEATS + "".join(rules)


def with_lists(index: str) -> str:
    """The index with its lists of how-tos and decisions: each page under its heading."""
    for folder in ("howto", "adr"):
        pages = [f"- [{_title(page)}]({folder}/{page.name})" for page in sorted((DOCS / folder).glob("*.md"))]
        text = "\n".join([f"<!-- list: {folder} -->", *pages, "<!-- end -->"])
        index = re.sub(rf"<!-- list: {folder} -->.*?<!-- end -->", text.replace("\\", r"\\"), index, flags=re.DOTALL)
    return index


def _title(page: Path) -> str:
    return page.read_text().splitlines()[0].removeprefix("# ")


def documents() -> dict[Path, str]:
    """The pages as they should be."""
    index = DOCS / "index.md"
    pages = {DOCS / "policy.md": policy_page(packaged_policy()), DOCS / "penalties.md": penalties_page(packaged_guide())}
    return {**pages, index: with_lists(index.read_text())}


def main() -> None:
    """Write what differs, and say which."""
    for path, text in documents().items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            sys.stdout.write(f"{path.relative_to(DOCS)}\n")


if __name__ == "__main__":
    main()
