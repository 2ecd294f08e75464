#!/usr/bin/python3
"""A plain Majordomo broker for tests: one version, strictly after its RFC, with RFC 8, without our extensions.

    plain_broker.py [--version 0.1|0.2] [--heartbeat S] [--lenient] ENDPOINT

Prints "ready ENDPOINT" once it is bound; tcp://127.0.0.1:* lets the kernel choose the port.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from dataclasses import dataclass, field

import zmq

LIVENESS = 3
EXPIRY_SECONDS = 10.0

Frames = list[bytes]


@dataclass
class Request:
    """A client's request and its deadline."""

    client: bytes
    service: bytes
    body: Frames
    deadline: float


@dataclass
class Worker:
    """A registered worker; it has at most one request."""

    service: bytes
    expiry: float
    request: Request | None = None


@dataclass
class Dialect:
    """The numbers and headers of a version."""

    envelope: Frames
    client: bytes
    worker: bytes
    final: int
    heartbeat: int
    disconnect: int
    partial: int | None = None


DIALECTS = {
    "0.1": Dialect([b""], b"MDPC01", b"MDPW01", final=3, heartbeat=4, disconnect=5),
    "0.2": Dialect([], b"MDPC02", b"MDPW02", final=4, heartbeat=5, disconnect=6, partial=3),
}
READY, REQUEST = 1, 2


