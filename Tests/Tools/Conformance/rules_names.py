"""Our rule for service names, and that every drop is counted and reported by an event."""

from __future__ import annotations

import json
from typing import Any

from .deviation import Deviation, show
from .dialect import BOTH, V02, Dialect
from .peers import Client
from .rule import Pace, rule
from .scene import Scene

_LONGEST = 255
_BAD = [b"", b"x" * (_LONGEST + 1), b"\xff\xfe", "영화".encode()[:-1], b"a\nb", b"a\x7f"]


def _ask(client: Client, name: bytes, *arguments: bytes) -> list[bytes]:
    client.ask(name, *arguments)
    reply = client.reply()
    if reply is None or reply.body[:1] != [b"200"]:
        raise Deviation(f"200 from {name.decode()}", show(reply.body if reply else None))
    return reply.body[1:]


def _drop_count(client: Client) -> int:
    """Return the broker's number of dropped messages, for all reasons."""
    return sum(_drop_counts(json.loads(_ask(client, b"mmi.stats", b"")[0])))


def _drop_counts(stats: Any) -> list[int]:
    """Return the values of `dropped` at any depth: a number, or numbers by reason."""
    match stats:
        case {"dropped": {**counts}}:
            return [count for count in counts.values() if isinstance(count, int)]
        case {"dropped": int(count)}:
            return [count]
        case {**rest}:
            return [count for value in rest.values() for count in _drop_counts(value)]
        case _:
            return []


class _Drops:
    """The messages that the broker has dropped since the creation of this object, by its stats and by its events."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.client = scene.client(V02)
        # Events report sums of drops with a delay: those of the preceding rule must have been published.
        scene.pause(2 * scene.limits.quiet)
        self.counted = _drop_count(self.client)
        head = _ask(self.client, b"mmi.events", b"")[0]
        self.next_event = int.from_bytes(head[-8:], "big") + 1
        self.reported = 0

    def expect(self, count: int) -> None:
        """Fail unless so many drops have been counted, and reported as malformed."""
        end = self.scene.now() + self.scene.limits.answer
        dropped = 0
        while (dropped < count or self.reported < count) and self.scene.now() < end:
            self.scene.wait(self.client, self.scene.limits.settle)
            dropped = _drop_count(self.client) - self.counted
            self._read()
        if dropped != count:
            raise Deviation(f"{count} more drops in mmi.stats", f"{dropped} more")
        if self.reported != count:
            raise Deviation(f"events broker.dropped of {count} malformed messages", f"of {self.reported}")

    def _read(self) -> None:
        events = _ask(self.client, b"mmi.events", b"%d" % self.next_event)[1:]
        for stamp, text in zip(events[::2], events[1::2]):
            self.next_event = int.from_bytes(stamp[-8:], "big") + 1
            event = json.loads(text)
            if event["kind"] == "broker.dropped" and event["attributes"]["reason"] == "malformed":
                self.reported += event["attributes"].get("count", 1)


@rule("names.longest", "Service names", "a name of 255 bytes of UTF-8 is a good one", chapter="ours", dialects=BOTH)
def _longest(scene: Scene, dialect: Dialect) -> None:
    unique = scene.service()
    service = unique + "가".encode() * ((_LONGEST - len(unique)) // 3)
    service += b"x" * (_LONGEST - len(service))
    client, worker = scene.client(dialect), scene.worker(dialect, service)
    scene.expect_routing(client, worker, service)


@rule("names.asked", "Service names",
      "a request for a name that is empty, of 256 bytes or no printable UTF-8 is dropped and counted",
      chapter="ours", dialects=BOTH, pace=Pace.HARSH)
def _bad_asked(scene: Scene, dialect: Dialect) -> None:
    drops = _Drops(scene)
    for name in _BAD:
        other_client = scene.client(dialect)
        other_client.ask(name, b"question")
        other_client.ask(b"mmi.service", b"question")
        if (reply := other_client.reply()) is None or reply.service != b"mmi.service":
            raise Deviation("no reply to it", show(reply.body if reply else None))
    services = _ask(drops.client, b"mmi.services", b"")
    if kept := [name for name in _BAD if name in services]:
        raise Deviation("no queue for such names", show(kept))
    drops.expect(len(_BAD))


@rule("names.ready", "Service names",
      "READY for a name that is empty, of 256 bytes or no printable UTF-8 registers nobody",
      chapter="ours", dialects=BOTH, pace=Pace.HARSH)
def _bad_ready(scene: Scene, dialect: Dialect) -> None:
    drops = _Drops(scene)
    for name in _BAD:
        worker = scene.worker(dialect)
        worker.send_command(dialect.ready, name)
        command = worker.next_but_heartbeats(scene.limits.quiet)
        if command is not None and command.name != "DISCONNECT":
            raise Deviation("DISCONNECT or nothing", command.name)
    services = _ask(drops.client, b"mmi.services", b"")
    if kept := [name for name in _BAD if name in services]:
        raise Deviation("nobody registered for such names", show(kept))
    drops.expect(len(_BAD))


@rule("drops.counted", "Drops", "each malformed message is counted once and reported as an event", chapter="ours",
      dialects=BOTH, pace=Pace.HARSH)
def _counted(scene: Scene, dialect: Dialect) -> None:
    drops, other_client = _Drops(scene), scene.client(dialect)
    messages = [
        [b"x"], [b""], [*dialect.envelope, dialect.client], [*dialect.envelope, dialect.worker],
        [*dialect.envelope, dialect.worker, b"\x7f"], [*dialect.envelope, dialect.worker, bytes([dialect.final]), b"x"],
    ]
    for message in messages:
        other_client.send(message)
    drops.expect(len(messages))
