"""All waiting times of the kit. The RFCs define none, so these are generous."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The waiting times in seconds; a wait ends as soon as its condition holds."""

    answer: float = 5.0
    """For a message that must arrive at once; twice that for the first message of a broker."""
    other: float = 2.0
    """For optional features: the other version, the management interface."""
    quiet: float = 0.3
    """How long the kit waits for a message that must not arrive, where no later message can prove its absence."""
    settle: float = 0.02
    """After READY, which has no response, so that a broker that does not queue has read it."""
    heartbeat: float = 0.5
    """Between the heartbeats of the kit's own workers."""
    longest: float = 40.0
    """For what depends on the broker's own intervals: its heartbeats, the expiry of a silent worker."""
