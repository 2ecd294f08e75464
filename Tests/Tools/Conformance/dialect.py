"""The frames of both versions, as the RFCs define them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .deviation import Deviation, show


@dataclass(frozen=True)
class Reply:
    """A message to a client: one PARTIAL, or the FINAL (REPLY in 0.1)."""

    is_final: bool
    service: bytes
    body: list[bytes]


@dataclass(frozen=True)
class Command:
    """A message to a worker: REQUEST, HEARTBEAT or DISCONNECT."""

    name: str
    address: bytes = b""
    body: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Dialect:
    """One version of the protocol."""

    version: str
    rfc: str
    envelope: tuple[bytes, ...]
    client: bytes
    worker: bytes
    final: int
    heartbeat: int
    disconnect: int
    ready: int = 1
    request: int = 2
    partial: int | None = None

    def client_request(self, service: bytes, body: Sequence[bytes]) -> list[bytes]:
        """Return a client's REQUEST."""
        command = [b"\x01"] if self is V02 else []
        return [*self.envelope, self.client, *command, service, *body]

    def worker_command(self, command: int, *rest: bytes) -> list[bytes]:
        """Return a command of MDP/Worker."""
        return [*self.envelope, self.worker, bytes([command]), *rest]

    def client_reply(self, service: bytes, body: Sequence[bytes], is_final: bool = True) -> list[bytes]:
        """Return the reply that a client must receive."""
        command = [b"\x03" if is_final else b"\x02"] if self is V02 else []
        return [*self.envelope, self.client, *command, service, *body]

    def read_reply(self, frames: list[bytes]) -> Reply:
        """Decode a message to a client, strictly."""
        for is_final in (True, False) if self is V02 else (True,):
            head = self.client_reply(b"", [], is_final)[:-1]
            if frames[: len(head)] == head and len(frames) > len(head):
                return Reply(is_final, frames[len(head)], frames[len(head) + 1 :])
        raise Deviation(f"a reply of MDP/Client {self.version}", show(frames))

    def read_command(self, frames: list[bytes]) -> Command:
        """Decode a message to a worker, strictly."""
        head = [*self.envelope, self.worker]
        rest = frames[len(head) :]
        if frames[: len(head)] == head and rest:
            if rest[0] == bytes([self.heartbeat]) and len(rest) == 1:
                return Command("HEARTBEAT")
            if rest[0] == bytes([self.disconnect]) and len(rest) == 1:
                return Command("DISCONNECT")
            if rest[0] == bytes([self.request]) and len(rest) >= 3 and rest[1] and not rest[2]:
                return Command("REQUEST", rest[1], tuple(rest[3:]))
        raise Deviation(f"REQUEST, HEARTBEAT or DISCONNECT of MDP/Worker {self.version}", show(frames))


V01 = Dialect("0.1", "7", (b"",), b"MDPC01", b"MDPW01", final=3, heartbeat=4, disconnect=5)
V02 = Dialect("0.2", "18", (), b"MDPC02", b"MDPW02", final=4, heartbeat=5, disconnect=6, partial=3)
BOTH = (V01, V02)
