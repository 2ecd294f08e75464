"""Whether every message that was sent was counted, and where it belongs."""

from __future__ import annotations

import time
from collections import Counter

from .broker import Broker
from .verdict import READY

SETTLE_SECONDS = 60.0
PAUSE_SECONDS = 0.1

Counts = Counter[tuple[str, str]]


def settled(broker: Broker, expected: Counts) -> tuple[dict[str, object], Counts]:
    """Return the broker's stats once it has counted as many messages as it was sent, or no more come."""
    last, deadline = -1, time.monotonic() + SETTLE_SECONDS
    while True:
        stats, counts = broker.stats()
        # Each asking is a message, too.
        total = counts.total() - broker.asked
        if total != last:
            last, deadline = total, time.monotonic() + SETTLE_SECONDS
        if total == expected.total() or time.monotonic() > deadline:
            return stats, counts
        time.sleep(PAUSE_SECONDS)


def differences(counts: Counts, expected: Counts, asked: int) -> list[str]:
    """Return what the broker counted otherwise than it should have."""
    expected = expected + Counter({("received", "client_request"): asked})
    counts = counts.copy()
    # Only the broker knows who is registered: a READY out of order is expected to be one all the same.
    counts["received", READY] += counts.pop(("faults", "worker_order"), 0)
    return [
        f"{name} ({kind}): {expected[kind, name]:,} sent, {counts[kind, name]:,} counted"
        for kind, name in sorted(counts.keys() | expected.keys()) if counts[kind, name] != expected[kind, name]
    ]
