"""Heartbeating, both ways. The RFCs leave the interval to the peers, so the broker's own is observed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .deviation import Deviation, show
from .dialect import Dialect
from .peers import Peer, Worker
from .rule import SHOULD, Pace, rule
from .scene import Scene

_SECTION = "Heartbeating"
_STEP = 0.1


def _until_expired(
    scene: Scene, dialect: Dialect, meanwhile: Callable[[], None] = lambda: None
) -> tuple[Worker, bytes]:
    """Register a worker without heartbeats, and return it once the broker has stopped sending to it.

    Returns it after the longest limit in any case. `meanwhile` is called repeatedly.
    """
    service = scene.service()
    worker = scene.worker(dialect)
    worker.sends_heartbeats = False
    worker.ready(service)
    start = scene.now()
    heard: list[float] = []
    while scene.now() - start < scene.limits.longest:
        meanwhile()
        if not scene.wait(worker, _STEP):
            # The time before the first heartbeat does not give the interval, so two are needed.
            interval = max((later - earlier for earlier, later in pairwise(heard)), default=0.0)
            if interval and scene.now() - heard[-1] > 2 * interval + scene.limits.quiet:
                return worker, service
            continue
        command = worker.command(0)
        if command is None or command.name == "DISCONNECT":
            return worker, service
        heard.append(scene.now())
    return worker, service


@rule("heartbeat.broker", _SECTION, "the broker sends an idle worker heartbeats", pace=Pace.SLOW)
def _broker(scene: Scene, dialect: Dialect) -> None:
    _, worker, _ = scene.pair(dialect)
    for number in range(3):
        command = worker.command(scene.limits.longest)
        if command is None or command.name != "HEARTBEAT":
            raise Deviation(f"heartbeat {number + 1} of 3", command.name if command else "nothing")


@rule("heartbeat.silent", _SECTION, "a silent worker is disconnected: no more messages, and requests go to others",
      pace=Pace.SLOW)
def _silent(scene: Scene, dialect: Dialect) -> None:
    worker, service = _until_expired(scene, dialect)
    scene.expect_routing(scene.client(dialect), scene.worker(dialect, service), service)
    if (frames := worker.receive(scene.limits.quiet)) is not None:
        raise Deviation("nothing for the silent worker", show(frames))


@rule("heartbeat.beating", _SECTION, "a worker that beats is kept for as long as a silent one is not", pace=Pace.SLOW)
def _beating(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    _until_expired(scene, dialect)
    worker.finish(scene.dispatch(client, worker, service), b"answer")
    client.expect(service, b"answer")


@rule("heartbeat.traffic", _SECTION, "any command acts as a heartbeat: a worker that only answers is kept",
      pace=Pace.SLOW)
def _traffic(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    worker.sends_heartbeats = False
    client.ask(service, b"question")

    def answer() -> None:
        # One request at a time: answered on receipt, then sent again.
        command = worker.next_but_heartbeats(0)
        if command is None:
            return
        if command.name != "REQUEST":
            raise Deviation("requests for the worker that answers them", command.name)
        worker.finish(command, b"answer")
        client.expect(service, b"answer")
        client.ask(service, b"question")

    _until_expired(scene, dialect, answer)
    worker.finish(worker.request(), b"last answer")
    client.expect(service, b"last answer")


def _nothing_while_another_is_kept(scene: Scene, dialect: Dialect, peer: Peer) -> None:
    _, kept, _ = scene.pair(dialect)
    for _ in range(2):
        kept.command(scene.limits.longest)
    if (frames := peer.receive(0)) is not None:
        raise Deviation("no heartbeat", show(frames))


@rule("heartbeat.left", "Opening and Closing a Connection", "a worker that sent DISCONNECT gets no heartbeats",
      pace=Pace.SLOW)
def _left(scene: Scene, dialect: Dialect) -> None:
    _, worker, _ = scene.pair(dialect)
    worker.disconnect()
    # A heartbeat may have been in transit.
    while worker.receive(scene.limits.quiet) is not None:
        pass
    _nothing_while_another_is_kept(scene, dialect, worker)


@rule("heartbeat.expelled", "Opening and Closing a Connection", "a worker that got DISCONNECT gets no heartbeats",
      pace=Pace.SLOW)
def _expelled(scene: Scene, dialect: Dialect) -> None:
    _, worker, service = scene.pair(dialect)
    # A heartbeat after the second READY would be that of an unknown worker, and get another DISCONNECT.
    worker.sends_heartbeats = False
    worker.ready(service)
    worker.expect_disconnect()
    _nothing_while_another_is_kept(scene, dialect, worker)


@rule("heartbeat.client", "MDP/Client", "a client gets no heartbeats, only replies", SHOULD, pace=Pace.SLOW)
def _client(scene: Scene, dialect: Dialect) -> None:
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service)
    _nothing_while_another_is_kept(scene, dialect, client)
    worker.finish(request, b"answer")
    client.expect(service, b"answer")
