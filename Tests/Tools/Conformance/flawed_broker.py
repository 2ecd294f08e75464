#!/usr/bin/python3
"""Plain brokers with one named flaw each, to show that the kit detects flaws.

    flawed_broker.py --flaw NAME [--version 0.1|0.2] [--heartbeat S] ENDPOINT
"""

from __future__ import annotations

import sys
import time

from plain_broker import REQUEST, Frames, PlainBroker, Request, Worker, parser, serve


class LosesRequests(PlainBroker):
    """Loses the request of a lost worker."""

    def requeue(self, request: Request) -> None:
        pass


class EndsOnOneFrame(PlainBroker):
    """Assumes that every message has at least two frames."""

    def received(self, sender: bytes, frames: Frames) -> None:
        if len(frames) < 2:
            sys.exit("a message of one frame")
        super().received(sender, frames)


class RemembersServices(PlainBroker):
    """Answers 200 for every service name that it has received."""

    seen: set[bytes] = set()

    def queue(self, request: Request) -> None:
        self.seen.add(request.service)
        super().queue(request)

    def status(self, service: bytes) -> bytes:
        self.seen.update(worker.service for worker in self.workers.values())
        return b"200" if service in self.seen else b"404"


class SwapsPartialAndFinal(PlainBroker):
    """Swaps the numbers of PARTIAL and FINAL towards clients."""

    def reply(self, client: bytes, service: bytes, body: Frames, is_final: bool = True) -> None:
        super().reply(client, service, body, not is_final)


class PassesOnAnyReply(PlainBroker):
    """Forwards a reply to any address that it names."""

    def replied(self, sender: bytes, is_final: bool, address: bytes, body: Frames) -> None:
        worker = self.workers.get(sender)
        if not worker:
            return super().replied(sender, is_final, address, body)
        self.reply(address, worker.service, body, is_final)
        if is_final:
            worker.request = None
            self.dispatch(worker.service)


class NeverExpires(PlainBroker):
    """Never expires a silent worker."""

    def tick(self, now: float) -> None:
        for worker in self.workers.values():
            worker.expiry = now + 60
        super().tick(now)


class SendsNoHeartbeats(PlainBroker):
    """Sends no heartbeats."""

    def tick(self, now: float) -> None:
        self.next_heartbeat = now + 60
        super().tick(now)


class CountsOnlyHeartbeats(PlainBroker):
    """Expires a worker that sends replies but no heartbeats."""

    def handle_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        before = self.workers[sender].expiry if sender in self.workers else None
        super().handle_worker(sender, command, rest)
        if before is not None and command != self.dialect.heartbeat and sender in self.workers:
            self.workers[sender].expiry = before


class DispatchesTwo(PlainBroker):
    """Dispatches to a worker that already has a request, and accepts replies to all of its requests."""

    held: set[tuple[bytes, bytes]] = set()

    def is_free(self, worker: Worker) -> bool:
        return True

    def send_command(self, address: bytes, command: int, *rest: bytes) -> None:
        if command == REQUEST:
            self.held.add((address, rest[0]))
        super().send_command(address, command, *rest)

    def replied(self, sender: bytes, is_final: bool, address: bytes, body: Frames) -> None:
        if sender in self.workers and (sender, address) in self.held:
            self.held.discard((sender, address))
            self.workers[sender].request = Request(address, b"", [], 0)
        super().replied(sender, is_final, address, body)


class QueuesNothing(PlainBroker):
    """Drops a request without a free worker once all pending messages are read.

    A READY that was sent before the request may be read after it, since each has its own connection.
    """

    def tick(self, now: float) -> None:
        super().tick(now)
        if not self.socket.poll(0):
            self.queues.clear()


class AcceptsASecondReady(PlainBroker):
    """Registers the worker again instead of ending the connection."""

    def handle_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        if command == 1 and rest and not rest[0].startswith(b"mmi."):
            self.remove_worker(sender)
        super().handle_worker(sender, command, rest)


class OpensItsNamespace(PlainBroker):
    """Lets workers register in mmi."""

    def handle_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        if command == 1 and rest and rest[0].startswith(b"mmi."):
            self.workers[sender] = Worker(rest[0], time.monotonic() + self.interval)
            return
        super().handle_worker(sender, command, rest)


class DropsEmptyFrames(PlainBroker):
    """Treats every empty frame as a delimiter."""

    def queue(self, request: Request) -> None:
        request.body = [frame for frame in request.body if frame]
        super().queue(request)


FLAWS = {
    "loses-requests": LosesRequests, "dies-of-one-frame": EndsOnOneFrame, "remembers-services": RemembersServices,
    "swaps-partial-and-final": SwapsPartialAndFinal, "passes-on-any-reply": PassesOnAnyReply,
    "never-expires": NeverExpires, "never-beats": SendsNoHeartbeats, "hears-only-heartbeats": CountsOnlyHeartbeats,
    "hands-out-two": DispatchesTwo, "waits-for-nobody": QueuesNothing, "forgives-a-second-ready": AcceptsASecondReady,
    "opens-its-namespace": OpensItsNamespace, "drops-empty-frames": DropsEmptyFrames,
}

if __name__ == "__main__":
    options = parser()
    options.add_argument("--flaw", choices=list(FLAWS), required=True)
    given = options.parse_args()
    serve(FLAWS[given.flaw], given.endpoint, given.version, given.heartbeat)
