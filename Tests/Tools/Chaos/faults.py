"""The faults of processes."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from launcher.problem import ExitCode

from .health import Health
from .stack import Stack, StackProblem

KILL, STOP, RESTART = "kill -9", "SIGSTOP", "restart"
_PAUSE_SECONDS = (0.2, 1.4)
"""The pause between the starts of two faults; they may overlap."""
_STOPPED_SECONDS = (0.3, 3.0)
_MOST_KILLS = 4
"""The limit for one instance in a minute: after more kills the supervisor pauses longer before each restart."""


@dataclass
class Fault:
    """A fault of an instance, and the time until the instance served again."""

    instance: str
    kind: str
    began: float
    seconds: float = 0.0
    """The duration of a suspension."""
    recovered: float | None = None
    trouble: str = ""
    """The reason why the fault could not be caused."""


class Faults:
    """Faults at random, one after another and some at once, never two of the same instance."""

    def __init__(self, stack: Stack, health: Health, chance: random.Random) -> None:
        self._stack = stack
        self._health = health
        self._chance = chance
        self._threads: list[threading.Thread] = []
        self._restarting = threading.Lock()
        self.done: list[Fault] = []
        self.last_at = time.monotonic()
        """The time at which the last fault ended."""

    def run(self, seconds: float) -> None:
        """Cause faults for so many seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(self._chance.uniform(*_PAUSE_SECONDS))
            kind = self._chance.choice((KILL, STOP, RESTART))
            stopped = self._chance.uniform(*_STOPPED_SECONDS)
            states = self._stack.processes()
            # In the order of names, so that the same seed chooses the same instances if they are available.
            choice = self._chance.random()
            available = sorted(name for name, state in states.items() if state.is_alive and self._is_allowed(name, kind))
            if not available:
                continue
            name = available[int(choice * len(available))]
            self._begin(Fault(name, kind, time.monotonic(), stopped if kind == STOP else 0.0), states[name].pid)

    def end(self) -> None:
        """Wait until all faults have ended."""
        for thread in self._threads:
            thread.join()

    def _is_allowed(self, name: str, kind: str) -> bool:
        if any(fault.instance == name and fault.recovered is None for fault in self.done):
            return False
        lately = time.monotonic() - 60
        kills = [fault for fault in self.done if (fault.instance, fault.kind) == (name, KILL) and fault.began > lately]
        return kind != KILL or len(kills) < _MOST_KILLS

    def _begin(self, fault: Fault, pid: int) -> None:
        self.done.append(fault)
        actions: dict[str, Callable[[], object]] = {
            KILL: lambda: os.kill(pid, signal.SIGKILL),
            STOP: lambda: _stop(pid, fault.seconds),
            RESTART: lambda: self._restart(fault.instance),
        }
        thread = threading.Thread(target=self._carry_out, args=(fault, actions[fault.kind]), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _carry_out(self, fault: Fault, action: Callable[[], object]) -> None:
        # Only one command at a time can change a stack; the fault begins after the wait for the lock.
        with self._restarting if fault.kind == RESTART else nullcontext():
            fault.began = time.monotonic()
            is_back = self._health.mark_unhealthy(fault.instance, forgets=fault.kind != STOP)
            try:
                action()
            except Exception as error:  # part of the report, since the exception of a thread is not reported
                fault.trouble = str(error)
            self.last_at = max(self.last_at, time.monotonic())
        if is_back():
            fault.recovered = time.monotonic()

    def _restart(self, instance: str) -> None:
        code = self._stack.command("restart", instance, check=False)
        # It may report other instances with faults; the registration shows whether this one serves again.
        if code not in (ExitCode.OK, ExitCode.UNAVAILABLE):
            raise StackProblem(f"compose/stack restart {instance} ended with {code}")


def _stop(pid: int, seconds: float) -> None:
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        os.kill(pid, signal.SIGCONT)
