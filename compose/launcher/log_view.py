"""Logs on the screen: each line after the name of its instance, including new instances."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from . import interruption
from .terminal import Palette
from .logs import FollowedLog, instance_logs, written_since

INTERVAL_SECONDS = 0.1


class LogView:
    """Prints all or some logs of a stack."""

    def __init__(self, log: Path, palette: Palette, is_wanted: Callable[[str], bool] = lambda _: True) -> None:
        self._log = log
        self._palette = palette
        self._is_wanted = is_wanted
        self._followed: dict[str, FollowedLog] = {}
        self._width = 0

    def show_ends(self, files: dict[str, Path], lines: int, since: datetime | None = None) -> None:
        """Print the last complete lines of each log (since a moment); `follow` prints those written after this call."""
        self._width = max((len(name) for name in files), default=0)
        for name, file in files.items():
            self._followed[name] = log = FollowedLog(file)
            self._print(name, written_since(log.lines(), since)[-lines:])

    def follow(self, is_running: Callable[[], bool]) -> None:
        """Print new lines while the condition holds, and the remaining ones after it."""
        while is_running():
            interruption.check()
            self._print_new_lines()
            time.sleep(INTERVAL_SECONDS)
        self._print_new_lines()
        self.close()

    def close(self) -> None:
        """Print last lines without a line break."""
        for name, log in self._followed.items():
            self._print(name, log.close())

    def _print_new_lines(self) -> None:
        for name, file in self._wanted_logs().items():
            if name not in self._followed:
                self._followed[name] = FollowedLog(file)
        for name, log in self._followed.items():
            self._print(name, log.lines())

    def _wanted_logs(self) -> dict[str, Path]:
        found = {name: file for name, file in instance_logs(self._log).items() if self._is_wanted(name)}
        self._width = max([self._width, *(len(name) for name in found)])
        return found

    def _print(self, name: str, lines: list[str]) -> None:
        prefix = self._palette.instance(name, f"{name:<{self._width}}")
        for line in lines:
            print(f"{prefix}  {line}")
        if lines:
            print(end="", flush=True)
