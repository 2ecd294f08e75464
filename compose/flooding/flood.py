"""The flood itself: who sends, how much, and what the broker's memory does meanwhile."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import zmq

from majordomo_kit.dialect import BOTH

from .broker import Broker
from .peer import Peer, Role

# What a peer sends before the next one has its turn.
TURN = 32
SAMPLE_SECONDS = 0.25


@dataclass
class Memory:
    """The broker's memory in MB: at the start, the most in each half of the flood, and at the end."""

    start: float
    first: float = 0.0
    second: float = 0.0
    end: float = 0.0

    @property
    def bound(self) -> float:
        """What the second half may have at most.

        In the first the ring and the queues fill. After that the live part stays; how much waits unread in the pipes
        changes with the load, and an allocator keeps some room between what lives and what died.
        """
        return self.first * 1.25 + 24

    def sample(self, megabytes: float, is_second: bool) -> None:
        """Note the memory of this moment."""
        if is_second:
            self.second = max(self.second, megabytes)
        else:
            self.first = max(self.first, megabytes)
        self.end = megabytes


@dataclass
class Flood:
    """What was sent, and how long that took."""

    peers: Sequence[Peer]
    memory: Memory
    seconds: float = 0.0
    troubles: list[str] = field(default_factory=list)

    @property
    def sent(self) -> int:
        return sum(peer.sent for peer in self.peers)


def roles() -> list[Role]:
    """Return twelve peers: of each version clients that read and one that does not, workers with and without READY."""
    return [
        role for dialect in BOTH for role in [
            Role("client", dialect, is_worker=False),
            Role("client", dialect, is_worker=False),
            Role("deaf client", dialect, is_worker=False, is_deaf=True),
            Role("registered worker", dialect, is_worker=True, is_registered=True),
            Role("registered worker", dialect, is_worker=True, is_registered=True),
            Role("unregistered worker", dialect, is_worker=True),
        ]
    ]


def flood(broker: Broker, context: zmq.Context[zmq.Socket[bytes]], count: int, seed: int) -> Flood:
    """Send that many messages; nothing is lost on the way, since a full pipe is waited for."""
    peers = [Peer(context, broker.door, role, seed * 100 + number) for number, role in enumerate(roles())]
    result = Flood(peers, Memory(start=broker.megabytes))
    began = sampled = time.monotonic()
    sent = 0
    while sent < count:
        before = sent
        for peer in peers:
            for _ in range(min(TURN, count - sent)):
                if not peer.send():
                    break
                sent += 1
            peer.read()
        now = time.monotonic()
        if now - sampled >= SAMPLE_SECONDS or result.memory.first == 0:
            sampled = now
            if not broker.runs:
                result.troubles.append(f"the broker ended after {sent:,} messages: {broker.last_words}")
                break
            result.memory.sample(broker.megabytes, is_second=sent > count / 2)
        if sent == before:
            zmq.select([], [peer.socket for peer in peers], [], SAMPLE_SECONDS)
    result.seconds = time.monotonic() - began
    return result
