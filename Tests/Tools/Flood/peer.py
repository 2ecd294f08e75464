"""One connection of the flood."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import zmq

from Conformance.dialect import Dialect

from . import messages
from .verdict import verdict

# Percentages of the messages.
CORRUPTED, NOISE = 50, 10
PING = b"mmi.ping"
_TICKETS = 16


@dataclass(frozen=True)
class Role:
    """The role that a peer plays."""

    name: str
    dialect: Dialect
    is_worker: bool
    is_registered: bool = False
    is_deaf: bool = False
    """Whether it reads nothing, so that the broker's pipe to it fills."""


class Peer:
    """Sends messages of its role, valid or not, and reads the replies."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str, role: Role, seed: int) -> None:
        self.role = role
        self.dice = Random(seed)
        self.instance = f"flood/{seed}"
        self.socket: zmq.Socket[bytes] = context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(endpoint)
        self.tickets: list[bytes] = []
        self.expected: Counter[tuple[str, str]] = Counter()
        self.corrupted: Counter[str] = Counter()
        self.sent = self.good = self.noise = self.signs = self.received = 0
        self.is_at_rest = False
        self._next: tuple[str, list[bytes]] | None = None

    def send(self) -> bool:
        """Send the next message; return false when its pipe is full: the same message is then sent at the next call."""
        if self._next is None:
            self._next = self._make()
        kind, frames = self._next
        try:
            self.socket.send_multipart(frames, zmq.NOBLOCK)
        except zmq.Again:
            return False
        self._next = None
        self.sent += 1
        self.expected[verdict(frames)] += 1
        match kind:
            case "": self.good += 1
            case "noise": self.noise += 1
            case part: self.corrupted[part] += 1
        return True

    def request_rest(self) -> None:
        """Send a ping; its reply shows that the broker has read all earlier messages."""
        self.is_at_rest = self.role.is_deaf
        if not self.is_at_rest:
            self.socket.send_multipart(self.role.dialect.client_request(PING, []))
            self.signs += 1

    def read(self) -> None:
        """Read all pending messages, and keep their tickets."""
        if self.role.is_deaf:
            return
        while True:
            try:
                frames = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            self.received += 1
            self.is_at_rest = self.is_at_rest or PING in frames[2:4]
            rest = frames[len(self.role.dialect.envelope):]
            if len(rest) > 3 and rest[:2] == [self.role.dialect.worker, bytes([self.role.dialect.request])]:
                self.tickets = [*self.tickets[-_TICKETS:], rest[2]]

    def _make(self) -> tuple[str, list[bytes]]:
        """Return the fault of a message ("" for none, "noise", or the name of the frame), and its frames."""
        share = self.dice.randrange(100)
        if share < NOISE:
            return "noise", messages.noise(self.dice)
        parts = self._worker_message() if self.role.is_worker else messages.request(self.role.dialect, self.dice)
        if share < NOISE + CORRUPTED:
            return messages.corrupted(parts, self.dice)
        return "", [part.frame for part in parts]

    def _worker_message(self) -> list[messages.Part]:
        dialect, dice, way = self.role.dialect, self.dice, self.dice.random()
        # The broker ends a worker's registration after an invalid message, so READY is frequent.
        if self.role.is_registered and way < 0.4:
            return messages.ready(dialect, dice, self.instance)
        if way < 0.8:
            known = self.tickets and dice.random() < 0.9
            return messages.reply(dialect, dice, self.tickets.pop() if known else dice.randbytes(17))
        if way < 0.97:
            return messages.heartbeat(dialect, dice)
        return messages.disconnect(dialect)
