"""`compose/stack logs`: the ends of the logs, each line with its instance before it."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from .logs import tail
from .problem import ExitCode, Problem, usage
from .run_folder import RunFolder, locate
from .services import BY_NAME, Instance, matching

_SUPERVISOR_LOGS = {"supervisord": "supervisord.log"}


def logs(options: Namespace) -> int:
    """Print the ends of the logs of this run, or of the last one when none runs."""
    if options.lines < 1:
        raise usage(f"--lines {options.lines}: give a number from 1 on")
    path = locate(os.environ)
    folder = RunFolder.existing(path)
    found = _instance_logs(folder.log) if folder else {}
    if folder is None or not found:
        raise Problem(f"there are no logs in {path / 'log'}", fix="They are written from compose/stack up on.")
    found.update({name: folder.log / file for name, file in _SUPERVISOR_LOGS.items()})
    chosen = _chosen(options.which, found)
    width = max(len(name) for name in chosen)
    for name in chosen:
        for line in tail(found[name], options.lines):
            print(f"{name:<{width}}  {line}")
    return ExitCode.OK


def _instance_logs(log: Path) -> dict[str, Path]:
    found: list[tuple[int, Instance, Path]] = []
    for file in log.glob("*-*.log"):
        service, _, number = file.stem.rpartition("-")
        if service in BY_NAME and number.isdecimal():
            found.append((list(BY_NAME).index(service), Instance(service, int(number)), file))
    return {instance.name: file for _, instance, file in sorted(found)}


def _chosen(which: str | None, found: dict[str, Path]) -> list[str]:
    if which is None:
        return [name for name in found if name not in _SUPERVISOR_LOGS]
    return matching(which, found)
