"""The ends of log files."""

from __future__ import annotations

from pathlib import Path

_MOST_BYTES = 512 * 1024


def tail(file: Path, lines: int) -> list[str]:
    """Return the last lines of a log, none if there is no such file."""
    try:
        with open(file, "rb") as log:
            size = log.seek(0, 2)
            start = max(0, size - _MOST_BYTES)
            log.seek(start)
            text = log.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    found = text.splitlines()
    if start > 0:
        found = found[1:]  # the first one may have lost its beginning
    return found[-lines:] if lines > 0 else []
