"""Stops a stack in order: fetchers, their dependencies, the broker, supervisord, the files."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from .language import say
from .problem import Problem
from .processes import end_marked, wait_for_exit
from .run_folder import RunFolder
from .services import BY_NAME
from .supervisor import ProcessState, Supervisor, SupervisorUnreachable
from .supervisor_configuration import STOP_WAIT_SECONDS
from .waiting import wait_until

SUPERVISOR_SECONDS = 5.0
GRACE_SECONDS = STOP_WAIT_SECONDS + 2.0
CLEANING_SECONDS = 4 * GRACE_SECONDS + SUPERVISOR_SECONDS
"""The longest time until nothing is left: a grace for each stage of the stop, and one for processes that ignore TERM."""


@contextmanager
def ignored_signals() -> Iterator[None]:
    """Ignore signals of the keyboard or a closing terminal, so that none interrupts a stop."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Defer signals until the end of the block."""
    numbers = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)


def stop_everything(folder: RunFolder) -> int:
    """Stop all processes of this run folder, remove its files, and return the number of services that ran."""
    keeper = folder.holder()
    services = shut_down(folder)
    if not await_keeper(folder):
        raise Problem(
            say(f"스택의 감시 프로세스 {folder.holder()}: 종료되지 않습니다",
                f"the keeper of the stack, process {folder.holder()}, does not stop"),
            fix=say("그 프로세스를 종료한 뒤: compose/stack down", "Stop that process, then: compose/stack down"),
        )
    if keeper:
        wait_for_exit([keeper], SUPERVISOR_SECONDS)  # a process that ends gives up its lock before it is gone
    left = clean_up(folder)  # of a stack whose keeper was killed
    return services or left


def shut_down(folder: RunFolder) -> int:
    """Stop the processes of supervisord in order, then supervisord; return the number of processes."""
    try:
        supervisor = Supervisor(folder.supervisor_socket)
        services = len([state for state in supervisor.processes() if state.is_alive])
        _drain(supervisor)
        pid = supervisor.pid()
        supervisor.shut_down()
        wait_for_exit([pid], SUPERVISOR_SECONDS)
        return services
    except SupervisorUnreachable:
        return 0  # the remaining processes are found by their mark


def await_keeper(folder: RunFolder) -> bool:
    """Wait for the stack's lock, which its keeper and supervisord hold until they end; return whether it is free."""

    def is_free() -> bool:
        lock = folder.take_stack_lock()
        if lock is not None:
            os.close(lock)
        return lock is not None

    return wait_until(is_free, CLEANING_SECONDS)


def clean_up(folder: RunFolder) -> int:
    """End the remaining processes of a stack without supervisord, remove its files, and return their number."""
    left = end_marked(folder.path, GRACE_SECONDS)
    folder.remove_files()
    return left


def _drain(supervisor: Supervisor) -> None:
    for stage in sorted({service.stop_stage for service in BY_NAME.values()}):
        members = [state for state in supervisor.processes() if _stage(state) == stage]
        for state in members:
            supervisor.stop(state.instance)
        wait_for_exit([state.pid for state in members if state.is_alive], GRACE_SECONDS)


def _stage(state: ProcessState) -> int:
    return BY_NAME[state.instance.service].stop_stage
