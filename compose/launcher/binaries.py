"""The built executables, and the problem of a missing one."""

from __future__ import annotations

import os
from pathlib import Path

from .installation import IS_INSTALLED, ROOT
from .language import say
from .problem import Problem
from .services import SERVICES

GATEWAY = "gateway"


def check(folder: Path, demo: bool) -> None:
    """Raise a problem unless every executable of a stack exists and can be run."""
    _check(folder, [service.name for service in SERVICES if demo or not service.isDemoOnly] + [GATEWAY])


def check_gateway(folder: Path) -> None:
    """Raise a problem unless the gateway exists and can be run."""
    _check(folder, [GATEWAY])


def _check(folder: Path, names: list[str]) -> None:
    missing = [name for name in names if not os.access(folder / name, os.X_OK)]
    if missing:
        command = "swift build" if folder.name == "debug" else "swift build -c release"
        listed = ", ".join(missing)
        fix = say(f"--bin 경로를 확인하거나 {ROOT}에서 빌드하세요: {command}", f"Check --bin, or build them in {ROOT}: {command}")
        if IS_INSTALLED:
            fix = say("저장소에서 다시 설치하세요: compose/install", "Install again from a clone: compose/install")
        raise Problem(say(f"{folder}에 프로그램이 없습니다: {listed}", f"programs not found in {folder}: {listed}"), fix=fix)
