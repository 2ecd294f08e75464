"""Signals that end a command, as an exception."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn


class Interrupted(BaseException):
    """A signal that ends this command."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_received: list[int] = []


def handle_signals() -> None:
    """Raise `Interrupted` where one of the signals arrives that end a command."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)


def check() -> None:
    """Raise an interruption that Python has lost, for loops without an end.

    An exception is lost when its signal arrives while a finalizer runs, as that of a closed connection.
    """
    if _received:
        raise Interrupted(_received[0])


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    _received.append(number)
    raise Interrupted(number)
