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
    names = [service.name for service in SERVICES if demo or not service.isDemoOnly] + [GATEWAY]
    missing = [name for name in names if not os.access(folder / name, os.X_OK)]
    if missing:
        command = "swift build" if folder.name == "debug" else "swift build -c release"
        names = ", ".join(missing)
        fix = say(f"빌드하세요: {command}   ({ROOT}에서)", f"Build with: {command}   (in {ROOT})")
        if IS_INSTALLED:
            fix = say("복제본에서 다시 설치하세요: compose/install", "Install again, in a clone: compose/install")
        raise Problem(say(f"{folder}에 없는 프로그램: {names}", f"missing in {folder}: {names}"), fix=fix)
