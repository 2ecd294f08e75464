"""The flood itself: its peers, its number of messages, and the broker's memory during it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import zmq

from Conformance.dialect import BOTH

from .broker import Broker
from .memory import RESTS, Memory
from .peer import Peer, Role

# Messages that a peer sends before the next peer sends.
MESSAGES_PER_TURN = 32
SAMPLE_SECONDS = 0.25
REST_SECONDS = 60


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
    """Return twelve roles: for each version, clients that read, one that does not, workers with and without READY."""
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
    """Send `count` messages; none is lost on the way, since a peer with a full pipe waits."""
    peers = [Peer(context, broker.endpoint, role, seed * 100 + number) for number, role in enumerate(roles())]
    result = Flood(peers, Memory(start=broker.megabytes))
    began = time.monotonic()
    for rest in range(1, RESTS + 1):
        send(result, broker, count * rest // RESTS)
        result.memory.rests.append(wait_for_rest(result, broker))
    result.seconds = time.monotonic() - began
    return result


def send(result: Flood, broker: Broker, count: int) -> None:
    """Send until `count` messages have been sent in total, with the peers in turn."""
    sent, sampled = result.sent, 0.0
    while sent < count and not result.troubles:
        before = sent
        for peer in result.peers:
            for _ in range(min(MESSAGES_PER_TURN, count - sent)):
                if not peer.send():
                    break
                sent += 1
            peer.read()
        if time.monotonic() - sampled >= SAMPLE_SECONDS:
            sampled = time.monotonic()
            sample(result, broker)
        if sent == before:
            zmq.select([], [peer.socket for peer in result.peers], [], SAMPLE_SECONDS)


def sample(result: Flood, broker: Broker) -> float:
    """Record the broker's memory, or that it has ended."""
    if not broker.is_running:
        result.troubles.append(f"the broker ended after {result.sent:,} messages: {broker.log_end}")
        return 0.0
    megabytes = broker.megabytes
    result.memory.most = max(result.memory.most, megabytes)
    return megabytes


def wait_for_rest(result: Flood, broker: Broker) -> float:
    """Wait until the broker has read everything, and return its memory."""
    for peer in result.peers:
        peer.request_rest()
    deadline = time.monotonic() + REST_SECONDS
    while broker.is_running and not all(peer.is_at_rest for peer in result.peers):
        if time.monotonic() > deadline:
            result.troubles.append(f"the broker has not read everything after {REST_SECONDS} s")
            break
        zmq.select([peer.socket for peer in result.peers if not peer.role.is_deaf], [], [], SAMPLE_SECONDS)
        for peer in result.peers:
            peer.read()
    return sample(result, broker)
