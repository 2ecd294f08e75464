"""RFC 8, the Majordomo Management Interface, queried by clients of both versions."""

from __future__ import annotations

from .deviation import Deviation, show
from .dialect import Dialect
from .peers import Client
from .rule import Pace, rule
from .scene import Scene

_NAMESPACE, _SERVICES = "Namespace", "Default services"
SERVICE = b"mmi.service"


def is_there(scene: Scene, dialect: Dialect, seconds: float) -> bool:
    """Return whether the broker answers `mmi.service` at all."""
    client = scene.client(dialect)
    client.ask(SERVICE, scene.service())
    return client.receive(seconds) is not None


def _until(scene: Scene, client: Client, service: bytes, status: bytes, seconds: float) -> None:
    """Query until the status is reached: a worker's message may still be in transit."""
    expected = [client.dialect.client_reply(SERVICE, [status], is_final) for is_final in (True, False)]
    end = scene.now() + seconds
    while True:
        client.ask(SERVICE, service)
        came = client.receive()
        if came in expected:
            return
        if came is None or scene.now() >= end:
            raise Deviation(show(expected[0]), show(came))
        scene.wait(client, scene.limits.settle)


@rule("service.found", _SERVICES, "mmi.service answers 200 for a service with a worker", chapter="8")
def _found(scene: Scene, dialect: Dialect) -> None:
    client, _, service = scene.pair(dialect)
    _until(scene, client, service, b"200", scene.limits.answer)


@rule("service.never", _SERVICES, "mmi.service answers 404 for a service that never had a worker", chapter="8")
def _never(scene: Scene, dialect: Dialect) -> None:
    client = scene.client(dialect)
    client.ask(SERVICE, service := scene.service())
    client.expect(SERVICE, b"404")
    client.ask(SERVICE, service)
    client.expect(SERVICE, b"404")


@rule("service.asked", _SERVICES, "mmi.service answers 404 for a service that was asked and never had a worker",
      chapter="8")
def _asked(scene: Scene, dialect: Dialect) -> None:
    client, service = scene.client(dialect), scene.service()
    client.ask(service, b"question")
    client.ask(SERVICE, service)
    client.expect(SERVICE, b"404")


@rule("service.left", _SERVICES, "mmi.service answers 404 for a service whose only worker has left", chapter="8")
def _left(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    _until(scene, client, service, b"200", scene.limits.answer)
    worker.disconnect()
    _until(scene, client, service, b"404", scene.limits.answer)


@rule("service.one_left", _SERVICES, "mmi.service answers 200 while one of two workers is left", chapter="8")
def _one_left(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    scene.worker(dialect, service)
    worker.disconnect()
    scene.pause(scene.limits.quiet)
    client.ask(SERVICE, service)
    client.expect(SERVICE, b"200")


@rule("service.silent", _SERVICES, "mmi.service answers 404 once the only worker has been silent for too long",
      chapter="8", pace=Pace.SLOW)
def _silent(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    # Before its READY is read, the answer is 404, too.
    _until(scene, client, service, b"200", scene.limits.answer)
    worker.sends_heartbeats = False
    _until(scene, client, service, b"404", scene.limits.longest)


@rule("service.part", _SERVICES, "mmi.service knows names byte for byte: a part of one is 404", chapter="8")
def _part(scene: Scene, dialect: Dialect) -> None:
    client, _, service = scene.pair(dialect)
    _until(scene, client, service, b"200", scene.limits.answer)
    for other in (service[:-1], service + b"0", b""):
        client.ask(SERVICE, other)
        client.expect(SERVICE, b"404")


@rule("namespace.unknown", _SERVICES, "an mmi service that there is not is answered 501", chapter="8")
def _unknown(scene: Scene, dialect: Dialect) -> None:
    client = scene.client(dialect)
    for name in (b"mmi.no-such-service", b"mmi.Service", b"mmi."):
        client.ask(name, b"question")
        client.expect(name, b"501")


@rule("namespace.worker", _NAMESPACE, "a worker that registers in mmi gets DISCONNECT", chapter="8")
def _worker(scene: Scene, dialect: Dialect) -> None:
    for name in (SERVICE, b"mmi.no-such-service"):
        worker = scene.worker(dialect, name)
        worker.expect_disconnect()


@rule("namespace.internal", _NAMESPACE, "mmi is the broker's own: no worker is handed such a request", chapter="8")
def _internal(scene: Scene, dialect: Dialect) -> None:
    name = b"mmi.no-such-service"
    worker = scene.worker(dialect, name)
    client = scene.client(dialect)
    client.ask(name, b"question")
    client.expect(name, b"501")
    command = worker.next_but_heartbeats(scene.limits.quiet)
    worker.is_registered = False
    if command is not None and command.name == "REQUEST":
        raise Deviation("no REQUEST for the worker", show(command.body))
