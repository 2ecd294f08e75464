"""supervisord that starts a dead process again at once, and one that keeps dying ever later, and that outlives a full disk.

Its loop sleeps for up to a second, and Python resumes that sleep after a signal. So the end of a child is noticed up to
a second late, and the next turn, which starts it again, comes up to another second later: too long for a broker. And a
process that lived for a second before it crashed it would start again for ever, without a pause. It is run by the
Python of its own environment.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from supervisor import loggers, poller, process, supervisord
from supervisor.states import ProcessStates

CRASHES_SECONDS = 60.0
"""Crashes of so long ago are forgotten."""
FREE_CRASHES = 3
"""So many of them cost no pause; then 1, 2, 4 and 8 s."""
LONGEST_PAUSE_SECONDS = 8.0
MOST_CRASHES = 10
"""With so many it is given up."""
NEEDS_OPERATOR = 78
"""The exit code of a program that another start does not help: a setting, a key or a file has to be changed first."""


def pause_after(crashes: int) -> float:
    """Return the seconds until the next start after so many crashes of late."""
    return 0.0 if crashes <= FREE_CRASHES else min(2.0 ** (crashes - FREE_CRASHES - 1), LONGEST_PAUSE_SECONDS)


class PromptPoller(poller.Poller):  # type: ignore[misc]  # what it derives from depends on the system
    """Wakes up for signals, and lets the turn after one follow without a pause."""

    def initialize(self) -> None:
        """Let Python write each signal into a pipe of ours."""
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
    """Loses what a full disk does not take, where supervisord would end and take the whole stack along."""

    def emit(self, record: Any) -> None:
        """Write a line if there is room."""
        try:
            if self.stream.closed:  # the file was to be replaced, and there was no room for a new one
                self.stream = open(self.baseFilename, "ab")  # noqa: SIM115  (it stays open)
            super().emit(record)
        except (OSError, ValueError):
            pass

    def handleError(self) -> None:  # noqa: N802  (the name is supervisord's)
        """Say nothing: it would be said on the same disk."""


class PatientSubprocess(process.Subprocess):  # type: ignore[misc]
    """Remembers its crashes."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self._crashes: list[float] = []

    def finish(self, pid: int, status: int) -> None:
        """Take note of an end, which is a crash unless it was asked for."""
        was_asked = self.killing
        super().finish(pid, status)
        if not was_asked and os.waitstatus_to_exitcode(status) == NEEDS_OPERATOR:
            self.system_stop = True  # as when supervisord gives up by itself
            self.spawnerr = f"exit status {NEEDS_OPERATOR}"  # of one that ended soon, supervisord keeps no status
            self.change_state(ProcessStates.FATAL)
            self.config.options.logger.info(f"gave up: {self.config.name} needs another setting or file")
        self._crashes = [] if was_asked else [*self._crashes, time.monotonic()]

    def transition(self) -> None:
        """Start it again when it has paused long enough, or not at all."""
        if self.state == ProcessStates.EXITED:
            now = time.monotonic()
            self._crashes = [moment for moment in self._crashes if now - moment < CRASHES_SECONDS]
            if len(self._crashes) >= MOST_CRASHES:
                self._crashes = []  # whoever starts it again by hand has mended it
                self.system_stop = True  # as when supervisord gives up by itself
                self.change_state(ProcessStates.FATAL)
                self.config.options.logger.info(f"gave up: {self.config.name} crashed {MOST_CRASHES} times lately")
            elif self._crashes and now - self._crashes[-1] < pause_after(len(self._crashes)):
                return
        super().transition()


if __name__ == "__main__":
    poller.Poller = PromptPoller
    process.Subprocess = PatientSubprocess
    loggers.RotatingFileHandler = PatientLog
    sys.exit(supervisord.main())
