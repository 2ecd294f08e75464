"""Clients of one version and workers of the other. RFC 18 calls them incompatible, so a broker may keep them apart."""

from __future__ import annotations

from .deviation import Deviation, NotSpoken, expect
from .dialect import V01, V02, Command, Dialect
from .peers import Client, Worker
from .rule import rule
from .scene import Scene

_CHAPTER, _SECTION = "mixed", "both versions at one broker"


def _meet(scene: Scene, dialect: Dialect) -> tuple[Client, Worker, bytes, Command]:
    service = scene.service()
    client = scene.client(dialect)
    worker = scene.worker(V02 if dialect is V01 else V01, service)
    client.ask(service, b"question", b"", b"more")
    command = worker.next_but_heartbeats()
    if command is None:
        raise NotSpoken
    if command.name != "REQUEST":
        raise Deviation("the worker gets a REQUEST", command.name)
    return client, worker, service, command


@rule("reply", _SECTION, "a client and a worker of different versions meet, each hears its own", chapter=_CHAPTER)
def _reply(scene: Scene, dialect: Dialect) -> None:
    client, worker, service, request = _meet(scene, dialect)
    expect([b"question", b"", b"more"], request.body)
    worker.finish(request, b"answer", b"")
    client.expect(service, b"answer", b"")
    worker.finish(scene.dispatch(client, worker, service), b"another")
    client.expect(service, b"another")


@rule("final_only", _SECTION, "a 0.1 client of a 0.2 worker gets the FINAL and no PARTIAL", chapter=_CHAPTER,
      dialects=(V01,))
def _final_only(scene: Scene, dialect: Dialect) -> None:
    client, worker, service, request = _meet(scene, dialect)
    worker.finish_partly(request, b"one")
    worker.finish_partly(request, b"two")
    worker.finish(request, b"end")
    client.expect(service, b"end")
    worker.finish(scene.dispatch(client, worker, service), b"answer")
    client.expect(service, b"answer")


@rule("lost", _SECTION, "a lost worker's request goes to a worker of the other version", chapter=_CHAPTER)
def _lost(scene: Scene, dialect: Dialect) -> None:
    client, worker, service, _ = _meet(scene, dialect)
    other = scene.worker(dialect, service)
    worker.disconnect()
    other.finish(other.request(), b"answer")
    client.expect(service, b"answer")


@rule("shared", _SECTION, "two workers of different versions share a service", chapter=_CHAPTER)
def _shared(scene: Scene, dialect: Dialect) -> None:
    client, worker, service, request = _meet(scene, dialect)
    other = scene.worker(dialect, service)
    second = scene.client(dialect)
    other.finish(scene.dispatch(second, other, service), b"of the other")
    second.expect(service, b"of the other")
    worker.finish(request, b"of the first")
    client.expect(service, b"of the first")
