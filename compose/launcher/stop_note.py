"""The reason for the stop of a stack whose run folder, with its logs, was deleted.

The reason goes into a note beside the run folder, which the next command shows, and to syslog.
"""

from __future__ import annotations

import os
import stat
import syslog
import time
from pathlib import Path

_MOST_BYTES = 4096


def write(run: Path, text: str) -> None:
    """Write the reason into the note and to syslog."""
    text = os.fsencode(text).decode("utf-8", "replace")
    note = _path(run)
    try:
        note.unlink(missing_ok=True)
        # Only a new file: in /tmp another user can have put a link there.
        descriptor = os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}: {text}\n")
    except OSError:
        pass  # the parent of the run folder was deleted as well: only syslog has the reason
    syslog.openlog("boxoffice", syslog.LOG_PID, syslog.LOG_USER)
    syslog.syslog(syslog.LOG_ERR, text)  # does nothing on a machine without syslog


def read(run: Path) -> str:
    """Return the reason in the note, or nothing when there is no note of this user."""
    try:
        descriptor = os.open(_path(run), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
            return ""
        return file.read(_MOST_BYTES).decode("utf-8", "replace").strip()


def take(run: Path) -> str:
    """Return the reason and remove the note."""
    text = read(run)
    if text:
        _path(run).unlink(missing_ok=True)
    return text


def _path(run: Path) -> Path:
    return run.with_name(f"{run.name}.stopped")
