"""Waiting for a state, always with a timeout."""

from __future__ import annotations

import time
from collections.abc import Callable

INTERVAL_SECONDS = 0.05


def wait_until(condition: Callable[[], bool], seconds: float, interval: float = INTERVAL_SECONDS) -> bool:
    """Return whether the condition became true within so many seconds; it is checked at least once."""
    deadline = time.monotonic() + seconds
    while not condition():
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(interval, left))
    return True
