"""Checks that the broker's memory does not grow."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

# Before that number of messages, the event ring and the queues still fill.
JUDGED_MESSAGES = 200_000
RESTS = 10
_WARM, _MIDDLE = 2, 6


@dataclass
class Memory:
    """The broker's memory in MB: at the start, at most, and at rest after each tenth of the flood.

    At rest the broker has read everything, so it holds the same data each time: pending requests and the ring. The
    memory that an allocator returns to the system still varies, so medians are compared.
    """

    start: float
    most: float = 0.0
    rests: list[float] = field(default_factory=list)

    @property
    def early(self) -> float:
        return statistics.median(self.rests[_WARM:_MIDDLE])

    @property
    def late(self) -> float:
        return statistics.median(self.rests[_MIDDLE:])

    @property
    def bound(self) -> float:
        """The limit of the late median, derived from the early one."""
        return self.early * 1.15 + 8

    @property
    def most_bound(self) -> float:
        """The limit of the maximum: some thousand messages may wait unread in the pipes."""
        return self.early * 1.5 + 32

    def troubles(self, messages: int) -> list[str]:
        """Return the limits that were exceeded."""
        if messages < JUDGED_MESSAGES or len(self.rests) < RESTS:
            return []
        figures = [("late", self.late, self.bound), ("at most", self.most, self.most_bound)]
        return [f"memory {name}: {value:.1f} MB, over {bound:.1f}" for name, value, bound in figures if value > bound]

    def text(self) -> str:
        """Return all figures in one line."""
        rests = " ".join(f"{value:.0f}" for value in self.rests)
        return (f"{self.start:.1f} MB at the start; at rest {rests}: early {self.early:.1f}, late {self.late:.1f} "
                f"(bound {self.bound:.1f}); at most {self.most:.1f} (bound {self.most_bound:.1f})")
