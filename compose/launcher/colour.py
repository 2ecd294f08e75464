"""Colour on terminals that support it, by the rules that all programs of the product share."""

from __future__ import annotations

import os
import sys
import zlib

_OF_INSTANCES = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)
_RED = 31
_YELLOW = 33


def _choice(variable: str) -> bool | None:
    """Return what a variable chooses: 0 and false are no, another value is yes, and without a value there is no choice."""
    value = os.environ.get(variable)
    return value.lower() not in ("0", "false") if value else None


class Palette:
    """Colours, or none."""

    def __init__(self, is_coloured: bool) -> None:
        self._is_coloured = is_coloured

    @classmethod
    def of_output(cls, unwanted: bool = False) -> Palette:
        """Return the palette for stdout: NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR override its type, in this order."""
        if unwanted or os.environ.get("NO_COLOR"):
            return cls(False)
        forced = _choice("FORCE_COLOR")
        if forced is None and _choice("CLICOLOR_FORCE"):
            forced = True
        possible = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and _choice("CLICOLOR") is not False
        return cls(possible if forced is None else forced)

    def instance(self, name: str, text: str) -> str:
        """Colour a text of an instance; an instance always has the same colour."""
        return self._coloured(text, _OF_INSTANCES[zlib.crc32(name.encode()) % len(_OF_INSTANCES)])

    def red(self, text: str) -> str:
        """Colour an error."""
        return self._coloured(text, _RED)

    def yellow(self, text: str) -> str:
        """Colour a warning."""
        return self._coloured(text, _YELLOW)

    def _coloured(self, text: str, code: int) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_coloured else text
