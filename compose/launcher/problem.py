"""Failures in a common form: what, why, the fix, and an exit code."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from enum import IntEnum

from .installation import LAUNCHER
from .language import say


class ExitCode(IntEnum):
    """The exit codes of the whole product, as far as the launcher uses them."""

    OK = 0
    USAGE = 64
    UNAVAILABLE = 69
    INTERNAL = 70
    LOCAL_IO = 74
    CONFIGURATION = 78


class Problem(Exception):
    """A failure that is printed and ends the command."""

    def __init__(
        self,
        what: str,
        *,
        fix: str = "",
        details: Sequence[str] = (),
        code: ExitCode = ExitCode.UNAVAILABLE,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
        self.details = tuple(details)
        self.code = code

    def text(self, program: str = LAUNCHER) -> str:
        """Return the message that a program prints: the failure, its details, its fix."""
        lines = [f"{program}: {self.what}"]
        lines += [f"  {line}" for line in self.details]
        if self.fix:
            lines += [f"  {line}" for line in self.fix.splitlines()]
        return "\n".join(lines)


def usage(what: str, fix: str = "") -> Problem:
    """Return the problem of a command line that cannot be understood."""
    return Problem(what, fix=fix or say("도움말: compose/stack --help", "See: compose/stack --help"), code=ExitCode.USAGE)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the advice with the known word that an unknown one probably means; "" when none is close."""
    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.7)
    return say(f"'{names[close[0]]}'인가요?", f"Did you mean '{names[close[0]]}'?") if close else ""
