"""Checks that the broker counted every message in the right category."""

from __future__ import annotations

import time
from collections import Counter

from .broker import Broker
from .verdict import READY

SETTLE_SECONDS = 60.0
PAUSE_SECONDS = 0.1

Counts = Counter[tuple[str, str]]


def wait_until_counted(broker: Broker, expected: Counts) -> tuple[dict[str, object], Counts]:
    """Return the broker's stats once it has counted all messages sent to it, or its count no longer changes."""
    last, deadline = -1, time.monotonic() + SETTLE_SECONDS
    while True:
        stats, counts = broker.stats()
        # Each request for the stats is a message, too.
        total = counts.total() - broker.question_count
        if total != last:
            last, deadline = total, time.monotonic() + SETTLE_SECONDS
        if total == expected.total() or time.monotonic() > deadline:
            return stats, counts
        time.sleep(PAUSE_SECONDS)


def differences(counts: Counts, expected: Counts, asked: int) -> list[str]:
    """Return where the broker's counts differ from the expected ones."""
    expected = expected + Counter({("received", "client_request"): asked})
    counts = counts.copy()
    # Only the broker knows which workers are registered, so a READY out of order counts as a READY here.
    counts["received", READY] += counts.pop(("faults", "worker_order"), 0)
    return [
        f"{name} ({kind}): {expected[kind, name]:,} sent, {counts[kind, name]:,} counted"
        for kind, name in sorted(counts.keys() | expected.keys()) if counts[kind, name] != expected[kind, name]
    ]
