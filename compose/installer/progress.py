"""How far an installation is: one line that changes on a terminal, a line for each step elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import deque
from pathlib import Path

from launcher.language import say
from launcher.problem import ExitCode, Problem

_STEP = re.compile(r"^\[(\d+)/(\d+)\]")
_LAST_LINES = 30


class Progress:
    """The steps of an installation on stderr."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._width = 0

    def show(self, step: str) -> None:
        """Show what begins now."""
        if self._is_terminal:
            self._overwrite(f"{step} …")
        else:
            print(f"{step} …", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Remove the line of the last step from a terminal."""
        if self._is_terminal:
            self._overwrite("")

    def build(self, root: Path) -> None:
        """Build the release programs of a clone, or raise a problem with the compiler's last lines."""
        step = say("프로그램 빌드 중(처음에는 10분 정도)", "Building the programs (10 minutes the first time)")
        self.show(step)
        last: deque[str] = deque(maxlen=_LAST_LINES)
        with subprocess.Popen(
            ["swift", "build", "-c", "release"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            encoding="utf-8", errors="replace") as process:
            assert process.stdout
            for line in process.stdout:
                last.append(line.rstrip())
                if self._is_terminal and (counts := _STEP.match(line)):
                    self._overwrite(f"{step}: {counts[1]}/{counts[2]}")
        if process.returncode:
            self.end()
            raise Problem(say("빌드하지 못했습니다", "the build failed"), details=list(last), code=ExitCode.INTERNAL)

    def _overwrite(self, text: str) -> None:
        print(f"\r{text.ljust(self._width)}", end="" if text else "\r", file=sys.stderr, flush=True)
        self._width = len(text)
