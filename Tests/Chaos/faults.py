"""What is done to the processes."""

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
"""Between the beginnings of two faults; they may overlap."""
_STOPPED_SECONDS = (0.3, 3.0)
_MOST_KILLS = 4
"""Of one instance in a minute: beyond that the supervisor makes longer and longer pauses, as it should."""


@dataclass
class Fault:
    """Something that was done to an instance, and how long it lasted until the instance served again."""

    instance: str
    kind: str
    began: float
    seconds: float = 0.0
    """For how long it was stopped."""
    recovered: float | None = None
    trouble: str = ""
    """Why it could not be done."""


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
        """When the last of them was over, whatever it left behind."""

    def run(self, seconds: float) -> None:
        """Do harm for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(self._chance.uniform(*_PAUSE_SECONDS))
            kind = self._chance.choice((KILL, STOP, RESTART))
            stopped = self._chance.uniform(*_STOPPED_SECONDS)
            states = self._stack.processes()
            # In the order of names: the same seed takes the same instances for as long as they are able.
            choice = self._chance.random()
            able = sorted(name for name, state in states.items() if state.is_alive and self._may(name, kind))
            if not able:
                continue
            name = able[int(choice * len(able))]
            self._begin(Fault(name, kind, time.monotonic(), stopped if kind == STOP else 0.0), states[name].pid)

    def end(self) -> None:
        """Wait until what was begun is over."""
        for thread in self._threads:
            thread.join()

    def _may(self, name: str, kind: str) -> bool:
        if any(fault.instance == name and fault.recovered is None for fault in self.done):
            return False
        lately = time.monotonic() - 60
        kills = [fault for fault in self.done if (fault.instance, fault.kind) == (name, KILL) and fault.began > lately]
        return kind != KILL or len(kills) < _MOST_KILLS

    def _begin(self, fault: Fault, pid: int) -> None:
        self.done.append(fault)
        deeds: dict[str, Callable[[], object]] = {
            KILL: lambda: os.kill(pid, signal.SIGKILL),
            STOP: lambda: _stop(pid, fault.seconds),
            RESTART: lambda: self._restart(fault.instance),
        }
        thread = threading.Thread(target=self._carry_out, args=(fault, deeds[fault.kind]), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _carry_out(self, fault: Fault, deed: Callable[[], object]) -> None:
        # One command at a time may change a stack; until then nobody is harmed.
        with self._restarting if fault.kind == RESTART else nullcontext():
            fault.began = time.monotonic()
            is_back = self._health.hurt(fault.instance, forgets=fault.kind != STOP)
            try:
                deed()
            except Exception as error:  # told in the report, since a thread tells nobody
                fault.trouble = str(error)
            self.last_at = max(self.last_at, time.monotonic())
        if is_back():
            fault.recovered = time.monotonic()

    def _restart(self, instance: str) -> None:
        code = self._stack.command("restart", instance, check=False)
        # It may complain of others that are being harmed; whether this one is back, its registration tells.
        if code not in (ExitCode.OK, ExitCode.UNAVAILABLE):
            raise StackProblem(f"compose/stack restart {instance} ended with {code}")


def _stop(pid: int, seconds: float) -> None:
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        os.kill(pid, signal.SIGCONT)
