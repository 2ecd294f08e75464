"""Invalid messages: dropped, possibly with the end of their sender's registration, without effect on other peers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .deviation import Deviation, expect, show
from .dialect import BOTH, V01, V02, Dialect
from .rule import SHOULD, Pace, rule
from .scene import Scene

_SECTION = "Opening and Closing a Connection"
_BODY = b"invalid"

Frames = Callable[[Dialect], list[bytes]]


def _client(frames: Frames, scene: Scene, dialect: Dialect) -> None:
    """Send an invalid message as a client; the broker may ignore the sender's next, valid request, too."""
    client, worker, service = scene.pair(dialect)
    client.send([_BODY if frame == _BODY else service if frame == b"SERVICE" else frame for frame in frames(dialect)])
    client.ask(service, b"right")
    command = worker.next_but_heartbeats(scene.limits.quiet)
    if command is None:
        if (came := client.receive(0)) is not None:
            raise Deviation("nothing for a peer that is treated as invalid", show(came))
    else:
        expect([b"right"], command.body)
        worker.finish(command, b"answer")
        client.expect(service, b"answer")
    scene.expect_broker_alive(dialect)


def _worker(frames: Frames, is_registered: bool, scene: Scene, dialect: Dialect) -> None:
    """Send an invalid message as a worker; the broker may end or refuse the sender's registration."""
    service = scene.service()
    worker = scene.worker(dialect, service if is_registered else b"")
    worker.send([service if frame == b"SERVICE" else frame for frame in frames(dialect)])
    if not is_registered:
        worker.ready(service)
    expect([b"answer"], scene.reply_through(scene.client(dialect), service, worker).body)
    scene.expect_broker_alive(dialect)


@rule("invalid.reply", "Request and Reply Processing",
      "a reply without the empty frame behind the address reaches nobody", pace=Pace.HARSH)
