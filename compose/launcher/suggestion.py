"""The known word that an unknown word probably means."""

from __future__ import annotations

from collections.abc import Iterable

MOST_EDITS = 2
"""The largest edit distance of a suggestion; the programs in Swift have the same."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word with the smallest edit distance; `None` when none is close."""
    distances = [(_distance(word.lower(), name.lower()), name) for name in known]
    # A short word is close to too many others.
    limit = min(MOST_EDITS, max(1, len(word) // 3))
    edits, name = min(distances, default=(limit + 1, ""), key=lambda entry: entry[0])
    return name if edits <= limit else None


def _distance(first: str, second: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours (Damerau and Levenshtein, restricted)."""
    rows = [list(range(len(second) + 1))]
    for i, letter in enumerate(first):
        row = [i + 1]
        for j, other in enumerate(second):
            best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter != other))
            if i > 0 and j > 0 and letter == second[j - 1] and first[i - 1] == other:
                best = min(best, rows[i - 1][j - 1] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
