"""Our extension of READY: a worker's options, their agreement, and draining."""

from __future__ import annotations

from collections.abc import Callable

from .deviation import Deviation, expect, show
from .dialect import V02, Dialect
from .peers import Worker
from .rule import Check, rule
from .scene import Scene

_SECTION = "READY options"


def _rule(name: str, claim: str) -> Callable[[Check], Check]:
    return rule(name, _SECTION, claim, chapter="ours", dialects=(V02,))


def _options(instance: bytes, capacity: int = 1, milliseconds: int = 500, exclusive: bool = False) -> bytes:
    return b"instance=%b\ncapacity=%d\nheartbeat-ms=%d\nexclusive=%d" % (instance, capacity, milliseconds, exclusive)


def _register(worker: Worker, service: bytes, options: bytes) -> None:
    worker.send_command(worker.dialect.ready, service, options)
    worker.is_registered = True


def _register_agreed(scene: Scene, dialect: Dialect, service: bytes, options: bytes) -> Worker:
    """Register with options; the broker must accept them in its first message."""
    worker = scene.worker(dialect)
    _register(worker, service, options)
    expect(dialect.worker_command(dialect.heartbeat, options), worker.receive())
    return worker


def _worker(scene: Scene, dialect: Dialect, service: bytes, capacity: int = 1) -> Worker:
    """Return a registered worker with a unique instance name."""
    return _register_agreed(scene, dialect, service, _options(scene.service(), capacity))


def is_agreed(scene: Scene, dialect: Dialect) -> bool:
    """Return whether the broker supports the options."""
    try:
        _worker(scene, dialect, scene.service())
        return True
    except Deviation:
        return False


@_rule("options.agreed", "READY with options is answered at once by a HEARTBEAT with the agreed values")
def _at_once(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    worker = _worker(scene, dialect, service)
    client = scene.client(dialect)
    worker.finish(scene.dispatch(client, worker, service), b"answer")
    client.expect(service, b"answer")


@_rule("options.capacity", "a worker of capacity 3 is handed three requests at a time and not four")
def _capacity(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    worker = _worker(scene, dialect, service, capacity=3)
    for number in range(4):
        scene.client(dialect).ask(service, b"%d" % number)
    requests = [worker.request() for _ in range(3)]
    if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("no fourth request", command.name)
    worker.finish(requests[0], b"answer")
    worker.request()


@_rule("options.silence", "the agreed interval decides when a worker is silent: three of 100 ms")
def _silence(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    client, other = scene.client(dialect), scene.worker(dialect)
    worker = _register_agreed(scene, dialect, service, _options(scene.service(), milliseconds=100))
    worker.sends_heartbeats = False
    scene.dispatch(client, worker, service)
    other.ready(service)
    other.finish(other.request(scene.limits.other), b"answer")
    client.expect(service, b"answer")


@_rule("options.identity", "the identity of a worker that fell silent is free, although its connection has not ended")
def _identity(scene: Scene, dialect: Dialect) -> None:
    service, identity = scene.service(), b"worker of " + scene.service()
    client = scene.client(dialect)
    silent = scene.worker(dialect, identity=identity, reconnects=False)  # as one whose machine has lost its power
    options = _options(scene.service(), milliseconds=100)
    _register(silent, service, options)
    expect(dialect.worker_command(dialect.heartbeat, options), silent.receive())
    silent.is_registered = False  # by this alone it sends nothing more
    scene.dispatch(client, silent, service)
    other = _worker(scene, dialect, service)
    other.finish(other.request(scene.limits.other), b"answer")
    client.expect(service, b"answer")
    other.disconnect()
    scene.expect_routing(client, scene.worker(dialect, service, identity), service)


@_rule("options.unusable", "options out of range are ignored: the worker is a plain one of capacity 1")
def _unusable(scene: Scene, dialect: Dialect) -> None:
    for options in (_options(b"x", capacity=0), _options(b"x", milliseconds=49), _options(b""), b"\xff\x00", b""):
        service = scene.service()
        worker = scene.worker(dialect)
        _register(worker, service, options)
        for _ in range(2):
            scene.client(dialect).ask(service, b"question")
        request = worker.receive()
        if request is None or dialect.read_command(request).name != "REQUEST":
            raise Deviation("a REQUEST and no agreement before it", show(request))
        if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
            raise Deviation("one request at a time", command.name)


@_rule("options.exclusive", "a second worker of an exclusive service gets DISCONNECT with the reason")
def _exclusive(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    first = _register_agreed(scene, dialect, service, _options(scene.service(), exclusive=True))
    second = scene.worker(dialect)
    _register(second, service, _options(scene.service()))
    second.is_registered = False
    expect(dialect.worker_command(dialect.disconnect, b"exclusive"), second.receive())
    scene.expect_routing(scene.client(dialect), first, service)


@_rule("options.double", "a second connection of an instance expels the first")
def _double(scene: Scene, dialect: Dialect) -> None:
    service, options = scene.service(), _options(scene.service())
    first = _register_agreed(scene, dialect, service, options)
    second = _register_agreed(scene, dialect, service, options)
    first.expect_disconnect()
    scene.expect_routing(scene.client(dialect), second, service)


@_rule("options.drain", "a drain is granted by a HEARTBEAT that says so; no request follows, and what has begun may end")
def _drain(scene: Scene, dialect: Dialect) -> None:
    service = scene.service()
    client, second = scene.client(dialect), scene.client(dialect)
    worker = _worker(scene, dialect, service, capacity=4)
    request = scene.dispatch(client, worker, service)
    worker.send_command(dialect.heartbeat, b"drain")
    expect(dialect.worker_command(dialect.heartbeat, b"drain"), worker.receive())
    second.ask(service, b"question")
    if (command := worker.next_but_heartbeats(scene.limits.quiet)) is not None:
        raise Deviation("nothing more for a draining worker", command.name)
    worker.finish(request, b"answer")
    client.expect(service, b"answer")
    worker.disconnect()
    other = _worker(scene, dialect, service)
    other.finish(other.request(), b"of another")
    second.expect(service, b"of another")
