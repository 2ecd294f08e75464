"""supervisord that starts a dead process again at once; run by the Python of its own environment.

Its loop sleeps for up to a second, and Python resumes that sleep after a signal. So the end of a child is noticed up to
a second late, and the next turn, which starts it again, comes up to another second later: too long for a broker.
"""

from __future__ import annotations

import os
import signal
import sys

from supervisor import poller, supervisord


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


if __name__ == "__main__":
    poller.Poller = PromptPoller
    sys.exit(supervisord.main())
