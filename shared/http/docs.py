"""The API's description as a page: one self-contained HTML document, without scripts and without anything from elsewhere."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from shared.http.codes import CODES

CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
summary{cursor:pointer;padding:.4rem 0}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow:auto;padding:.6rem;border:1px solid #8884}
b.m{display:inline-block;min-width:4.5rem}table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}
"""


def page(document: dict[str, Any]) -> bytes:
    """The page for an OpenAPI document made by `openapi.describe`."""
    info = document["info"]
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = (operation["tags"] or ["other"])[0]
            by_tag.setdefault(tag, []).append(_operation(method, path, operation))
    parts = [f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])}</p>"]
    parts.append('<p>The same for machines: <a href="/openapi.json">/openapi.json</a>. All <a href="/problems">problem codes</a>.</p>')
    for tag, operations in sorted(by_tag.items()):
        parts.append(f"<h2>{escape(tag)}</h2>{''.join(operations)}")
    return _html(info["title"], "".join(parts))


def problems_page(only: str | None = None) -> bytes:
    """The problem codes with status and meaning; `only` one of them."""
    rows = "".join(
        f'<tr><td><a href="/problems/{slug}"><code>{slug}</code></a></td><td>{code.status}</td><td>{escape(code.title)}</td></tr>'
        for slug, code in CODES.items()
        if only in {None, slug}
    )
    heading = "<h1>Problem codes</h1><p>The <code>code</code> of a problem document (RFC 9457) and what it says.</p>"
    return _html("Problem codes", f"{heading}<table><tr><th>code</th><th>status</th><th>meaning</th></tr>{rows}</table>")


def _html(title: str, body: str) -> bytes:
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f"{head}<style>{_STYLE}</style><body>{body}</body></html>".encode()


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    roles = ", ".join(operation["x-roles"]) or "public"
    parts = [f"<p>Roles: {escape(roles)}</p>"]
    if "description" in operation:
        parts.append(f"<p>{escape(operation['description'])}</p>")
    body = operation.get("requestBody", {}).get("content", {})
    parts += [_example("Request", content) for content in body.values()]
    for status, response in operation["responses"].items():
        parts.append(f"<p><b>{escape(status)}</b> {escape(response['description'])}</p>")
        if status < "300":
            parts += [_example("Reply", content) for content in response.get("content", {}).values()]
    title = f'<b class="m">{method.upper()}</b> <code>{escape(path)}</code> {escape(operation["summary"])}'
    return f'<details id="{escape(operation["operationId"])}"><summary>{title}</summary>{"".join(parts)}</details>'


def _example(what: str, content: dict[str, Any]) -> str:
    shown = [example["value"] for example in content.get("examples", {}).values()]
    return "".join(f"<p>{what}</p><pre>{escape(json.dumps(value, indent=1, ensure_ascii=False))}</pre>" for value in shown)
