"""Logs on the screen: each line with its instance before it, those of new instances as well."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from .colour import Palette
from .logs import FollowedLog, instance_logs

INTERVAL_SECONDS = 0.1


class LogView:
    """Prints the logs of a stack, or some of them."""

    def __init__(self, log: Path, palette: Palette, is_wanted: Callable[[str], bool] = lambda _: True) -> None:
        self._log = log
        self._palette = palette
        self._is_wanted = is_wanted
        self._followed: dict[str, FollowedLog] = {}
        self._width = 0

    def show_ends(self, files: dict[str, Path], lines: int) -> None:
        """Print the last lines of each that have ended; what is written from now on is left to `follow`."""
        self._width = max((len(name) for name in files), default=0)
        for name, file in files.items():
            self._followed[name] = log = FollowedLog(file)
            self._print(name, log.lines()[-lines:])

    def follow(self, goes_on: Callable[[], bool]) -> None:
        """Print what is written for as long as it goes on, and what was written up to then."""
        while goes_on():
            self._show_news()
            time.sleep(INTERVAL_SECONDS)
        self._show_news()
        self.close()

    def close(self) -> None:
        """Print last lines that nobody has ended."""
        for name, log in self._followed.items():
            self._print(name, log.close())

    def _show_news(self) -> None:
        for name, file in self._wanted().items():
            if name not in self._followed:
                self._followed[name] = FollowedLog(file)
        for name, log in self._followed.items():
            self._print(name, log.lines())

    def _wanted(self) -> dict[str, Path]:
        found = {name: file for name, file in instance_logs(self._log).items() if self._is_wanted(name)}
        self._width = max([self._width, *(len(name) for name in found)])
        return found

    def _print(self, name: str, lines: list[str]) -> None:
        prefix = self._palette.instance(name, f"{name:<{self._width}}")
        for line in lines:
            print(f"{prefix}  {line}")
        if lines:
            print(end="", flush=True)
