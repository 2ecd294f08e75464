"""Whether the broker's memory is flat."""

from __future__ import annotations

from dataclasses import dataclass

# Before that the event ring and the queues still fill.
JUDGED_MESSAGES = 200_000


@dataclass
class Memory:
    """The broker's memory in MB: at the start, at most, and at rest after each half of the flood.

    At rest the broker has read everything, so that it holds the same as before: what is still owed, and the ring.
    """

    start: float
    most: float = 0.0
    halfway: float = 0.0
    end: float = 0.0

    @property
    def bound(self) -> float:
        """What it may have at the end: an allocator keeps some room between what lives and what died."""
        return self.halfway * 1.15 + 8

    @property
    def most_bound(self) -> float:
        """What it may have at most: some thousand messages may wait unread in the pipes."""
        return self.halfway * 1.5 + 32

    def troubles(self, messages: int) -> list[str]:
        """Return what is not flat."""
        if messages < JUDGED_MESSAGES:
            return []
        figures = [("at rest after the second half", self.end, self.bound), ("at most", self.most, self.most_bound)]
        return [f"memory {name}: {value:.1f} MB, over {bound:.1f}" for name, value, bound in figures if value > bound]
