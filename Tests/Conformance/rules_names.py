"""Our rule for service names, and that every drop is counted and told as an event."""

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


def _asked(client: Client, name: bytes, *arguments: bytes) -> list[bytes]:
    client.ask(name, *arguments)
    reply = client.reply()
    if reply is None or reply.body[:1] != [b"200"]:
        raise Deviation(f"200 from {name.decode()}", show(reply.body if reply else None))
    return reply.body[1:]


def _dropped(client: Client) -> int:
    """Return how many messages the broker says it has dropped, for whatever reason."""
    return sum(_drop_counts(json.loads(_asked(client, b"mmi.stats", b"")[0])))


def _drop_counts(told: Any) -> list[int]:
    """Find `dropped` wherever it stands: a number, or numbers by reason."""
    match told:
        case {"dropped": {**counts}}:
            return [count for count in counts.values() if isinstance(count, int)]
        case {"dropped": int(count)}:
            return [count]
        case {**rest}:
            return [count for value in rest.values() for count in _drop_counts(value)]
        case _:
            return []


class _Drops:
    """What the broker has dropped since this was made, as it counts and as it tells."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.client = scene.client(V02)
        # Drops are told in sums, a little later than they are counted: those of the rule before must be out.
        scene.wait(self.client, 2 * scene.patience.quiet)
        self.counted = _dropped(self.client)
        head = _asked(self.client, b"mmi.events", b"")[0]
        self.next_event = int.from_bytes(head[-8:], "big") + 1
        self.told = 0

    def expect(self, count: int) -> None:
        """Fail unless so many have been counted as dropped, and told as malformed."""
        end = self.scene.now() + self.scene.patience.answer
        dropped = 0
        while (dropped < count or self.told < count) and self.scene.now() < end:
            self.scene.wait(self.client, self.scene.patience.settle)
            dropped = _dropped(self.client) - self.counted
            self._read()
        if dropped != count:
            raise Deviation(f"{count} more drops in mmi.stats", f"{dropped} more")
        if self.told != count:
            raise Deviation(f"events broker.dropped of {count} malformed messages", f"of {self.told}")

    def _read(self) -> None:
        events = _asked(self.client, b"mmi.events", b"%d" % self.next_event)[1:]
        for stamp, text in zip(events[::2], events[1::2]):
            self.next_event = int.from_bytes(stamp[-8:], "big") + 1
            event = json.loads(text)
            if event["kind"] == "broker.dropped" and event["attributes"]["reason"] == "malformed":
                self.told += event["attributes"].get("count", 1)


@rule("names.longest", "Service names", "a name of 255 bytes of UTF-8 is a good one", chapter="ours", dialects=BOTH)
def _longest(scene: Scene, dialect: Dialect) -> None:
    unique = scene.service()
    service = unique + "가".encode() * ((_LONGEST - len(unique)) // 3)
    service += b"x" * (_LONGEST - len(service))
    client, worker = scene.client(dialect), scene.worker(dialect, service)
    scene.goes_to(client, worker, service)


@rule("names.asked", "Service names",
      "a request for a name that is empty, of 256 bytes or no printable UTF-8 is dropped and counted",
      chapter="ours", dialects=BOTH, pace=Pace.HARSH)
def _bad_asked(scene: Scene, dialect: Dialect) -> None:
    drops = _Drops(scene)
    for name in _BAD:
        stranger = scene.client(dialect)
        stranger.ask(name, b"question")
        stranger.ask(b"mmi.service", b"question")
        if (reply := stranger.reply()) is None or reply.service != b"mmi.service":
            raise Deviation("no reply to it", show(reply.body if reply else None))
    services = _asked(drops.client, b"mmi.services", b"")
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
        worker.say(dialect.ready, name)
        command = worker.next_but_heartbeats(scene.patience.quiet)
        if command is not None and command.name != "DISCONNECT":
            raise Deviation("DISCONNECT or nothing", command.name)
    services = _asked(drops.client, b"mmi.services", b"")
    if kept := [name for name in _BAD if name in services]:
        raise Deviation("nobody registered for such names", show(kept))
    drops.expect(len(_BAD))


@rule("drops.counted", "Drops", "each malformed message is counted once and told as an event", chapter="ours",
      dialects=BOTH, pace=Pace.HARSH)
def _counted(scene: Scene, dialect: Dialect) -> None:
    drops, stranger = _Drops(scene), scene.client(dialect)
    messages = [
        [b"x"], [b""], [*dialect.envelope, dialect.client], [*dialect.envelope, dialect.worker],
        [*dialect.envelope, dialect.worker, b"\x7f"], [*dialect.envelope, dialect.worker, bytes([dialect.final]), b"x"],
    ]
    for message in messages:
        stranger.send(message)
    drops.expect(len(messages))
