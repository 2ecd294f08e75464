"""`compose/stack logs`: the ends of the logs, and with -f new lines as they are written."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from .colour import Palette
from .log_view import LogView
from .logs import SUPERVISOR_LOGS, instance_logs
from .problem import ExitCode, Problem, usage
from .run_folder import RunFolder, locate
from .services import BY_NAME, matching
from .supervisor import Supervisor


def logs(options: Namespace) -> int:
    """Print the ends of the logs of the current run, or of the last one when none runs."""
    if options.lines < 1:
        raise usage(f"--lines {options.lines}: give a number from 1 on")
    path = locate(os.environ)
    folder = RunFolder.existing(path)
    found = instance_logs(folder.log) if folder else {}
    if folder is None or not found:
        raise Problem(f"there are no logs in {path / 'log'}", fix="They are written from compose/stack up on.")
    found.update({name: folder.log / file for name, file in SUPERVISOR_LOGS.items()})
    chosen = _chosen_names(options.which, found)
    view = LogView(folder.log, Palette.of_output(options.no_color), _name_filter(options.which))
    view.show_ends({name: found[name] for name in chosen}, options.lines)
    if options.follow:
        supervisor = Supervisor(folder.supervisor_socket)
        view.follow(supervisor.is_reachable)
    else:
        view.close()
    return ExitCode.OK


def _chosen_names(which: str | None, found: dict[str, Path]) -> list[str]:
    if which is None:
        return [name for name in found if name not in SUPERVISOR_LOGS]
    return matching(which, found)


def _name_filter(which: str | None) -> Callable[[str], bool]:
    if which is None:
        return lambda _: True
    if which in BY_NAME:
        return lambda name: name.startswith(f"{which}/")
    return lambda name: which in (name, name.replace("/", "-"))
