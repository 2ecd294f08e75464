"""Tables without borders."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(table: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Return the lines of a table; the columns of these numbers are aligned to the right, the others to the left."""
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in table
    ]
