"""The sheet and the report on paper: self-contained pages without scripts, for a printer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

_STYLE = (
    "body{font:12pt/1.4 Georgia,serif;margin:2cm auto;max-width:19cm;color:#000;background:#fff}h1{font-size:16pt}"
    "h2{font-size:12pt;margin:1em 0 .3em}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid #666;padding:.2em .5em;text-align:left;vertical-align:top}"
    "thead{display:table-header-group}tr{break-inside:avoid}@page{margin:1.5cm}"
)


def sheet_page(sheet: Mapping[str, Any]) -> bytes:
    """A round's sheet."""
    title = f"{sheet['tournament_id']}, round {sheet['round']}"
    matches = [
        (
            match["table"],
            " - ".join(match["players"]),
            "; ".join(f"game {line['game']}: {', '.join(line['lost_by'])}" for line in match["games_lost"]),
            ", ".join(match["match_lost_by"]),
            match["winner"] or "",
            _minutes(match["time_extension_seconds"]),
        )
        for match in sheet["matches"]
    ]
    parts = [
        f"<p>{escape(sheet['stage'])}, {sheet['games_per_match']} game(s) a match, begins {escape(sheet['starts_at'].isoformat())}</p>",
        _table("Matches", ("table", "players", "games lost", "match lost by", "won by", "extra time"), matches),
        _table("Match Points taken off", ("player", "points"), [(one["person_id"], one["points"]) for one in sheet["match_points"]]),
        _table("Chooses to play or draw", ("player", "in game"), [(one["person_id"], one["game"]) for one in sheet["play_or_draw"]]),
        _table("No sideboard", ("player", "in game"), [(one["person_id"], one["game"]) for one in sheet["sideboard_bans"]]),
        _table("Drops", ("player", "because"), [(one["person_id"], one["because"]) for one in sheet["drops"]]),
        _table("Dropped unless they report", ("player",), [(name,) for name in sheet["drop_unless_reported"]]),
        _table(
            "Carried over",
            ("player", "from round", "in game"),
            [(one["person_id"], one["from_round"], one["game"] or "the match") for one in sheet["carried_over"]],
        ),
        _table("Penalised, but not paired", ("player", "loses"), _unpaired(sheet)),
    ]
    return _page(title, parts)


def report_page(report: Mapping[str, Any]) -> bytes:
    """The event's report."""
    event = report["tournament"]
    words = ("person", "infraction", "round", "penalty", "standard", "by")
    parts = [
        f"<p>{escape(event['rel'])}, head judge {escape(event['head_judge_id'])}, judges {escape(', '.join(event['judge_ids']) or 'none')}</p>",
        _table("Numbers", ("penalty", "given"), [(name, count) for name, count in report["counts"].items() if count]),
        _table("Penalties from Warning up", words, [_penalty(one) for one in report["penalties"]]),
        _table(
            "Deviations",
            (*words, "because", "reason"),
            [(*_penalty(one), one["deviation"]["because"] or "", one["deviation_reason"] or "") for one in report["deviations"]],
        ),
        _table(
            "Disqualifications",
            ("person", "infraction", "round", "prize", "proof"),
            [
                (one["person_id"], one["infraction"], one["round"], "with" if one["with_prize"] else "without", "none" if one["no_proof"] else "")
                for one in report["disqualifications"]
            ],
        ),
        _table("Direct instructions", words, [_penalty(one) for one in report["instructions"]]),
        _table("Still to be reported", ("person", "to"), [(one["person_id"], one["to"]) for one in report["duties"]]),
    ]
    return _page(f"{event['tournament_id']}: report", parts)


def _penalty(one: Mapping[str, Any]) -> tuple[Any, ...]:
    return (one["person_id"], one["infraction"], one["round"], one["penalty"] or "none", one["standard"]["penalty"], one["given_by"])


def _unpaired(sheet: Mapping[str, Any]) -> Iterable[Sequence[Any]]:
    """Who has dropped is penalised all the same, and stands at no table (T02)."""
    lost = [(one["person_id"], f"game {one['game']}") for one in sheet["game_losses"]]
    lost += [(one["person_id"], "the match") for one in sheet["match_losses"]]
    return [line for line in lost if line[0] in sheet["not_paired"]]


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}" if seconds else ""


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = ["<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows]
    if not lines:
        return ""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    return f"<h2>{escape(title)}</h2><table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _page(title: str, parts: Iterable[str]) -> bytes:
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f"{head}<body><h1>{escape(title)}</h1>{''.join(parts)}</body></html>".encode()
