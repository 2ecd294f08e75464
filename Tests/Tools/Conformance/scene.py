"""The peers of one check; its workers send heartbeats while it waits."""

from __future__ import annotations

import itertools
import os
import time
from collections import deque
from dataclasses import dataclass
from types import TracebackType

import zmq

from .deviation import Deviation
from .dialect import Command, Dialect, Reply
from .limits import Limits
from .peers import Client, Peer, Worker

_numbers = itertools.count(1)
_run = f"kit-{os.urandom(4).hex()}"


@dataclass(frozen=True)
class Endpoints:
    """Where clients and workers connect: the same endpoint unless the broker has two sockets."""

    clients: str
    workers: str


class Scene:
    """Creates peers of one broker; all its workers send heartbeats while it waits for a message."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoints: Endpoints, limits: Limits) -> None:
        self.context = context
        self.endpoints = endpoints
        self.limits = limits
        self._peers: list[Peer] = []
        self._early: dict[Peer, deque[list[bytes]]] = {}
        self._next_beat = time.monotonic() + limits.heartbeat

    def __enter__(self) -> Scene:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for peer in self._peers:
            if peer.socket.closed:
                continue
            if isinstance(peer, Worker) and peer.is_registered:
                # The broker must not keep a worker of this check during the next one.
                peer.socket.linger = 200
                peer.disconnect()
            peer.close()

    @staticmethod
    def now() -> float:
        """Return the monotonic time."""
        return time.monotonic()

    @staticmethod
    def service() -> bytes:
        """Return an unused service name."""
        return f"{_run}-{next(_numbers)}-service".encode()  # no part of a name is another

    def client(self, dialect: Dialect, identity: bytes = b"") -> Client:
        """Return a connected client."""
        client = Client(self, self.endpoints.clients, dialect, identity)
        self._peers.append(client)
        return client

    def worker(
        self, dialect: Dialect, service: bytes = b"", identity: bytes = b"", *, reconnects: bool = True,
    ) -> Worker:
        """Return a connected worker, registered for the service if one is given."""
        worker = Worker(self, self.endpoints.workers, dialect, identity, reconnects=reconnects)
        self._peers.append(worker)
        if service:
            worker.ready(service)
        return worker

    def pair(self, dialect: Dialect) -> tuple[Client, Worker, bytes]:
        """Return a client and a worker of a new service."""
        service = self.service()
        return self.client(dialect), self.worker(dialect, service), service

    def dispatch(self, client: Client, worker: Worker, service: bytes, *body: bytes) -> Command:
        """Send a request, and return the REQUEST that the worker received."""
        client.ask(service, *(body or (b"question",)))
        return worker.request()

    def reply_through(self, client: Client, service: bytes, *workers: Worker) -> Reply:
        """Send a request, let any of the workers answer it, and return the first reply.

        The broker may have ended or forgotten the given workers; then a new one takes their place.
        """
        client.ask(service, b"question")
        end = self.now() + 2 * self.limits.answer
        serving = list(workers)
        while self.now() < end:
            full = self.wait_any([client, *serving], self.limits.quiet)
            if client in full:
                reply = client.reply(0)
                assert reply is not None
                return reply
            for worker in [worker for worker in serving if worker in full]:
                command = worker.command(0)
                if command and command.name == "REQUEST":
                    worker.finish(command, b"answer")
                elif command and command.name == "DISCONNECT":
                    worker.is_registered = False
                    serving.remove(worker)
            if not full or not serving:
                # The broker may not have queued the request for the new worker.
                serving.append(self.worker(client.dialect, service))
                client.ask(service, b"question")
        raise Deviation("the client gets an answer", "nothing")

    def expect_routing(self, client: Client, worker: Worker, service: bytes) -> None:
        """Fail unless this worker gets two requests for the service; one alone could reach it by round robin."""
        for _ in range(2):
            worker.finish(self.dispatch(client, worker, service), b"answer")
            client.expect(service, b"answer")

    def receive(self, peer: Peer, seconds: float) -> list[bytes] | None:
        """Return the next message of one peer."""
        self.wait(peer, seconds)
        early = self._early.get(peer)
        return early.popleft() if early else None

    def wait(self, peer: Peer, seconds: float) -> bool:
        """Wait until a peer has a message; return whether it has one."""
        return bool(self.wait_any([peer], seconds))

    def pause(self, seconds: float) -> None:
        """Wait for so long, whatever arrives: a broker may send heartbeats at any time."""
        self.wait_any([], seconds)

    def wait_any(self, peers: list[Peer], seconds: float) -> list[Peer]:
        """Wait until one of the peers has a message; return those that have one."""
        end = time.monotonic() + seconds
        poller = zmq.Poller()
        for peer in peers:
            poller.register(peer.socket, zmq.POLLIN)
        while True:
            self._send_heartbeats()
            full = [peer for peer in peers if self._early.get(peer)]
            left = 0.0 if full else max(0.0, min(end, self._next_beat) - time.monotonic())
            readable = dict(poller.poll(left * 1000))
            for peer in peers:
                if peer.socket in readable:
                    self._early.setdefault(peer, deque()).append(peer.socket.recv_multipart())
            full = [peer for peer in peers if self._early.get(peer)]
            if full or time.monotonic() >= end:
                return full

    def _send_heartbeats(self) -> None:
        if time.monotonic() < self._next_beat:
            return
        self._next_beat = time.monotonic() + self.limits.heartbeat
        for peer in self._peers:
            if isinstance(peer, Worker) and peer.is_registered and peer.sends_heartbeats and not peer.socket.closed:
                peer.heartbeat()

    def expect_broker_alive(self, dialect: Dialect) -> None:
        """Fail unless a new client gets a reply of a new worker; other rules check the form of the reply."""
        client, worker, service = self.pair(dialect)
        try:
            worker.finish(self.dispatch(client, worker, service), b"answer")
        except Deviation as deviation:
            raise BrokerUnavailable(deviation) from deviation
        if client.receive() is None:
            raise BrokerUnavailable(Deviation("the client gets an answer", "nothing"))
        worker.disconnect()


class BrokerUnavailable(Deviation):
    """The broker no longer serves requests."""

    def __init__(self, cause: Deviation) -> None:
        super().__init__("the broker goes on serving others", f"{cause.came} where {cause.expected}")
