"""The logs of a stack: their files, their ends, and new lines."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

from .services import BY_NAME, Instance

_MOST_BYTES = 512 * 1024
SUPERVISOR_LOGS = {"supervisord": "supervisord.log"}


def instance_logs(log: Path) -> dict[str, Path]:
    """Return the log of each instance by its name, in the order in which instances start."""
    found: list[tuple[int, Instance, Path]] = []
    for file in log.glob("*-*.log"):
        service, _, number = file.stem.rpartition("-")
        if service in BY_NAME and number.isdecimal():
            found.append((list(BY_NAME).index(service), Instance(service, int(number)), file))
    return {instance.name: file for _, instance, file in sorted(found)}


def tail(file: Path, lines: int) -> list[str]:
    """Return the last lines of a log, none if there is no such file."""
    try:
        with open(file, "rb") as log:
            size = log.seek(0, 2)
            start = max(0, size - _MOST_BYTES)
            log.seek(start)
            text = log.read().decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = text.splitlines()
    if start > 0:
        found = found[1:]  # the first line may be incomplete
    return found[-lines:] if lines > 0 else []


def written_since(lines: list[str], since: datetime | None) -> list[str]:
    """Return the lines of a log from a moment on; a line without a time belongs to the line before it."""
    if since is None:
        return lines
    for index, line in enumerate(lines):
        moment = _moment(line)
        if moment and moment >= since:
            return lines[index:]
    return []


def _moment(line: str) -> datetime | None:
    """Return the time at the beginning of a line, of a service or of supervisord."""
    word = line.split(" ", 1)[0]
    try:
        if "T" in word:
            moment = datetime.fromisoformat(re.sub(r"([+-][0-9]{2})([0-9]{2})$", r"\1:\2", word))
        else:
            moment = datetime.strptime(line[:19], "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.astimezone()


class FollowedLog:
    """Complete lines of a log as they are written, also after a new file of the same name has replaced it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._rest = b""

    def lines(self) -> list[str]:
        """Return the lines since the last call."""
        found: list[str] = []
        while True:
            if self._file is None and not self._open():
                return found
            found += self._read()
            if not self._is_replaced():
                return found
            found += self._read() + self._end()

    def close(self) -> list[str]:
        """Return a last line without a line break."""
        return self._read() + self._end() if self._file is not None else []

    def _open(self) -> bool:
        try:
            self._file = os.open(self._path, os.O_RDONLY)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def _read(self) -> list[str]:
        assert self._file is not None
        pieces = [self._rest]
        while piece := os.read(self._file, 1 << 16):
            pieces.append(piece)
        *whole, self._rest = b"".join(pieces).split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole]

    def _is_replaced(self) -> bool:
        assert self._file is not None
        try:
            return not os.path.samestat(os.stat(self._path), os.fstat(self._file))
        except (FileNotFoundError, NotADirectoryError):
            return False  # the new file does not exist yet

    def _end(self) -> list[str]:
        assert self._file is not None
        os.close(self._file)
        rest, self._file, self._rest = self._rest, None, b""
        return [rest.decode("utf-8", "replace")] if rest else []
