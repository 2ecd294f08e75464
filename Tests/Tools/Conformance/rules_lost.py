"""Reliability: the request of a lost worker, and the lost worker's late reply."""

from __future__ import annotations

from collections.abc import Callable

from .deviation import Deviation, expect, show
from .dialect import Dialect
from .peers import Worker
from .rule import SHOULD, Pace, rule
from .scene import Scene

_SECTION = "Goals; Reliability"


def _check_redelivery(scene: Scene, dialect: Dialect, lose: Callable[[Worker, bytes], None]) -> None:
    """Lose a worker with a request in flight; another worker must get the request, and the client one reply."""
    client, worker, service = scene.pair(dialect)
    request = scene.dispatch(client, worker, service, b"question")
    other = scene.worker(dialect, service)
    lose(worker, service)
    command = other.next_but_heartbeats(scene.limits.longest)
    if command is None or command.name != "REQUEST":
        raise Deviation("the request is handed to another worker", command.name if command else "nothing")
    expect([b"question"], command.body)
    if not worker.socket.closed:
        worker.finish(request, b"stale")
        if (frames := client.receive(scene.limits.quiet)) is not None:
            raise Deviation("no reply of the lost worker", show(frames))
    other.finish(command, b"answer")
    client.expect(service, b"answer")


@rule("lost.leaves", _SECTION, "the request of a worker that sends DISCONNECT goes to another, its late reply nowhere",
      SHOULD)
def _leaves(scene: Scene, dialect: Dialect) -> None:
    _check_redelivery(scene, dialect, lambda worker, service: worker.disconnect())


@rule("lost.expelled", _SECTION, "the request of a worker that gets DISCONNECT goes to another, its late reply nowhere",
      SHOULD)
def _expelled(scene: Scene, dialect: Dialect) -> None:
    def lose(worker: Worker, service: bytes) -> None:
        worker.ready(service)
        worker.expect_disconnect()

    _check_redelivery(scene, dialect, lose)


@rule("lost.silent", _SECTION, "the request of a worker that falls silent goes to another, its late reply nowhere",
      SHOULD, pace=Pace.SLOW)
def _silent(scene: Scene, dialect: Dialect) -> None:
    def lose(worker: Worker, service: bytes) -> None:
        worker.sends_heartbeats = False

    _check_redelivery(scene, dialect, lose)


@rule("lost.gone", _SECTION, "the request of a worker whose connection is gone goes to another", SHOULD, pace=Pace.SLOW)
def _gone(scene: Scene, dialect: Dialect) -> None:
    _check_redelivery(scene, dialect, lambda worker, service: worker.close())
