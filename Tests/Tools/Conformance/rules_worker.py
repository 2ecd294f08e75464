"""MDP/Worker: registration, its end, and the dispatch of requests."""

from __future__ import annotations

from .deviation import Deviation, expect, show
from .dialect import V02, Command, Dialect
from .peers import Client, Worker
from .rule import SHOULD, rule
from .scene import Scene

_OPENING = "Opening and Closing a Connection"
_PROCESSING = "Request and Reply Processing"
_TOPOLOGY = "Overall Topology"


@rule("worker.no_response", _OPENING, "there is no response to READY; heartbeats apart, a REQUEST comes first")
def _no_response(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("nothing but heartbeats", command.name)
    scene.dispatch(client, worker, service)


@rule("worker.routing", "Goals", "a request goes to a worker of its service and to no other")
def _routing(scene: Scene, dialect: Dialect) -> None:
    client = scene.client(dialect)
    services = [scene.service() for _ in range(3)]
    workers = [scene.worker(dialect, service) for service in services]
    for service, worker in reversed(list(zip(services, workers))):
        expect([service], scene.dispatch(client, worker, service, service).body)


@rule("worker.name", _OPENING, "names match byte for byte: neither a part of a name nor other letters are the service")
def _name(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    for other in (service[:-1], service + b"0", service.upper(), service + b" "):
        scene.client(dialect).ask(other, b"not for this worker")
    expect([b"right"], scene.dispatch(client, worker, service, b"right").body)


@rule("worker.several", _OPENING, "several workers of one service work at the same time")
def _several(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    workers = [scene.worker(dialect, service) for _ in range(3)]
    for number in range(3):
        scene.client(dialect).ask(service, b"%d" % number)
    expect([b"0", b"1", b"2"], sorted(worker.request().body[0] for worker in workers))


@rule("worker.one_at_a_time", _TOPOLOGY, "a worker is handed one request at a time")
def _one_at_a_time(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    second = scene.client(dialect)
    first_request = scene.dispatch(client, worker, service, b"first")
    second.ask(service, b"second")
    if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("nothing before the first is answered", f"{command.name} {show(command.body)}")
    worker.finish(first_request, b"answer")
    client.expect(service, b"answer")


@rule("worker.address", _PROCESSING, "a REQUEST has exactly one address frame, and an empty frame behind it")
def _address(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    client.ask(service, b"question")
    worker.sends_heartbeats = False
    head = dialect.worker_command(dialect.request)
    while (frames := worker.receive()) == dialect.worker_command(dialect.heartbeat):
        pass
    shape = f"{show(head)[:-1]}, an address, \"\", \"question\"]"
    if frames is None or frames[: len(head)] != head or len(frames) != len(head) + 3 or not frames[len(head)]:
        raise Deviation(shape, show(frames))
    if frames[len(head) + 1 :] != [b"", b"question"]:
        raise Deviation(shape, show(frames))


def _expect_expulsion(scene: Scene, dialect: Dialect, client: Client, worker: Worker, service: bytes) -> None:
    """Fail unless the worker gets DISCONNECT and then no further commands: the next request goes elsewhere."""
    worker.expect_disconnect()
    scene.expect_routing(client, scene.worker(dialect, service), service)
    if (frames := worker.receive(scene.limits.quiet)) is not None:
        raise Deviation("nothing after DISCONNECT", show(frames))


@rule("worker.ready_twice", _OPENING, "a second READY gets DISCONNECT and then no further commands")
def _ready_twice(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    worker.ready(service)
    _expect_expulsion(scene, dialect, client, worker, service)


@rule("worker.two_services", _OPENING, "one worker handles one service: READY for a second one gets DISCONNECT")
def _two_services(scene: Scene, dialect: Dialect) -> None:
    client, worker, _ = scene.pair(dialect)
    second = scene.service()
    worker.ready(second)
    _expect_expulsion(scene, dialect, client, worker, second)


def _before_ready(scene: Scene, dialect: Dialect, command: int | None, *rest: bytes) -> None:
    worker = scene.worker(dialect)
    worker.send_command(command, *rest)
    worker.expect_disconnect()
    scene.expect_broker_alive(dialect)


@rule("worker.heartbeat_first", "Heartbeating", "HEARTBEAT before READY is unexpected and gets DISCONNECT")
def _heartbeat_first(scene: Scene, dialect: Dialect) -> None:
    _before_ready(scene, dialect, dialect.heartbeat)


@rule("worker.reply_first", _OPENING, "a final reply before READY is unexpected and gets DISCONNECT")
def _reply_first(scene: Scene, dialect: Dialect) -> None:
    _before_ready(scene, dialect, dialect.final, b"address", b"", b"answer")


@rule("worker.partial_first", _OPENING, "PARTIAL before READY is unexpected and gets DISCONNECT", dialects=(V02,))
def _partial_first(scene: Scene, dialect: Dialect) -> None:
    _before_ready(scene, dialect, dialect.partial, b"address", b"", b"part")


@rule("worker.request_first", _OPENING, "REQUEST is the broker's: from a stranger it gets DISCONNECT")
def _request_first(scene: Scene, dialect: Dialect) -> None:
    _before_ready(scene, dialect, dialect.request, b"address", b"", b"question")


@rule("worker.request", _OPENING, "REQUEST is the broker's: from a registered worker it gets DISCONNECT")
def _request(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    worker.send_command(dialect.request, b"address", b"", b"question")
    _expect_expulsion(scene, dialect, client, worker, service)


@rule("worker.unasked", _PROCESSING, "a worker answers only what it was asked: another's request stays the other's")
def _unasked(scene: Scene, dialect: Dialect) -> None:
    # RFC: DISCONNECT. Silence is accepted too: a broker cannot distinguish this from a late reply.
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    thief = scene.worker(dialect, service)
    thief.finish(request, b"stolen")
    thief.finish(request, b"stolen again")
    if (frames := client.receive(scene.limits.quiet)) is not None:
        raise Deviation("nothing yet for the client", show(frames))
    worker.finish(request, b"answer")
    client.expect(service, b"answer")


@rule("worker.no_such_address", _PROCESSING, "a reply to an address that was never given out hurts nobody", SHOULD)
def _no_such_address(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    for address in (b"\x00nobody", b"x", b"y" * 300):
        worker.finish(Command("REQUEST", address), b"answer")
    expect([b"answer"], scene.reply_through(client, service, worker).body)
    scene.expect_broker_alive(dialect)


@rule("worker.leaves", _OPENING, "after a worker's DISCONNECT the broker sends it no further commands")
def _leaves(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    worker.disconnect()
    if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("no command after DISCONNECT", command.name)
    scene.expect_routing(client, scene.worker(dialect, service), service)
    if (frames := worker.receive(scene.limits.quiet)) is not None:
        raise Deviation("no command after DISCONNECT", show(frames))


@rule("worker.leaves_first", _OPENING, "DISCONNECT before READY is allowed and gets no response")
def _leaves_first(scene: Scene, dialect: Dialect) -> None:
    worker = scene.worker(dialect)
    worker.disconnect()
    if (frames := worker.receive(scene.limits.quiet)) is not None:
        raise Deviation("no response", show(frames))
    scene.expect_broker_alive(dialect)


@rule("worker.comes_back", _OPENING, "an expelled worker registers again on a new socket")
def _comes_back(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    worker.ready(service)
    worker.expect_disconnect()
    worker.close()
    again = scene.worker(dialect, service)
    again.finish(scene.dispatch(client, again, service), b"answer")
    client.expect(service, b"answer")
