"""MDP/Client: what the broker guarantees to a client."""

from __future__ import annotations

from functools import partial

import zmq

from .deviation import Deviation, expect, show
from .dialect import V01, V02, Dialect
from .rule import SHOULD, rule
from .scene import Scene

_SECTION = "MDP/Client"


@rule("client.reply", _SECTION, "a request is answered by the worker's reply, with the service's name before the body")
def _reply(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service, b"question")
    expect([b"question"], request.body)
    worker.finish(request, b"answer")
    client.expect(service, b"answer", is_final=True)


@rule("client.req_socket", _SECTION, "a client with a REQ socket is served", dialects=(V01,))
def _req_socket(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    worker = scene.worker(dialect, service)
    with scene.context.socket(zmq.REQ) as client:
        client.linger = 0
        client.connect(scene.endpoints.clients)
        client.send_multipart([dialect.client, service, b"question"])
        worker.finish(worker.request(), b"answer")
        came = client.recv_multipart() if client.poll(scene.limits.answer * 1000) else None
    expect([dialect.client, service, b"answer"], came)


@rule("client.identity", "ROUTER Addressing", "a peer is found by whatever identity its socket has")
def _identity(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    client = scene.client(dialect, identity=b"\x01\xff" + service)
    worker = scene.worker(dialect, service, identity=b"worker of " + service)
    worker.finish(scene.dispatch(client, worker, service), b"answer")
    client.expect(service, b"answer")


@rule("client.own_reply", _SECTION, "each of several clients gets the reply to its own request")
def _own_reply(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    clients = [scene.client(dialect) for _ in range(4)]
    workers = [scene.worker(dialect, service) for _ in clients]
    for number, client in enumerate(clients):
        client.ask(service, b"question %d" % number)
    requests = [(worker, worker.request()) for worker in workers]
    for worker, request in reversed(requests):
        worker.finish(request, *request.body)
    for number, client in enumerate(clients):
        client.expect(service, b"question %d" % number)


@rule("client.one_reply", _SECTION, "a request has one final reply: a second one is not passed on")
def _one_reply(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    worker.finish(request, b"first")
    worker.finish(request, b"second")
    client.expect(service, b"first")
    # Wait until the second reply has been read; else the broker could forward it as the reply to the next request.
    scene.pause(scene.limits.quiet)
    expect([b"answer"], scene.reply_through(client, service, worker).body)


@rule("client.partials", _SECTION, "PARTIALs reach the client in order and before the FINAL", dialects=(V02,))
def _partials(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    parts = [[b"one"], [b"", b"two"], [b"three", b""]]
    for part in parts:
        worker.finish_partly(request, *part)
    worker.finish(request, b"end")
    for part in parts:
        client.expect(service, *part, is_final=False)
    client.expect(service, b"end", is_final=True)


@rule("client.partial_at_once", _SECTION, "a PARTIAL does not wait for the FINAL", SHOULD, dialects=(V02,))
def _partial_at_once(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    worker.finish_partly(request, b"part")
    client.expect(service, b"part")
    worker.finish(request, b"end")
    client.expect(service, b"end")


@rule("client.after_final", _SECTION, "after the FINAL nothing more of a request reaches the client", dialects=(V02,))
def _after_final(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    worker.finish(request, b"end")
    worker.finish_partly(request, b"late part")
    client.expect(service, b"end")
    scene.pause(scene.limits.quiet)
    expect([b"answer"], scene.reply_through(client, service, worker).body)


@rule("client.queued", _SECTION, "a request waits for a worker that registers later", SHOULD)
def _queued(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    client = scene.client(dialect)
    client.ask(service, b"early")
    if (came := client.receive(scene.limits.quiet)) is not None:
        raise Deviation("nothing until there is a worker", show(came))
    worker = scene.worker(dialect, service)
    worker.finish(worker.request(), b"answer")
    client.expect(service, b"answer")


@rule("client.fair", "Overall Topology", "a client that always has a request waiting starves no other", SHOULD)
def _fair(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    worker = scene.worker(dialect, service)
    greedy = [scene.client(dialect) for _ in range(3)]
    for client in greedy:
        client.ask(service, b"greedy")
    polite = scene.client(dialect)
    polite.ask(service, b"polite")
    rounds = 20
    for _ in range(rounds):
        request = worker.request()
        worker.finish(request, b"answer")
        if request.body == (b"polite",):
            return
        for client in scene.wait_any([*greedy], scene.limits.answer):
            client.receive(0)
            client.send(dialect.client_request(service, [b"greedy"]))
    raise Deviation(f"the polite client's turn within {rounds} hand-outs", "only requests of the greedy ones")


@rule("client.gone", _SECTION, "a reply to a client that has gone hurts nobody")
def _gone(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    client.close()
    worker.finish(request, b"answer")
    expect([b"answer"], scene.reply_through(scene.client(dialect), service, worker).body)


_BODIES: list[tuple[str, str, list[bytes]]] = [
    ("empty", "one empty frame", [b""]),
    ("empty_frames", "empty frames before, between and after others", [b"", b"a", b"", b"b", b""]),
    ("binary", "every byte there is", [bytes(range(256)), bytes(reversed(range(256)))]),
    ("like_a_command", "what looks like commands", [b"\x01", b"MDPW02", b"", b"MDPC01", b"\x06"]),
    ("sixty", "60 frames", [b"%d" % number for number in range(60)]),
    ("mebibyte", "a frame of 1 MiB", [bytes(range(256)) * 4096]),
]


def _body(body: list[bytes], scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service, *body)
    expect(body, request.body)
    worker.finish(request, *body)
    client.expect(service, *body)


for _name, _what, _frames in _BODIES:
    rule(f"body.{_name}", _SECTION, f"a body is opaque both ways: {_what}")(partial(_body, _frames))