@dataclass
class PlainBroker:
    """The broker; its methods are small so that a flawed broker can override them separately."""

    dialect: Dialect
    interval: float
    socket: zmq.Socket[bytes]
    is_lenient: bool = False
    workers: dict[bytes, Worker] = field(default_factory=dict)
    queues: dict[bytes, deque[Request]] = field(default_factory=dict)
    next_heartbeat: float = 0.0

    def run(self) -> None:
        """Serve until the process is ended."""
        while True:
            if self.socket.poll(self.interval * 1000 / 4):
                sender, *frames = self.socket.recv_multipart()
                self.received(sender, frames)
            self.tick(time.monotonic())

    def tick(self, now: float) -> None:
        """Drop expired workers and requests, and send heartbeats."""
        for address in [address for address, worker in self.workers.items() if worker.expiry <= now]:
            self.remove_worker(address)
        for queue in self.queues.values():
            while queue and queue[0].deadline <= now:
                queue.popleft()
        if now >= self.next_heartbeat:
            self.next_heartbeat = now + self.interval
            for address in self.workers:
                self.send_command(address, self.dialect.heartbeat)

    def received(self, sender: bytes, frames: Frames) -> None:
        """Handle a message by its header; a message of another version is dropped."""
        head = len(self.dialect.envelope)
        if frames[:head] == self.dialect.envelope and len(frames) > head + 1:
            header, rest = frames[head], frames[head + 1 :]
            if header == self.dialect.client:
                return self.handle_client(sender, rest)
            if header == self.dialect.worker and len(rest[0]) == 1:
                return self.handle_worker(sender, rest[0][0], rest[1:])
        self.drop_invalid(sender)

    def handle_client(self, sender: bytes, rest: Frames) -> None:
        """Handle a REQUEST: service and body, preceded by a command in 0.2."""
        if self.dialect.partial is not None:
            if rest[0] != b"\x01":
                return self.drop_invalid(sender)
            rest = rest[1:]
        if len(rest) < 2 or not is_name(rest[0]):
            return self.drop_invalid(sender)
        service, body = rest[0], rest[1:]
        if service.startswith(b"mmi."):
            status = self.status(body[0]) if service == b"mmi.service" else b"501"
            return self.reply(sender, service, [status])
        self.queue(Request(sender, service, body, time.monotonic() + EXPIRY_SECONDS))
        self.dispatch(service)

    def handle_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        """Handle a worker's command; a valid but unexpected command ends the connection."""
        worker = self.workers.get(sender)
        if worker:
            worker.expiry = time.monotonic() + self.interval * LIVENESS
        is_reply = command in (self.dialect.final, self.dialect.partial)
        if command == READY and self.is_lenient:
            rest = rest[:1]
        if command == READY and len(rest) == 1 and is_name(rest[0]):
            if worker or rest[0].startswith(b"mmi."):
                return self.reject_unexpected(sender)
            self.workers[sender] = Worker(rest[0], time.monotonic() + self.interval * LIVENESS)
            self.dispatch(rest[0])
        elif command == self.dialect.heartbeat and not rest:
            if not worker:
                self.reject_unexpected(sender)
        elif command == self.dialect.disconnect and not rest:
            self.remove_worker(sender)
        elif (is_reply or command == REQUEST) and len(rest) >= 3 and rest[0] and not rest[1]:
            if is_reply:
                self.replied(sender, command == self.dialect.final, rest[0], rest[2:])
            else:
                self.reject_unexpected(sender)
        else:
            self.drop_invalid(sender)

    def replied(self, sender: bytes, is_final: bool, address: bytes, body: Frames) -> None:
        """Forward a worker's reply to the client of its request."""
        worker = self.workers.get(sender)
        if not worker or not worker.request or worker.request.client != address:
            return self.reject_unexpected(sender)
        self.reply(address, worker.service, body, is_final)
        if is_final:
            worker.request = None
            # The least recently used worker comes first.
            self.workers[sender] = self.workers.pop(sender)
            self.dispatch(worker.service)

    def queue(self, request: Request) -> None:
        """Queue a request."""
        self.queues.setdefault(request.service, deque()).append(request)

    def dispatch(self, service: bytes) -> None:
        """Dispatch queued requests to free workers."""
        queue = self.queues.get(service, deque())
        for address, worker in self.workers.items():
            if queue and worker.service == service and self.is_free(worker):
                worker.request = queue.popleft()
                self.send_command(address, REQUEST, worker.request.client, b"", *worker.request.body)

    def is_free(self, worker: Worker) -> bool:
        """Return whether a worker can receive a request."""
        return worker.request is None

    def remove_worker(self, address: bytes) -> None:
        """Remove a worker; its request returns to the head of the queue."""
        worker = self.workers.pop(address, None)
        if worker and worker.request:
            self.requeue(worker.request)

    def requeue(self, request: Request) -> None:
        """Redeliver the request of a lost worker."""
        self.queues.setdefault(request.service, deque()).appendleft(request)
        self.dispatch(request.service)

    def reject_unexpected(self, sender: bytes) -> None:
        """Answer a valid command at the wrong time with DISCONNECT."""
        self.send_command(sender, self.dialect.disconnect)
        self.remove_worker(sender)

    def drop_invalid(self, sender: bytes) -> None:
        """Drop a message; a worker that sent it is disconnected."""
        if sender in self.workers:
            self.reject_unexpected(sender)

    def status(self, service: bytes) -> bytes:
        """Return the status that answers `mmi.service`."""
        return b"200" if any(worker.service == service for worker in self.workers.values()) else b"404"

    def send_command(self, address: bytes, command: int, *rest: bytes) -> None:
        """Send a command to a worker."""
        self.socket.send_multipart([address, *self.dialect.envelope, self.dialect.worker, bytes([command]), *rest])

    def reply(self, client: bytes, service: bytes, body: Frames, is_final: bool = True) -> None:
        """Send a reply to a client."""
        command = [] if self.dialect.partial is None else [b"\x03" if is_final else b"\x02"]
        self.socket.send_multipart(
            [client, *self.dialect.envelope, self.dialect.client, *command, service, *body])


def is_name(frame: bytes) -> bool:
    """Return whether a frame is a printable string."""
    try:
        return bool(frame) and frame.decode().isprintable()
    except UnicodeDecodeError:
        return False


def serve(make: type[PlainBroker], endpoint: str, version: str, interval: float, is_lenient: bool = False) -> None:
    """Bind, print the endpoint, and serve."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as socket:
        socket.linger = 0
        socket.bind(endpoint)
        print(f"ready {socket.getsockopt_string(zmq.LAST_ENDPOINT)}", flush=True)
        make(DIALECTS[version], interval, socket, is_lenient).run()


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options that all brokers of the tests share."""
    options = argparse.ArgumentParser()
    options.add_argument("endpoint")
    options.add_argument("--version", choices=list(DIALECTS), default="0.1")
    options.add_argument("--heartbeat", type=float, default=2.5)
    return options


if __name__ == "__main__":
    options = parser()
    options.add_argument("--lenient", action="store_true", help="take a READY with more frames than it should have")
    given = options.parse_args()
    serve(PlainBroker, given.endpoint, given.version, given.heartbeat, given.lenient)
