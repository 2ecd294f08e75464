"""The exceptions that a check raises, and the text form of frames."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST_SHOWN = 40


class Deviation(Exception):
    """A broken rule: what was expected, and what was received."""

    def __init__(self, expected: str, came: str) -> None:
        super().__init__(f"expected {expected}, came {came}")
        self.expected = expected
        self.came = came


class NotSpoken(Exception):
    """The broker does not support this, and the RFC does not require it."""


def show(frames: Sequence[bytes] | None) -> str:
    """Return a readable form of a message: text in quotes, other bytes in hexadecimal, long frames by their size."""
    if frames is None:
        return "nothing"
    if len(frames) > 10:
        return f"[{', '.join(_frame(frame) for frame in frames[:8])}, … {len(frames)} frames]"
    return f"[{', '.join(_frame(frame) for frame in frames)}]"


def _frame(frame: bytes) -> str:
    if len(frame) > _LONGEST_SHOWN:
        return f"{len(frame)} bytes"
    text = frame.decode("ascii", "replace")
    if frame and not (text.isprintable() and text.isascii()):
        return frame.hex(" ")
    return f'"{text}"'


def expect(expected: Sequence[bytes], came: Sequence[bytes] | None) -> None:
    """Raise a deviation unless a message is exactly as expected."""
    if came is None or list(came) != list(expected):
        raise Deviation(show(expected), show(came))
