"""Colour on a terminal that knows it, by the rules that all programs of the product share."""

from __future__ import annotations

import os
import sys
import zlib

_OF_INSTANCES = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)
_RED = 31
_YELLOW = 33


class Palette:
    """Colours, or none."""

    def __init__(self, is_coloured: bool) -> None:
        self._is_coloured = is_coloured

    @classmethod
    def of_output(cls, unwanted: bool = False) -> Palette:
        """Return colours if stdout shall have them: NO_COLOR beats FORCE_COLOR, which beats what stdout is."""
        if unwanted or os.environ.get("NO_COLOR"):
            return cls(False)
        forced = bool(os.environ.get("FORCE_COLOR"))
        return cls(forced or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb"))

    def instance(self, name: str, text: str) -> str:
        """Paint a text of an instance, which has the same colour each time."""
        return self._painted(text, _OF_INSTANCES[zlib.crc32(name.encode()) % len(_OF_INSTANCES)])

    def red(self, text: str) -> str:
        """Paint what has gone wrong."""
        return self._painted(text, _RED)

    def yellow(self, text: str) -> str:
        """Paint a warning."""
        return self._painted(text, _YELLOW)

    def _painted(self, text: str, code: int) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_coloured else text
