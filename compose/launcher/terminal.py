"""What the launcher prints: tables without borders, colours, and the words of argparse in the language of the output."""

from __future__ import annotations

import argparse
import os
import re
import sys
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from typing import NoReturn, TextIO

from .language import say
from .problem import ExitCode

_GAP = 2


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
    while limit is not None and optional and sum(widths[column] + _GAP for column in kept) - _GAP > limit:
        lowest = min(optional.values())
        for column in [column for column, priority in optional.items() if priority == lowest]:
            kept.remove(column)
            del optional[column]
    return [
        (" " * _GAP).join(_padded(line[column], widths[column], column in right) for column in kept).rstrip()
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
    indent = " " * (len(line) - len(line.lstrip(" ")) + _GAP)
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


_OF_INSTANCES = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)
_GREEN = 32
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

    def green(self, text: str) -> str:
        """Colour what is as it should be."""
        return self._coloured(text, _GREEN)

    def red(self, text: str) -> str:
        """Colour an error."""
        return self._coloured(text, _RED)

    def yellow(self, text: str) -> str:
        """Colour a warning."""
        return self._coloured(text, _YELLOW)

    def _coloured(self, text: str, code: int) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_coloured else text


_HEADINGS = {
    "usage: ": "사용법: ", "positional arguments:": "인자:", "options:": "옵션:",
}
_NOTES = {"show this help message and exit": "도움말 출력"}
_ERRORS = (
    (r"the following arguments are required: (.+)", r"인자를 지정하세요: \1", r"Missing argument: \1"),
    (r"unrecognized arguments: (-\S+).*", r"'\1' 옵션은 없습니다.", r"Unknown option '\1'."),
    (r"unrecognized arguments: (.+)", r"'\1' 인자는 받지 않습니다.", r"Unexpected argument '\1'."),
    (r"argument (\S+): expected one argument", r"'\1' 옵션에 값이 없습니다.", r"Option '\1' needs a value."),
    (r"argument (\S+): invalid choice: (\S+) \(choose from (.+)\)", r"\2: '\1'에 쓸 수 없는 값입니다. 쓸 수 있는 값: \3",
     r"Invalid value \2 for '\1'. Values: \3"),
    (r"argument (\S+): invalid int value: (.+)", r"\2: '\1'에 쓸 수 없는 값입니다. 정수를 지정하세요.", r"Invalid value \2 for '\1'. Give a whole number."),
    (r"argument (\S+): ignored explicit argument (.+)", r"'\1' 옵션은 값을 받지 않습니다(\2).", r"Option '\1' takes no value (\2)."),
)


def help_text(text: str) -> str:
    """Return a help text with headings and notes in the language of the output."""
    for words in (_HEADINGS, _NOTES):
        for english, korean in words.items():
            text = text.replace(english, say(korean, english))
    return text


def parser_error(message: str) -> str:
    """Return an error of argparse in the gateway's words."""
    for pattern, korean, english in _ERRORS:
        if match := re.fullmatch(pattern, message):
            return match.expand(say(korean, english))
    return message


class UsageParser(argparse.ArgumentParser):
    """argparse with the product's exit code instead of 2."""

    def error(self, message: str) -> NoReturn:
        """Print the error and the command that shows the help."""
        print(f"{self.prog}: {message}\n  See: {self.prog} --help", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
