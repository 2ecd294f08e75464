"""A client and a worker, each on one DEALER socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import zmq

from .deviation import Deviation, show
from .dialect import Command, Dialect, Reply

if TYPE_CHECKING:
    from .scene import Scene


class Peer:
    """A socket that sends frames unchanged and receives with a timeout."""

    def __init__(
        self, scene: Scene, endpoint: str, dialect: Dialect, identity: bytes = b"", *, reconnects: bool = True,
    ) -> None:
        self.scene = scene
        self.dialect = dialect
        self.socket: zmq.Socket[bytes] = scene.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.sndtimeo = int(scene.limits.answer * 1000)
        if identity:
            self.socket.setsockopt(zmq.IDENTITY, identity)
        if not reconnects:
            self.socket.setsockopt(zmq.RECONNECT_IVL, -1)
        self.socket.connect(endpoint)

    def send(self, frames: list[bytes]) -> None:
        """Send a message unchanged."""
        self.socket.send_multipart(frames)

    def receive(self, seconds: float | None = None) -> list[bytes] | None:
        """Return the next message, or None when none came in time."""
        return self.scene.receive(self, self.scene.limits.answer if seconds is None else seconds)

    def close(self) -> None:
        """Close the connection without a DISCONNECT."""
        self.socket.close()


class Client(Peer):
    """Sends requests, and decodes replies strictly."""

    def ask(self, service: bytes, *body: bytes) -> None:
        """Send a REQUEST."""
        self.send(self.dialect.client_request(service, body))

    def reply(self, seconds: float | None = None) -> Reply | None:
        """Return the next PARTIAL or FINAL."""
        frames = self.receive(seconds)
        return None if frames is None else self.dialect.read_reply(frames)

    def expect(self, service: bytes, *body: bytes, is_final: bool | None = None) -> None:
        """Fail unless the next message is this reply; `is_final` of None accepts a PARTIAL and a FINAL."""
        kinds = [True, False] if is_final is None else [is_final]
        expected = [self.dialect.client_reply(service, body, kind) for kind in kinds]
        came = self.receive()
        if came not in expected:
            raise Deviation(f"the client gets {show(expected[0])}", show(came))


class Worker(Peer):
    """Registers, sends heartbeats, receives requests and answers them."""

    def __init__(
        self, scene: Scene, endpoint: str, dialect: Dialect, identity: bytes = b"", *, reconnects: bool = True,
    ) -> None:
        super().__init__(scene, endpoint, dialect, identity, reconnects=reconnects)
        self.is_registered = False
        self.sends_heartbeats = True

    def send_command(self, command: int | None, *rest: bytes) -> None:
        """Send a command of MDP/Worker."""
        assert command is not None, "0.1 has no PARTIAL"
        self.send(self.dialect.worker_command(command, *rest))

    def ready(self, service: bytes) -> None:
        """Register, and wait until the broker has had time to read it."""
        self.send_command(self.dialect.ready, service)
        self.is_registered = True
        self.scene.wait(self, self.scene.limits.settle)

    def disconnect(self) -> None:
        """Send DISCONNECT."""
        self.is_registered = False
        self.send_command(self.dialect.disconnect)

    def heartbeat(self) -> None:
        """Send a HEARTBEAT."""
        self.send_command(self.dialect.heartbeat)

    def command(self, seconds: float | None = None) -> Command | None:
        """Return the next command, heartbeats too."""
        frames = self.receive(seconds)
        return None if frames is None else self.dialect.read_command(frames)

    def next_but_heartbeats(self, seconds: float | None = None) -> Command | None:
        """Return the next REQUEST or DISCONNECT; heartbeats may arrive at any time."""
        end = self.scene.now() + (self.scene.limits.answer if seconds is None else seconds)
        while True:
            command = self.command(max(0.0, end - self.scene.now()))
            if command is None or command.name != "HEARTBEAT":
                return command

    def request(self, seconds: float | None = None) -> Command:
        """Return the next REQUEST; anything else is a deviation."""
        command = self.next_but_heartbeats(seconds)
        if command is None or command.name != "REQUEST":
            raise Deviation("the worker gets a REQUEST", command.name if command else "nothing")
        return command

    def expect_disconnect(self) -> None:
        """Fail unless the broker ends this connection now."""
        command = self.next_but_heartbeats()
        self.is_registered = False
        if command is None or command.name != "DISCONNECT":
            raise Deviation("the worker gets DISCONNECT", command.name if command else "nothing")

    def finish(self, request: Command, *body: bytes) -> None:
        """Send the FINAL (REPLY in 0.1) to a REQUEST."""
        self.send_command(self.dialect.final, request.address, b"", *body)

    def finish_partly(self, request: Command, *body: bytes) -> None:
        """Send a PARTIAL."""
        self.send_command(self.dialect.partial, request.address, b"", *body)
