"""`compose/stack up --foreground`: the logs on the screen, and the end of this command is the end of the stack."""

from __future__ import annotations

import time

from .colour import Palette
from .given_up import TAIL_LINES, GivenUp
from .keeper import Keeper, lost_folder
from .log_view import LogView
from .logs import SUPERVISOR_LOGS, tail
from .problem import ExitCode, Problem
from .run_folder import RunFolder
from .stopping import undisturbed
from .supervisor import Supervisor, SupervisorUnreachable

LOOK_SECONDS = 1.0


def stay(folder: RunFolder, keeper: Keeper) -> int:
    """Show the logs until the stack has ended, or until a signal ends it."""
    palette = Palette.of_output()
    watch = _Watch(folder, palette)

    def goes_on() -> bool:
        watch.look()
        return not keeper.has_ended()

    try:
        LogView(folder.log, palette).follow(goes_on)
    except BaseException:
        began = time.monotonic()
        with undisturbed():
            keeper.abandon()
        print(f"The stack in {folder.path} is stopped in {time.monotonic() - began:.1f} s. Logs and cache stay.")
        raise
    if keeper.has_lost_folder:
        raise lost_folder(folder.path)
    if keeper.has_failed:
        raise Problem(
            "supervisord has ended, and the stack with it", details=tail(folder.log / "supervisord.err", TAIL_LINES),
            fix=f"All of its log: {folder.log / SUPERVISOR_LOGS['supervisord']}",
        )
    print(f"The stack in {folder.path} has been stopped. Logs and cache stay.")
    return ExitCode.OK


class _Watch:
    """Tells once of each instance that has been given up."""

    def __init__(self, folder: RunFolder, palette: Palette) -> None:
        self._folder = folder
        self._palette = palette
        self._supervisor = Supervisor(folder.supervisor_socket)
        self._told: set[str] = set()
        self._next = 0.0

    def look(self) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LOOK_SECONDS
        try:
            states = self._supervisor.processes()
        except SupervisorUnreachable:
            return  # it ends just now
        given_up = [GivenUp(self._folder, state) for state in states if state.is_given_up]
        for instance in given_up:
            if instance.name not in self._told:
                self._told.add(instance.name)
                print(self._palette.red(instance.text()), flush=True)
        self._told &= {instance.name for instance in given_up}
