"""Our control frame, the broker's refusals, and its management interface."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from .deviation import Deviation, expect, show
from .dialect import V02, Dialect
from .peers import Client
from .rule import Check, Pace, rule
from .scene import Scene

_SECTION = "Control frame"
_LAYOUT = struct.Struct(">4sBBBB16sII")
_IDEMPOTENT, _REFUSED = 1, 2
_CLIENT, _OPERATOR = 0x10, 0x30
"""The role of a caller; every process that reaches the run folder's sockets is an operator."""


@dataclass(frozen=True)
class Control:
    """Our control frame, the first frame of a body."""

    identity: bytes
    flags: int = _IDEMPOTENT
    attempts: int = 0
    milliseconds: int = 5000
    queued: int = 0
    version: int = 1
    reserved: int = 0

    @property
    def frame(self) -> bytes:
        """Return the 32 bytes."""
        return _LAYOUT.pack(b"KBOX", self.version, self.flags, self.attempts, self.reserved, self.identity,
                            self.milliseconds, self.queued)

    @staticmethod
    def read(frame: bytes) -> Control:
        """Read the 32 bytes."""
        if len(frame) != _LAYOUT.size or not frame.startswith(b"KBOX\x01"):
            raise Deviation("a control frame", show([frame]))
        _, version, flags, attempts, reserved, identity, milliseconds, queued = _LAYOUT.unpack(frame)
        return Control(identity, flags, attempts, milliseconds, queued, version, reserved)


def _new(flags: int = _IDEMPOTENT, milliseconds: int = 5000) -> Control:
    return Control(os.urandom(16), flags, milliseconds=milliseconds)


def _rule(
    name: str, claim: str, pace: Pace = Pace.QUICK, section: str = _SECTION
) -> Callable[[Check], Check]:
    return rule(name, section, claim, chapter="ours", dialects=(V02,), pace=pace)


def _answer(client: Client, seconds: float | None = None) -> tuple[Control, list[bytes]]:
    reply = client.reply(seconds)
    if reply is None or not reply.body:
        raise Deviation("a reply with a control frame", show(reply.body if reply else None))
    return Control.read(reply.body[0]), reply.body[1:]


def _expect_refusal(client: Client, asked: Control, code: bytes) -> None:
    control, rest = _answer(client)
    if control.flags != _REFUSED or control.identity != asked.identity or rest != [code]:
        raise Deviation(f'the refusal "{code.decode()}" of this request', f"flags {control.flags}, {show(rest)}")


