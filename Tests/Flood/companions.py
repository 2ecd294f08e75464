"""A good client and a good worker beside the flood, each a process of its own."""

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
# Long enough for a machine under load; what takes longer counts as not answered.
ANSWER_SECONDS = 10.0
HEARTBEAT_SECONDS = 0.5
PAUSE_MILLISECONDS = 1
_CONTROL = struct.Struct(">4sBBBB16sII")


@dataclass
class Account:
    """What a companion sent, as the broker must count it, and what went wrong."""

    sent: Counter[tuple[str, str]] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def says(self, branch: str) -> None:
        """Note one message for a branch of the broker's decoder."""
        self.sent["received", branch] += 1


class Companion:
    """A process that works until it is stopped, and then gives its account."""

    def __init__(self, work: Callable[[str, Connection, Account], None], door: str) -> None:
        # Forked before this process has threads of its own; the child makes its own context.
        fork = multiprocessing.get_context("fork")
        self._ours, theirs = fork.Pipe()
        self._process = fork.Process(target=_run, args=(work, door, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def stop(self) -> Account:
        """Let it finish what it is at, and return its account."""
        self._ours.send("stop")
        if not self._ours.poll(ANSWER_SECONDS * 2):
            return Account(troubles=["a companion of the flood does not end"])
        account: Account = self._ours.recv()
        return account

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()


def _run(work: Callable[[str, Connection, Account], None], door: str, told: Connection) -> None:
    account = Account()
    try:
        work(door, told, account)
    except Exception as error:  # its end must not be mistaken for silence
        account.troubles.append(f"{work.__name__}: {error!r}")
    told.send(account)


def ask(door: str, told: Connection, account: Account) -> None:
    """Ask one question after the other; each must be answered with its own words."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(door)
        while not told.poll(PAUSE_MILLISECONDS / 1000):
            identity, words = os.urandom(16), os.urandom(40)
            control = _CONTROL.pack(b"KBOX", 1, 1, 0, 0, identity, int(ANSWER_SECONDS * 1000), 0)
            began = time.perf_counter()
            socket.send_multipart(V02.asks(SERVICE, [control, words]))
            account.says("client_request")
            if not socket.poll(int(ANSWER_SECONDS * 1000)):
                account.troubles.append(f"a question had no answer within {ANSWER_SECONDS:.0f} s")
                return
            reply = V02.read_reply(socket.recv_multipart())
            account.milliseconds.append((time.perf_counter() - began) * 1000)
            if len(reply.body) != 2 or reply.body[0][8:24] != identity or reply.body[1] != words:
                account.troubles.append(f"a question was answered with {reply.body[1:]!r}")


def serve(door: str, told: Connection, account: Account) -> None:
    """Answer every question with its own words, and beat in between."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(door)

        def say(branch: str, command: int, *rest: bytes) -> None:
            socket.send_multipart(V02.says(command, *rest))
            account.says(branch)

        say("worker_ready", V02.ready, SERVICE, OPTIONS)
        beat = time.monotonic()
        while not told.poll(0):
            if time.monotonic() - beat >= HEARTBEAT_SECONDS:
                beat = time.monotonic()
                say("worker_heartbeat", V02.heartbeat)
            if not socket.poll(int(HEARTBEAT_SECONDS * 200)):
                continue
            frames = socket.recv_multipart()
            if frames[1:2] == [bytes([V02.disconnect])]:
                account.troubles.append("the good worker was disconnected")
                return
            if frames[1:2] == [bytes([V02.request])]:
                _, _, ticket, empty, control, *content = frames
                say("worker_final", V02.final, ticket, empty, control, *content)
        say("worker_disconnect", V02.disconnect)
