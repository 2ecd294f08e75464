"""Tables without borders that fit their terminal: columns are left out by priority."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TextIO

GAP = 2


def aligned(
    table: Sequence[Sequence[str]], right: Sequence[int] = (), priorities: Mapping[int, int] | None = None,
    limit: int | None = None,
) -> list[str]:
    """Return the lines of a table; the columns of the numbers in `right` are aligned to the right, the others to the left.

    If the lines are wider than the limit, the columns of the lowest priority are left out first; a column without a
    priority stays.
    """
    kept = list(range(len(table[0])))
    widths = [max(columns(line[column]) for line in table) for column in kept]
    optional = {column: priority for column, priority in (priorities or {}).items() if column in kept}
    while limit is not None and optional and sum(widths[column] + GAP for column in kept) - GAP > limit:
        lowest = min(optional.values())
        for column in [column for column, priority in optional.items() if priority == lowest]:
            kept.remove(column)
            del optional[column]
    return [
        (" " * GAP).join(_padded(line[column], widths[column], column in right) for column in kept).rstrip()
        for line in table
    ]


def wrapped(text: str, limit: int | None) -> str:
    """Return the text with lines broken at blanks where they exceed the limit, and continued two columns further right."""
    if limit is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in _parts(line, limit))


def _parts(line: str, limit: int) -> list[str]:
    if columns(line) <= limit:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")) + GAP)
    parts = [""]
    # Blanks that align columns belong to the word after them.
    for word in re.findall(" *[^ ]+", line):
        if parts[-1].strip() and columns(parts[-1] + word) > limit:
            parts.append(indent + word.lstrip(" "))
        else:
            parts[-1] += word
    return parts


def terminal_columns(stream: TextIO | None = None) -> int | None:
    """Return the width of the terminal of a stream, by default stdout, or `None` without one."""
    try:
        return os.get_terminal_size((stream or sys.stdout).fileno()).columns or None
    except (OSError, ValueError):
        return None


def columns(text: str) -> int:
    """Return the width of a text in terminal columns: Hangul takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _padded(cell: str, width: int, is_right: bool) -> str:
    gap = " " * (width - columns(cell))
    return gap + cell if is_right else cell + gap
