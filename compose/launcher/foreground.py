"""`compose/stack up --foreground`: shows the logs; the end of this command stops the stack."""

from __future__ import annotations

import time

from .terminal import Palette
from .given_up import TAIL_LINES, GivenUp
from .keeper import Keeper, lost_folder
from .language import say
from .log_view import LogView
from .logs import SUPERVISOR_LOGS, tail
from .problem import ExitCode, Problem
from .run_folder import RunFolder
from .stopping import ignored_signals
from .supervisor import Supervisor, SupervisorUnreachable

CHECK_SECONDS = 1.0


def run_in_foreground(folder: RunFolder, keeper: Keeper) -> int:
    """Show the logs until the stack has ended, or until a signal ends it."""
    palette = Palette.of_output()
    watch = _Watch(folder, palette)

    def is_running() -> bool:
        watch.check()
        return not keeper.has_ended()

    try:
        LogView(folder.log, palette).follow(is_running)
    except BaseException:
        began = time.monotonic()
        with ignored_signals():
            keeper.abandon()
        seconds = time.monotonic() - began
        print(say(f"{folder.path}의 스택을 {seconds:.1f}초 만에 종료했습니다. 로그와 캐시는 유지됩니다.",
                  f"Stopped the stack in {folder.path} in {seconds:.1f} s. Logs and cache were kept."))
        raise
    if keeper.has_lost_folder:
        raise lost_folder(folder.path)
    if keeper.has_failed:
        raise Problem(
            say("supervisord가 종료되어 스택도 종료되었습니다", "supervisord ended, and so did the stack"),
            details=tail(folder.log / "supervisord.err", TAIL_LINES),
            fix=say(f"전체 로그: {folder.log / SUPERVISOR_LOGS['supervisord']}",
                    f"Full log: {folder.log / SUPERVISOR_LOGS['supervisord']}"),
        )
    print(say(f"{folder.path}의 스택이 종료되었습니다. 로그와 캐시는 유지됩니다.",
              f"The stack in {folder.path} was stopped. Logs and cache were kept."))
    return ExitCode.OK


class _Watch:
    """Reports each instance once when it is no longer restarted."""

    def __init__(self, folder: RunFolder, palette: Palette) -> None:
        self._folder = folder
        self._palette = palette
        self._supervisor = Supervisor(folder.supervisor_socket)
        self._reported: set[str] = set()
        self._next = 0.0

    def check(self) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + CHECK_SECONDS
        try:
            states = self._supervisor.processes()
        except SupervisorUnreachable:
            return  # it is ending
        given_up = [GivenUp(self._folder, state) for state in states if state.is_given_up]
        for instance in given_up:
            if instance.name not in self._reported:
                self._reported.add(instance.name)
                print(self._palette.red(instance.text()), flush=True)
        self._reported &= {instance.name for instance in given_up}