def _reply(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    worker.send_command(dialect.final, request.address, b"broken")
    worker.send_command(dialect.final, request.address)
    if (came := client.receive(scene.limits.quiet)) is not None:
        raise Deviation("nothing for the client", show(came))
    # Either the broker has dropped it, and this is the reply, or it has ended the connection.
    worker.finish(request, b"answer")
    expect([b"answer"], scene.reply_through(client, service, worker).body)
    scene.expect_broker_alive(dialect)


@rule("invalid.no_body", "MDP/Client", "a request without a body frame is dropped, or handed out as it is", SHOULD,
      pace=Pace.HARSH)
def _no_body(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    client.send(dialect.client_request(service, []))
    command = worker.next_but_heartbeats(scene.limits.quiet)
    if command is not None:
        expect([], command.body)
        worker.finish(command, b"answer")
        client.expect(service, b"answer")
    scene.expect_broker_alive(dialect)


def _name(name: bytes, scene: Scene, dialect: Dialect) -> None:
    scene.client(dialect).ask(name, b"question")
    scene.worker(dialect).send_command(dialect.ready, name)
    scene.expect_broker_alive(dialect)


for _title, _what, _service in [
    ("long", "of 300 bytes", b"x" * 300), ("binary", "that is no text", b"\x00\xff\xfe\x80"),
]:
    rule(f"invalid.name_{_title}", _SECTION, f"a service's name {_what} hurts nobody", SHOULD, pace=Pace.HARSH)(
        partial(_name, _service))


def _other_header(dialect: Dialect, header: bytes) -> list[bytes]:
    return [*dialect.envelope, header, b"SERVICE", _BODY]


def _request_with_command(dialect: Dialect, command: bytes) -> list[bytes]:
    return [dialect.client, command, b"SERVICE", _BODY]


_CLIENTS: list[tuple[str, str, tuple[Dialect, ...], Frames]] = [
    ("no_service", "a request without a service", BOTH, lambda d: d.client_request(b"", [])[:-1]),
    ("empty_service", "a request for a service without a name", BOTH, lambda d: d.client_request(b"", [_BODY])),
    ("lower_case", "the header in small letters", BOTH, lambda d: _other_header(d, d.client.lower())),
    ("long_header", "a header with a byte too many", BOTH, lambda d: _other_header(d, d.client + b"\x00")),
    ("other_version", "a version that there is not", BOTH, lambda d: _other_header(d, b"MDPC99")),
    ("no_delimiter", "no empty frame before the header", (V01,), lambda d: [d.client, b"SERVICE", _BODY]),
    ("two_delimiters", "two empty frames before the header", (V01,),
     lambda d: [b"", *d.client_request(b"SERVICE", [_BODY])]),
    ("delimiter", "an empty frame before the header", (V02,), lambda d: [b"", *d.client_request(b"SERVICE", [_BODY])]),
    ("no_command", "no command", (V02,), lambda d: [d.client, b"SERVICE", _BODY]),
    ("empty_command", "an empty command", (V02,), lambda d: _request_with_command(d, b"")),
    ("long_command", "a command of two bytes", (V02,), lambda d: _request_with_command(d, b"\x00\x01")),
    ("digit", "the command as a digit", (V02,), lambda d: _request_with_command(d, b"1")),
    ("command_0", "command 0", (V02,), lambda d: _request_with_command(d, b"\x00")),
    ("command_7f", "a command that there is not", (V02,), lambda d: _request_with_command(d, b"\x7f")),
    ("client_partial", "a PARTIAL from a client, which is no request", (V02,), lambda d: _request_with_command(d, b"\x02")),
    ("client_final", "a FINAL from a client, which is no request", (V02,), lambda d: _request_with_command(d, b"\x03")),
    ("many_frames", "a thousand empty frames", BOTH, lambda d: [b""] * 1000),
    ("other_protocol", "another protocol", BOTH, lambda d: [b"GET / HTTP/1.1", b"Host: x", b"", b""]),
    ("large", "16 MiB of nothing", BOTH, lambda d: [*d.envelope, b"MDPC99", bytes(16 << 20)]),
]
_WORKERS: list[tuple[str, str, tuple[Dialect, ...], Frames]] = [
    ("worker_command_0", "command 0", BOTH, lambda d: d.worker_command(0)),
    ("worker_command_7f", "a command that there is not", BOTH, lambda d: d.worker_command(0x7F, b"SERVICE")),
    ("worker_command_6", "command 6, DISCONNECT of 0.2", (V01,), lambda d: d.worker_command(6)),
    ("worker_empty_command", "an empty command", BOTH, lambda d: [*d.envelope, d.worker, b"", b"SERVICE"]),
    ("worker_long_command", "a command of two bytes", BOTH, lambda d: [*d.envelope, d.worker, b"\x00\x01", b"SERVICE"]),
    ("worker_reply", "a final reply that ends with the command", BOTH, lambda d: d.worker_command(d.final)),
    ("worker_address", "a final reply that ends with the address", BOTH, lambda d: d.worker_command(d.final, b"address")),
    ("worker_other_version", "a version that there is not", BOTH, lambda d: _other_header(d, b"MDPW99")),
]
_READY: list[tuple[str, str, tuple[Dialect, ...], Frames]] = [
    ("ready_no_service", "READY without a service", BOTH, lambda d: d.worker_command(d.ready)),
    ("ready_empty_service", "READY for a service without a name", BOTH, lambda d: d.worker_command(d.ready, b"")),
    ("ready_no_delimiter", "READY without the empty frame", (V01,), lambda d: [d.worker, b"\x01", b"SERVICE"]),
    ("ready_delimiter", "READY behind an empty frame", (V02,), lambda d: [b"", d.worker, b"\x01", b"SERVICE"]),
]
# Last, since the brokers of the ZeroMQ Guide crash on them.
_ONE_FRAME: list[tuple[str, str, tuple[Dialect, ...], Frames]] = [
    ("one_frame", "a message of one frame", BOTH, lambda d: [d.client]),
    ("empty_frame", "a message of one empty frame", BOTH, lambda d: [b""]),
    ("header_only", "a message that ends with the header", (V01,), lambda d: [b"", d.client]),
]
_ONE_WORKER_FRAME: list[tuple[str, str, tuple[Dialect, ...], Frames]] = [
    ("one_worker_frame", "a message of one frame, a worker's", BOTH, lambda d: [d.worker]),
    ("worker_header_only", "a message that ends with the header, a worker's", (V01,), lambda d: [b"", d.worker]),
]

for _title, _what, _dialects, _frames in _CLIENTS:
    rule(f"invalid.{_title}", _SECTION, f"invalid and dropped: {_what}", SHOULD, pace=Pace.HARSH, dialects=_dialects)(
        partial(_client, _frames))
for _title, _what, _dialects, _frames in _WORKERS + _READY:
    rule(f"invalid.{_title}", _SECTION, f"invalid and dropped: {_what}", SHOULD, pace=Pace.HARSH, dialects=_dialects)(
        partial(_worker, _frames, False))
for _title, _what, _dialects, _frames in _WORKERS:
    rule(f"invalid.{_title}.registered", _SECTION, f"the same from a registered worker: {_what}", SHOULD,
         pace=Pace.HARSH, dialects=_dialects)(partial(_worker, _frames, True))
for _title, _what, _dialects, _frames in _ONE_FRAME:
    rule(f"invalid.{_title}", _SECTION, f"invalid and dropped: {_what}", SHOULD, pace=Pace.HARSH, dialects=_dialects)(
        partial(_client, _frames))
for _title, _what, _dialects, _frames in _ONE_WORKER_FRAME:
    rule(f"invalid.{_title}", _SECTION, f"invalid and dropped: {_what}", SHOULD, pace=Pace.HARSH, dialects=_dialects)(
        partial(_worker, _frames, False))
