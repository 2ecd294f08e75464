"""A flaw as an edit of a source."""

from __future__ import annotations


def edited(text: str, snippet: str, replacement: str, *, name: str, file: str, command: str) -> str:
    """Return the source with the flaw in it; an edit that fits nowhere, or in two places, is no edit."""
    count = text.count(snippet)
    if count != 1:
        raise SystemExit(f"{command}: mutant “{name}”: its snippet stands {count} times in {file}")
    return text.replace(snippet, replacement)