@_rule("control.round_trip", "the broker counts hand-outs and time in the control frame and leaves the rest alone")
def _round_trip(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    # The broker writes the role, whatever the client has written.
    asked = _new(flags=_IDEMPOTENT | _CLIENT)
    request = scene.dispatch(client, worker, service, asked.frame, b"question")
    dispatched = Control.read(request.body[0])
    expect([b"question"], request.body[1:])
    expected = replace(asked, flags=_IDEMPOTENT | _OPERATOR, attempts=1, milliseconds=0)
    if replace(dispatched, milliseconds=0, queued=0) != expected:
        raise Deviation("the same request of an operator, attempt 1", str(dispatched))
    if not 0 < dispatched.milliseconds <= asked.milliseconds:
        raise Deviation("some of 5000 ms left", f"{dispatched.milliseconds} ms")
    worker.finish(request, Control(asked.identity, flags=0).frame, b"answer")
    answered, rest = _answer(client)
    expect([b"answer"], rest)
    if (answered.identity, answered.flags, answered.attempts) != (asked.identity, 0, 1):
        raise Deviation("the reply to this request, attempt 1", str(answered))


@_rule("control.hand_over", "an idempotent request of a lost worker is handed to another as attempt 2")
def _redelivered(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    scene.dispatch(client, worker, service, _new().frame)
    other = scene.worker(dialect, service)
    worker.disconnect()
    if (attempts := Control.read(other.request().body[0]).attempts) != 2:
        raise Deviation("attempt 2", f"attempt {attempts}")


@_rule("control.worker_lost", "a request that is not idempotent ends with its worker: worker_lost, at once")
def _worker_lost(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    asked = _new(flags=0)
    scene.dispatch(client, worker, service, asked.frame)
    other = scene.worker(dialect, service)
    worker.disconnect()
    _expect_refusal(client, asked, b"worker_lost")
    if (command := other.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("nothing for another worker", command.name)


@_rule("control.unavailable", "without a worker a request ends as unavailable, well before its deadline", Pace.SLOW)
def _unavailable(scene: Scene, dialect: Dialect) -> None:
    client, asked = scene.client(dialect), _new(milliseconds=60_000)
    client.ask(scene.service(), asked.frame)
    _expect_refusal(client, asked, b"unavailable")


@_rule("control.expired", "a request ends as expired at its deadline, in the queue as in a worker's hands", Pace.SLOW)
def _expired(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    in_flight, queued, too_late = _new(milliseconds=2000), _new(milliseconds=200), _new(milliseconds=0)
    scene.dispatch(client, worker, service, in_flight.frame)
    for asked in (queued, too_late):
        client.ask(service, asked.frame)
    # In any order: on a busy machine the first may reach its deadline before the others are sent.
    identities = []
    for _ in range(3):
        control, rest = _answer(client)
        if control.flags != _REFUSED or rest != [b"expired"]:
            raise Deviation('the refusal "expired"', f"flags {control.flags}, {show(rest)}")
        identities.append(control.identity)
    expect(sorted(asked.identity for asked in (in_flight, queued, too_late)), sorted(identities))


@_rule("control.overloaded", "one client's share of a queue is bounded: past it requests end as overloaded, at once")
def _overloaded(scene: Scene, dialect: Dialect) -> None:
    client, service = scene.client(dialect), scene.service()
    for _ in range(128):
        client.ask(service, _new().frame)
    last = _new()
    client.ask(service, last.frame)
    _expect_refusal(client, last, b"overloaded")
    other = scene.client(dialect)
    other.ask(service, _new().frame, b"of another client")
    other.ask(b"mmi.service", service)
    other.expect(b"mmi.service", b"404")
    worker = scene.worker(dialect, service)
    request = worker.request()
    if not request.body[1:]:
        worker.finish(request, request.body[0])
        expect([b"of another client"], worker.request().body[1:])


@_rule("control.duplicate", "the same request again is the same entry: handed out once, answered once")
def _duplicate(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    asked = _new()
    request = scene.dispatch(client, worker, service, asked.frame)
    other = scene.worker(dialect, service)
    client.ask(service, asked.frame)
    if (command := other.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("no second hand-out", command.name)
    worker.finish(request, asked.frame, b"answer")
    expect([b"answer"], _answer(client)[1])
    if (frames := client.receive(scene.limits.quiet)) is not None:
        raise Deviation("one answer", show(frames))


@_rule("control.of_two_clients", "the same id of two clients is two requests")
def _of_two_clients(scene: Scene, dialect: Dialect) -> None:
    service, asked = scene.service(), _new()
    clients = [scene.client(dialect) for _ in range(2)]
    workers = [scene.worker(dialect, service) for _ in clients]
    for number, client in enumerate(clients):
        client.ask(service, asked.frame, b"%d" % number)
    for worker in workers:
        request = worker.request()
        worker.finish(request, *request.body)
    for number, client in enumerate(clients):
        expect([b"%d" % number], _answer(client)[1])


@_rule("control.alone", "a control frame without anything behind it is a request without a body")
def _alone(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service, _new().frame)
    expect([], request.body[1:])
    worker.finish(request, request.body[0])
    expect([], _answer(client)[1])


def _malformed(frame: bytes, scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    client.ask(service, frame, b"question")
    control, rest = _answer(client)
    if control.flags != _REFUSED or rest != [b"malformed"]:
        raise Deviation('the refusal "malformed"', f"flags {control.flags}, {show(rest)}")
    if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("nothing for the worker", command.name)
    scene.expect_broker_alive(dialect)


_GOOD = Control(bytes(16))
for _title, _what, _frame in [
    ("short", "a byte too short", _GOOD.frame[:-1]), ("long", "a byte too long", _GOOD.frame + b"\x00"),
    ("magic", "of the magic alone", b"KBOX"), ("version_0", "of version 0", replace(_GOOD, version=0).frame),
    ("version_2", "of version 2", replace(_GOOD, version=2).frame),
    ("reserved", "with the reserved byte set", replace(_GOOD, reserved=1).frame),
]:
    _rule(f"control.{_title}", f"a control frame {_what} is refused as malformed", Pace.HARSH)(
        partial(_malformed, _frame))


@_rule("mmi.cancel", "mmi.cancel takes back a client's own queued request, and only that", section="Management")
def _cancel(scene: Scene, dialect: Dialect) -> None:
    client, other_client, service = scene.client(dialect), scene.client(dialect), scene.service()
    asked, kept = _new(), _new()
    for control in (asked, kept):
        client.ask(service, control.frame)
    for sender, status in ((other_client, b"404"), (client, b"200"), (client, b"404")):
        sender.ask(b"mmi.cancel", asked.identity)
        sender.expect(b"mmi.cancel", status)
    worker = scene.worker(dialect, service)
    if Control.read(worker.request().body[0]).identity != kept.identity:
        raise Deviation("the other request first", "the cancelled one")


@_rule("mmi.others", "mmi.ping, .info, .services, .workers, .stats and .events are answered 200", section="Management")
def _others(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    worker.finish(scene.dispatch(client, worker, service), b"answer")
    client.expect(service, b"answer")
    client.ask(b"mmi.ping", b"")
    client.expect(b"mmi.ping", b"200")
    for name in (b"mmi.info", b"mmi.services", b"mmi.workers", b"mmi.stats", b"mmi.events"):
        client.ask(name, b"")
        reply = client.reply()
        if reply is None or reply.service != name or reply.body[:1] != [b"200"] or len(reply.body) < 2:
            raise Deviation(f"200 and more from {name.decode()}", show(reply.body if reply else None))
        if name == b"mmi.services" and service not in reply.body:
            raise Deviation("the service's name among them", show(reply.body))
        if name in (b"mmi.info", b"mmi.workers", b"mmi.stats"):
            json.loads(reply.body[1])
