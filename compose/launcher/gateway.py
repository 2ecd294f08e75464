"""The gateway of the stack, which knows the settings and can ask the services."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .binaries import GATEWAY, check_gateway
from .installation import PROGRAMS, ROOT
from .language import chosen_option, say
from .problem import Problem
from .record import StackRecord
from .run_folder import RunFolder, locate
from .supervisor import Supervisor

_SECONDS = 20.0


def running_record() -> StackRecord | None:
    """Return the record of the stack that runs in the run folder of the environment; `None` when none can be found."""
    try:
        folder = RunFolder.existing(locate(os.environ))
        if folder and Supervisor(folder.supervisor_socket).is_reachable():
            return StackRecord.load(folder)
    except Problem:
        pass  # reported by the check of the run folder
    return None


def usual_gateway() -> Path:
    """Return the gateway of the running stack, else the installed or built one, or raise a problem."""
    if record := running_record():
        return record.gateway
    folders = (PROGRAMS, ROOT / ".build" / "debug")
    folder = next((folder for folder in folders if os.access(folder / GATEWAY, os.X_OK)), PROGRAMS)
    check_gateway(folder)
    return folder / GATEWAY


def warn_of_unknown_settings(gateway: Path, environ: Mapping[str, str]) -> None:
    """Name each variable that looks like a setting and that no program reads."""
    for unknown in ask(gateway, environ, "config")[0]["unknown"]:
        meant = unknown["suggestion"]
        advice = say(f" {meant}인가요?", f" Did you mean {meant}?") if meant else ""
        print(say(f"{unknown['name']}: 알 수 없는 설정입니다.{advice}", f"{unknown['name']}: unknown setting.{advice}"), file=sys.stderr)


def command(gateway: Path, *arguments: str) -> list[str]:
    """Return a command line that speaks the language of this one."""
    return [str(gateway), *arguments, *chosen_option()]


def ask(gateway: Path, environ: Mapping[str, str], *arguments: str) -> tuple[dict[str, Any], int]:
    """Return what a command prints as JSON, and its exit code; raise a problem when it prints none."""
    result = subprocess.run(
        command(gateway, *arguments, "--json"), env=dict(environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False, timeout=_SECONDS)
    try:
        return dict(json.loads(result.stdout)), result.returncode
    except (ValueError, TypeError) as error:
        lines = result.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Problem(f"{GATEWAY} {arguments[0]}: {lines[-1] if lines else error}") from error
