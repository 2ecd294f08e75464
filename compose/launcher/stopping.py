"""Ending a stack in order: fetchers, what they lean on, the broker, supervisord, the files."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from .processes import end_marked, wait_for_exit
from .run_folder import RunFolder
from .services import BY_NAME
from .supervisor import ProcessState, Supervisor, SupervisorUnreachable
from .supervisor_configuration import STOP_WAIT_SECONDS

SUPERVISOR_SECONDS = 5.0
GRACE_SECONDS = STOP_WAIT_SECONDS + 2.0


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no signal of a keyboard or a closing terminal leave a stack half stopped."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)


def stop_everything(folder: RunFolder) -> int:
    """Stop all processes of this run folder, remove its files, and return how many services had run."""
    services = 0
    try:
        supervisor = Supervisor(folder.supervisor_socket)
        services = len([state for state in supervisor.processes() if state.is_alive])
        _drain(supervisor)
        pid = supervisor.pid()
        supervisor.shut_down()
        wait_for_exit([pid], SUPERVISOR_SECONDS)
    except SupervisorUnreachable:
        pass  # what it left behind is found by its mark
    left = end_marked(folder.path, GRACE_SECONDS)
    folder.remove_files()
    return services or left


def _drain(supervisor: Supervisor) -> None:
    for stage in sorted({service.stop_stage for service in BY_NAME.values()}):
        members = [state for state in supervisor.processes() if _stage(state) == stage]
        for state in members:
            supervisor.stop(state.instance)
        wait_for_exit([state.pid for state in members if state.is_alive], GRACE_SECONDS)


def _stage(state: ProcessState) -> int:
    return BY_NAME[state.instance.service].stop_stage
