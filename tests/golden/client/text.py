"""Python text within the line length."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 150


def docstring(text: str, indent: str = "") -> list[str]:
    """A docstring; paragraphs are wrapped, the first line stands alone."""
    paragraphs = [" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n")]
    first, *rest = paragraphs
    whole = [f'"""{first}"""' if not rest else f'"""{first}']
    if len(indent + whole[0]) > WIDTH:
        whole = textwrap.wrap(whole[0], WIDTH - len(indent), break_long_words=False, break_on_hyphens=False)
    for paragraph in rest:
        whole += ["", *textwrap.wrap(paragraph, WIDTH - len(indent), break_long_words=False, break_on_hyphens=False)]
    if rest:
        whole.append('"""')
    return [f"{indent}{line}".rstrip() for line in whole]


def bracketed(head: str, parts: Sequence[str], tail: str, indent: str = "") -> list[str]:
    """`head(parts)tail` on one line where it fits, else its parts on lines of their own."""
    line = f"{indent}{head}{', '.join(parts)}{tail}"
    if len(line) <= WIDTH:
        return [line]
    inner: list[str] = []
    for part in parts:
        if inner and len(f"{indent}    {inner[-1]}, {part},") <= WIDTH:
            inner[-1] += f", {part}"
        else:
            inner.append(part)
    return [f"{indent}{head}", *(f"{indent}    {line}," for line in inner[:-1]), f"{indent}    {inner[-1]}", f"{indent}{tail}"]


def imported(module: str, names: Iterable[str]) -> list[str]:
    """`from module import names`, as isort orders them; nothing without names."""
    ordered = sorted(set(names), key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    if not ordered:
        return []
    line = f"from {module} import {', '.join(ordered)}"
    return [line] if len(line) <= WIDTH else [f"from {module} import (", *(f"    {name}," for name in ordered), ")"]
