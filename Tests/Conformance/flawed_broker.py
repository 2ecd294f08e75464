#!/usr/bin/python3
"""Plain brokers with one named flaw each, to show that the kit can fail.

    flawed_broker.py --flaw NAME [--version 0.1|0.2] [--heartbeat S] ENDPOINT
"""

from __future__ import annotations

import sys
import time

from plain_broker import REQUEST, Frames, PlainBroker, Request, Worker, parser, serve


class LosesRequests(PlainBroker):
    """The request of a lost worker is lost with it."""

    def lost(self, request: Request) -> None:
        pass


class DiesOfOneFrame(PlainBroker):
    """Takes every message to have two frames at least."""

    def received(self, sender: bytes, frames: Frames) -> None:
        if len(frames) < 2:
            sys.exit("a message of one frame")
        super().received(sender, frames)


class RemembersServices(PlainBroker):
    """Answers 200 for every service that was ever named to it."""

    seen: set[bytes] = set()

    def queue(self, request: Request) -> None:
        self.seen.add(request.service)
        super().queue(request)

    def status(self, service: bytes) -> bytes:
        self.seen.update(worker.service for worker in self.workers.values())
        return b"200" if service in self.seen else b"404"


class SwapsPartialAndFinal(PlainBroker):
    """Uses a worker's numbers towards clients, the wrong way round."""

    def reply(self, client: bytes, service: bytes, body: Frames, is_final: bool = True) -> None:
        super().reply(client, service, body, not is_final)


class PassesOnAnyReply(PlainBroker):
    """Trusts whatever address a reply carries."""

    def replied(self, sender: bytes, is_final: bool, address: bytes, body: Frames) -> None:
        worker = self.workers.get(sender)
        if not worker:
            return super().replied(sender, is_final, address, body)
        self.reply(address, worker.service, body, is_final)
        if is_final:
            worker.request = None
            self.dispatch(worker.service)


class NeverExpires(PlainBroker):
    """Keeps a silent worker for ever."""

    def tick(self, now: float) -> None:
        for worker in self.workers.values():
            worker.expiry = now + 60
        super().tick(now)


class NeverBeats(PlainBroker):
    """Sends no heartbeats."""

    def tick(self, now: float) -> None:
        self.next_beat = now + 60
        super().tick(now)


class HearsOnlyHeartbeats(PlainBroker):
    """Takes a worker that only answers for dead."""

    def from_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        before = self.workers[sender].expiry if sender in self.workers else None
        super().from_worker(sender, command, rest)
        if before is not None and command != self.dialect.heartbeat and sender in self.workers:
            self.workers[sender].expiry = before


class HandsOutTwo(PlainBroker):
    """Takes a worker to be free at all times, and whatever it has for answerable."""

    held: set[tuple[bytes, bytes]] = set()

    def is_free(self, worker: Worker) -> bool:
        return True

    def tell(self, address: bytes, command: int, *rest: bytes) -> None:
        if command == REQUEST:
            self.held.add((address, rest[0]))
        super().tell(address, command, *rest)

    def replied(self, sender: bytes, is_final: bool, address: bytes, body: Frames) -> None:
        if sender in self.workers and (sender, address) in self.held:
            self.held.discard((sender, address))
            self.workers[sender].request = Request(address, b"", [], 0)
        super().replied(sender, is_final, address, body)


class WaitsForNobody(PlainBroker):
    """Drops a request for which no worker is free once all that has come is read.

    A READY that was sent before the request may be read after it: each has a connection of its own.
    """

    def tick(self, now: float) -> None:
        super().tick(now)
        if not self.socket.poll(0):
            self.queues.clear()


class ForgivesASecondReady(PlainBroker):
    """Registers anew instead of ending the connection."""

    def from_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        if command == 1 and rest and not rest[0].startswith(b"mmi."):
            self.forget(sender)
        super().from_worker(sender, command, rest)


class OpensItsNamespace(PlainBroker):
    """Lets workers register in mmi."""

    def from_worker(self, sender: bytes, command: int, rest: Frames) -> None:
        if command == 1 and rest and rest[0].startswith(b"mmi."):
            self.workers[sender] = Worker(rest[0], time.monotonic() + self.interval)
            return
        super().from_worker(sender, command, rest)


class DropsEmptyFrames(PlainBroker):
    """Takes every empty frame for a delimiter."""

    def queue(self, request: Request) -> None:
        request.body = [frame for frame in request.body if frame]
        super().queue(request)


FLAWS = {
    "loses-requests": LosesRequests, "dies-of-one-frame": DiesOfOneFrame, "remembers-services": RemembersServices,
    "swaps-partial-and-final": SwapsPartialAndFinal, "passes-on-any-reply": PassesOnAnyReply,
    "never-expires": NeverExpires, "never-beats": NeverBeats, "hears-only-heartbeats": HearsOnlyHeartbeats,
    "hands-out-two": HandsOutTwo, "waits-for-nobody": WaitsForNobody, "forgives-a-second-ready": ForgivesASecondReady,
    "opens-its-namespace": OpensItsNamespace, "drops-empty-frames": DropsEmptyFrames,
}

if __name__ == "__main__":
    options = parser()
    options.add_argument("--flaw", choices=list(FLAWS), required=True)
    given = options.parse_args()
    serve(FLAWS[given.flaw], given.endpoint, given.version, given.heartbeat)
