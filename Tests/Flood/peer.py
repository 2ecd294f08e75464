"""One connection of the flood."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import zmq

from Conformance.dialect import Dialect

from . import messages
from .verdict import verdict

# Of a hundred messages of the flood.
CORRUPTED, NOISE = 50, 10
SIGN_OF_LIFE = b"mmi.ping"
_TICKETS = 16


@dataclass(frozen=True)
class Role:
    """What a peer pretends to be."""

    name: str
    dialect: Dialect
    is_worker: bool
    is_registered: bool = False
    is_deaf: bool = False
    """Reads nothing, so that what the broker has for it finds a full pipe."""


class Peer:
    """Sends what its role may say, good or not, and reads what comes back."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], door: str, role: Role, seed: int) -> None:
        self.role = role
        self.dice = Random(seed)
        self.instance = f"flood/{seed}"
        self.socket: zmq.Socket[bytes] = context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(door)
        self.tickets: list[bytes] = []
        self.expected: Counter[tuple[str, str]] = Counter()
        self.corrupted: Counter[str] = Counter()
        self.sent = self.good = self.noise = self.signs = self.heard = 0
        self.is_at_rest = False
        self._next: tuple[str, list[bytes]] | None = None

    def send(self) -> bool:
        """Send the next message; false when its pipe has no room: then the same message is next again."""
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

    def wish_rest(self) -> None:
        """Ask for a sign of life, which comes when the broker has read all that was sent before."""
        self.is_at_rest = self.role.is_deaf
        if not self.is_at_rest:
            self.socket.send_multipart(self.role.dialect.asks(SIGN_OF_LIFE, []))
            self.signs += 1

    def read(self) -> None:
        """Read all that has come, and keep the tickets in it."""
        if self.role.is_deaf:
            return
        while True:
            try:
                frames = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            self.heard += 1
            self.is_at_rest = self.is_at_rest or SIGN_OF_LIFE in frames[2:4]
            rest = frames[len(self.role.dialect.envelope):]
            if len(rest) > 3 and rest[:2] == [self.role.dialect.worker, bytes([self.role.dialect.request])]:
                self.tickets = [*self.tickets[-_TICKETS:], rest[2]]

    def _make(self) -> tuple[str, list[bytes]]:
        """Return what is wrong with a message ("" for nothing, "noise", or the frame), and its frames."""
        share = self.dice.randrange(100)
        if share < NOISE:
            return "noise", messages.noise(self.dice)
        parts = self._say() if self.role.is_worker else messages.request(self.role.dialect, self.dice)
        if share < NOISE + CORRUPTED:
            return messages.corrupted(parts, self.dice)
        return "", [part.frame for part in parts]

    def _say(self) -> list[messages.Part]:
        dialect, dice, way = self.role.dialect, self.dice, self.dice.random()
        # A nonsense message costs a worker its registration, so it has to register often.
        if self.role.is_registered and way < 0.4:
            return messages.ready(dialect, dice, self.instance)
        if way < 0.8:
            known = self.tickets and dice.random() < 0.9
            return messages.reply(dialect, dice, self.tickets.pop() if known else dice.randbytes(17))
        if way < 0.97:
            return messages.heartbeat(dialect, dice)
        return messages.disconnect(dialect)
