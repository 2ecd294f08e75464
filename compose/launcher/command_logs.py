"""`compose/stack logs`: the ends of the logs, and with -f new lines as they are written."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from .terminal import Palette
from .language import say
from .log_view import LogView
from .logs import SUPERVISOR_LOGS, instance_logs
from .problem import ExitCode, Problem, usage
from .run_folder import RunFolder, locate
from .services import BY_NAME, matching
from .supervisor import Supervisor


DEFAULT_LINES = 20


def logs(options: Namespace) -> int:
    """Print the ends of the logs of the current run, or of the last one when none runs."""
    since = _moment(options.since)
    if options.lines is None:
        options.lines = sys.maxsize if since else DEFAULT_LINES
    if options.lines < 1:
        raise usage(say(f"--lines {options.lines}: 1 이상의 정수여야 합니다", f"--lines {options.lines}: must be a whole number of at least 1"))
    path = locate(os.environ)
    folder = RunFolder.existing(path)
    found = instance_logs(folder.log) if folder else {}
    if folder is None or not found:
        raise Problem(
            say(f"{path / 'log'}에 로그가 없습니다", f"there are no logs in {path / 'log'}"),
            fix=say("로그는 compose/stack up을 실행할 때부터 기록됩니다.", "Logs are written once a stack runs: compose/stack up"))
    found.update({name: folder.log / file for name, file in SUPERVISOR_LOGS.items()})
    chosen = _chosen_names(options.which, found)
    view = LogView(folder.log, Palette.of_output(options.no_color), _name_filter(options.which))
    view.show_ends({name: found[name] for name in chosen}, options.lines, since)
    if options.follow:
        supervisor = Supervisor(folder.supervisor_socket)
        view.follow(supervisor.is_reachable)
    else:
        view.close()
    return ExitCode.OK


def _moment(text: str | None) -> datetime | None:
    """Return the moment that lies so long ago, as in 5m."""
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,6})([smhd])", text)
    if not match:
        raise usage(say(f"--since {text}: 잘못된 시간입니다. 예: 30s, 5m, 2h, 1d",
                        f"--since {text}: invalid duration. Use e.g. 30s, 5m, 2h or 1d"))
    seconds = int(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[match[2]]
    return datetime.now(timezone.utc) - timedelta(seconds=seconds)


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
