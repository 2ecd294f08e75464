"""All waiting times of the kit, in one place. The RFCs name none, so these are generous."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """How long the kit waits, in seconds; every wait ends as soon as what it waits for is there."""

    answer: float = 5.0
    """For what must come at once; twice that for the first sign of a broker."""
    other: float = 2.0
    """For what a broker need not do at all: the other version, the management interface."""
    quiet: float = 0.3
    """How long is listened for what must not come, where no later message can tell."""
    settle: float = 0.02
    """After READY, which has no response, so that a broker that does not queue has read it."""
    heartbeat: float = 0.5
    """Between the heartbeats of the kit's own workers."""
    longest: float = 40.0
    """For what depends on the broker's own intervals: its heartbeats, the end of a silent worker."""
