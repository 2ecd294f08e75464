"""supervisord that restarts a process at once, pauses longer after repeated crashes, and tolerates a full disk.

The loop of supervisord sleeps for up to a second, and Python resumes that sleep after a signal. So it notices the end of
a child up to a second late, and the next iteration, which restarts it, follows up to another second later: too long for
a broker. It would also restart a process that runs for a second before each crash for ever, without a pause. This module
runs in the Python of supervisord's own environment.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

# The packages of an installed launcher; in a clone the virtual environment has them.
sys.path.append(str(Path(__file__).resolve().parents[2] / "python"))

from supervisor import loggers, poller, process, supervisord
from supervisor.states import ProcessStates, SupervisorStates

CRASHES_SECONDS = 60.0
"""Older crashes are not counted."""
FREE_CRASHES = 3
"""The number of crashes without a pause; later pauses are 1, 2, 4 and 8 s."""
LONGEST_PAUSE_SECONDS = 8.0
MOST_CRASHES = 10
"""The number of crashes after which there is a single attempt now and then only."""
RETRY_SECONDS = 60.0
"""The time between these attempts: what has failed may be mended without anybody at this machine."""
NEEDS_OPERATOR = 78
"""The exit code of a program that needs an operator: a restart fails until a setting, a key or a file is changed."""


def pause_after(crashes: int) -> float:
    """Return the seconds until the next start after so many recent crashes."""
    return 0.0 if crashes <= FREE_CRASHES else min(2.0 ** (crashes - FREE_CRASHES - 1), LONGEST_PAUSE_SECONDS)


class PromptPoller(poller.Poller):  # type: ignore[misc]  # its base class depends on the system
    """Wakes up for signals, and starts the iteration after a signal without a pause."""

    def initialize(self) -> None:
        """Make Python write each signal into a pipe."""
        super().initialize()
        self._wakeup, tip = os.pipe()
        for descriptor in (self._wakeup, tip):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(tip, warn_on_full_buffer=False)
        self._was_signalled = False

    def poll(self, timeout: float) -> tuple[list[int], list[int]]:
        """Wait for descriptors or signals."""
        self.register_readable(self._wakeup)
        readable, writable = super().poll(0 if self._was_signalled else timeout)
        self._was_signalled = self._wakeup in readable
        if self._was_signalled:
            os.read(self._wakeup, 512)
        return [descriptor for descriptor in readable if descriptor != self._wakeup], writable


class PatientLog(loggers.RotatingFileHandler):  # type: ignore[misc]
    """Drops lines on a full disk, where supervisord itself would end and stop the whole stack."""

    def emit(self, record: Any) -> None:
        """Write a line if there is room."""
        try:
            if self.stream.closed:  # the rotation found no room for a new file
                self.stream = open(self.baseFilename, "ab")  # noqa: SIM115  (it stays open)
            super().emit(record)
        except (OSError, ValueError):
            pass

    def handleError(self) -> None:  # noqa: N802  (the name is supervisord's)
        """Ignore the error: a message would need the same full disk."""


class PatientSubprocess(process.Subprocess):  # type: ignore[misc]
    """A process with a record of its crashes."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self._crashes: list[float] = []
        self._retry_at: float | None = None
        """When there is another attempt after too many crashes; none for a process that needs an operator."""
        self._is_last_chance = False
        """Whether it was started by such an attempt: then its next crash is followed by the long pause again."""

    def finish(self, pid: int, status: int) -> None:
        """Record an end; it is a crash unless a stop was requested."""
        was_requested = self.killing
        code = os.waitstatus_to_exitcode(status)
        if was_requested or time.time() - self.laststart >= CRASHES_SECONDS:
            self._is_last_chance = False
        super().finish(pid, status)
        self._crashes = [] if was_requested else [*self._crashes, time.monotonic()]
        if was_requested:
            return
        # supervisord keeps no status of a process that ended early
        self.spawnerr = f"exit status {code}" if code >= 0 else f"signal {-code}"
        if code == NEEDS_OPERATOR:
            self._stop_restarting("needs another setting or file")

    def give_up(self) -> None:
        """Try again later, where supervisord itself has started the process several times in vain."""
        super().give_up()
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def spawn(self) -> Any:
        """Start the process; a start by an operator implies that the cause was fixed."""
        self._is_last_chance = self._retry_at is not None and time.monotonic() >= self._retry_at
        self._retry_at = None
        if self._is_last_chance:
            self.backoff = self.config.startretries  # one attempt
        return super().spawn()

    def transition(self) -> None:
        """Restart the process after its pause."""
        now = time.monotonic()
        if self.state == ProcessStates.EXITED:
            self._crashes = [moment for moment in self._crashes if now - moment < CRASHES_SECONDS]
            if self._is_last_chance or len(self._crashes) >= MOST_CRASHES:
                self._stop_restarting(f"crashed too often, and is tried again in {RETRY_SECONDS:g} s")
                self._retry_at = now + RETRY_SECONDS
            elif self._crashes and now - self._crashes[-1] < pause_after(len(self._crashes)):
                return
        elif self.state == ProcessStates.FATAL and self._retry_at is not None and now >= self._retry_at:
            if self.config.options.mood > SupervisorStates.RESTARTING:
                self.spawn()
            return
        super().transition()

    def _stop_restarting(self, why: str) -> None:
        self._crashes = []
        self.system_stop = True  # as when supervisord itself stops restarting
        self.change_state(ProcessStates.FATAL)
        self.config.options.logger.info(f"gave up: {self.config.name} {why}")


if __name__ == "__main__":
    poller.Poller = PromptPoller
    process.Subprocess = PatientSubprocess
    loggers.RotatingFileHandler = PatientLog
    sys.exit(supervisord.main())
