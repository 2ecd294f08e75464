#!/usr/bin/python3
"""A client for tests that asks more than anybody may: bursts of requests from one or many connections, in bare frames.

    flooding_client.py ENDPOINT SERVICE KIND PAYLOAD [--clients N] [--burst N] [--bursts N] [--bytes N] [--deaf]

After each burst it prints what has come back by the time that the broker answers a question sent behind the burst, as
{"sent": 2000, "answers": {"overloaded": 1870}}. Then it waits for TERM, at which it takes back what is still queued.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import struct
import sys
from collections import Counter
from typing import NoReturn

import zmq

MAGIC, VERSION, IDEMPOTENT, REFUSED = b"KBOX", 1, 1, 2
HEAD = [b"MDPC02", b"\x01"]
DEADLINE_MILLISECONDS = 60_000
WINDOW = 400
"""Limit of requests without a reply: above a client's share of a queue, and so low that the replies fit into a pipe."""

Frames = list[bytes]


class Client:
    """One connection, which is one client to the broker."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], options: argparse.Namespace) -> None:
        self.options = options
        self.query = int.from_bytes(os.urandom(8), "big")
        self.sent = 0
        self.outstanding: set[bytes] = set()
        self.answers: Counter[str] = Counter()
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger = 1000
        self.socket.sndhwm = 0
        self.socket.rcvhwm = 1 if options.deaf else 0
        self.socket.connect(options.endpoint)

    def ask(self) -> None:
        """Send one valid request for the service."""
        while not self.options.deaf and len(self.outstanding) >= WINDOW:
            self._read(self.socket.recv_multipart())
        self.sent += 1
        identity = struct.pack(">QQ", self.query, self.sent)
        control = MAGIC + struct.pack(">BBBB16sII", VERSION, IDEMPOTENT, 0, 0, identity, DEADLINE_MILLISECONDS, 0)
        query = f"{self.query:016x}"
        header = {"kind": self.options.kind, "query": query, "schema": "1.0", "sender": f"flood/{os.getpid()}",
                  "traceparent": f"00-{query}{query}-{self.sent:016x}-01"}
        self.outstanding.add(identity)
        self.socket.send_multipart(
            [*HEAD, self.options.service.encode(), control, json.dumps(header).encode(),
             self.options.payload.encode(), bytes(self.options.bytes)]
        )

    def cancel_queued(self) -> None:
        """Cancel what is still queued."""
        for identity in self.outstanding:
            self.socket.send_multipart([*HEAD, b"mmi.cancel", identity])

    def read_to_marker(self) -> None:
        """Read all replies that the broker sends before its reply to a query sent now."""
        self.socket.send_multipart([*HEAD, b"mmi.service", self.options.service.encode()])
        while self._read(self.socket.recv_multipart()):
            pass

    def _read(self, frames: Frames) -> bool:
        _, _, service, control, *rest = frames
        if service == b"mmi.service":
            return False
        if control.startswith(MAGIC):
            self.outstanding.discard(control[8:24])
            self.answers[rest[0].decode() if control[5] & REFUSED else "answered"] += 1
        return True


def main() -> None:
    """Flood until TERM."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("endpoint", "service", "kind", "payload"):
        parser.add_argument(name)
    for name, usual in {"clients": 1, "burst": 1000, "bursts": 1, "bytes": 0}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--deaf", action="store_true", help="read nothing")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    clients = [Client(zmq.Context.instance(), options) for _ in range(options.clients)]
    try:
        for _ in range(options.bursts):
            _burst(clients, options)
        while True:
            signal.pause()
    finally:
        for client in clients:
            client.cancel_queued()
            if not options.deaf:
                client.read_to_marker()
            client.socket.close()


def _burst(clients: list[Client], options: argparse.Namespace) -> None:
    for _ in range(options.burst):
        for client in clients:
            client.ask()
    for client in clients:
        if not options.deaf:
            client.read_to_marker()
    answers = sum((client.answers for client in clients), Counter[str]())
    print(json.dumps({"sent": sum(client.sent for client in clients), "answers": answers}), flush=True)


def _end(number: int, _: object) -> NoReturn:
    sys.exit(0)


if __name__ == "__main__":
    main()
