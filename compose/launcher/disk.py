"""Checks the free space of the folders that a stack writes to."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .language import say
from .problem import ExitCode, Problem

LEAST_FREE_BYTES = 16 * 1024 * 1024


def check_room(name: str, folder: Path, variable: str, needed: int = LEAST_FREE_BYTES) -> int:
    """Return the free bytes where a folder is or would be created; raise a problem if they are fewer than `needed`.

    `variable` is the environment variable that sets the path of the folder.
    """
    free = _free_bytes(folder)
    if free < needed:
        raise Problem(
            say(f"{name} {folder}: 디스크 여유 공간이 {free / 1_000_000:.1f} MB입니다({needed / 1_000_000:.0f} MB 필요)",
                f"{name} {folder}: only {free / 1_000_000:.1f} MB free, {needed / 1_000_000:.0f} MB needed"),
            fix=say(f"공간을 확보하거나 {variable}을(를) 다른 디스크의 디렉터리로 설정하세요.",
                    f"Free some space, or set {variable} to a directory on another disk."), code=ExitCode.LOCAL_IO,
        )
    return free


def _free_bytes(folder: Path) -> int:
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x" * 4096)
            file.flush()
    except OSError as error:
        raise Problem(
            say(f"{folder}에 쓸 수 없습니다: {error.strerror}", f"cannot write to {folder}: {error.strerror}"),
            fix=say("여유 공간과 권한을 확인하세요.", "Check its free space and permissions."),
            code=ExitCode.LOCAL_IO,
        ) from error
    facts = os.statvfs(folder)
    return facts.f_bavail * facts.f_frsize
