"""A well-behaved client and a well-behaved worker beside the flood, each a separate process."""

from __future__ import annotations

import multiprocessing
import os
import struct
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Self

import zmq

from Conformance.dialect import V02

SERVICE = b"polite.echo"
OPTIONS = b"instance=polite.echo/1\ncapacity=8\nheartbeat-ms=500\nexclusive=0"
# Long enough for a machine under load; a later reply counts as missing.
ANSWER_SECONDS = 10.0
HEARTBEAT_SECONDS = 0.5
PAUSE_MILLISECONDS = 1
_CONTROL = struct.Struct(">4sBBBB16sII")


@dataclass
class Account:
    """What a well-behaved peer sent, as the broker must count it, and what went wrong."""

    sent: Counter[tuple[str, str]] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def count(self, branch: str) -> None:
        """Count one message for a branch of the broker's decoder."""
        self.sent["received", branch] += 1


class WellBehavedPeer:
    """A process that runs until it is stopped, and then returns its account."""

    def __init__(self, work: Callable[[str, Connection, Account], None], endpoint: str) -> None:
        # Forked before this process has threads of its own; the child makes its own context.
        fork = multiprocessing.get_context("fork")
        self._ours, theirs = fork.Pipe()
        self._process = fork.Process(target=_run, args=(work, endpoint, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def stop(self) -> Account:
        """Let it finish its current exchange, and return its account."""
        self._ours.send("stop")
        if not self._ours.poll(ANSWER_SECONDS * 2):
            return Account(troubles=["a well-behaved peer does not end"])
        account: Account = self._ours.recv()
        return account

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()


def _run(work: Callable[[str, Connection, Account], None], endpoint: str, pipe: Connection) -> None:
    account = Account()
    try:
        work(endpoint, pipe, account)
    except Exception as error:  # an exception must not look like a missing reply
        account.troubles.append(f"{work.__name__}: {error!r}")
    pipe.send(account)


def ask(endpoint: str, pipe: Connection, account: Account) -> None:
    """Send one request after the other; each reply must repeat the body of its request."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(endpoint)
        while not pipe.poll(PAUSE_MILLISECONDS / 1000):
            identity, body = os.urandom(16), os.urandom(40)
            control = _CONTROL.pack(b"KBOX", 1, 1, 0, 0, identity, int(ANSWER_SECONDS * 1000), 0)
            began = time.perf_counter()
            socket.send_multipart(V02.client_request(SERVICE, [control, body]))
            account.count("client_request")
            if not socket.poll(int(ANSWER_SECONDS * 1000)):
                account.troubles.append(f"a question had no answer within {ANSWER_SECONDS:.0f} s")
                return
            reply = V02.read_reply(socket.recv_multipart())
            account.milliseconds.append((time.perf_counter() - began) * 1000)
            if len(reply.body) != 2 or reply.body[0][8:24] != identity or reply.body[1] != body:
                account.troubles.append(f"a question was answered with {reply.body[1:]!r}")


def serve(endpoint: str, pipe: Connection, account: Account) -> None:
    """Answer every request with its own body, and send heartbeats in between."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(endpoint)

        def send(branch: str, command: int, *rest: bytes) -> None:
            socket.send_multipart(V02.worker_command(command, *rest))
            account.count(branch)

        send("worker_ready", V02.ready, SERVICE, OPTIONS)
        last_heartbeat = time.monotonic()
        while not pipe.poll(0):
            if time.monotonic() - last_heartbeat >= HEARTBEAT_SECONDS:
                last_heartbeat = time.monotonic()
                send("worker_heartbeat", V02.heartbeat)
            if not socket.poll(int(HEARTBEAT_SECONDS * 200)):
                continue
            frames = socket.recv_multipart()
            if frames[1:2] == [bytes([V02.disconnect])]:
                account.troubles.append("the good worker was disconnected")
                return
            if frames[1:2] == [bytes([V02.request])]:
                _, _, ticket, empty, control, *content = frames
                send("worker_final", V02.final, ticket, empty, control, *content)
        send("worker_disconnect", V02.disconnect)
