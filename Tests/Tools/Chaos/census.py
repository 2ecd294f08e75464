"""The health of instances over NATS, where no broker reports registrations: the workers are asked again and again."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from launcher.run_folder import NATS_FOLDER

from .health import Health
from .stack import NATS_SERVER, Stack

_PAUSE_SECONDS = 0.1
_LIMIT_SECONDS = 10.0
_CONNECTION_SECONDS = 0.2


@dataclass(frozen=True)
class Sighting:
    """An answer of an instance."""

    asked: float
    joined: float
    """When its process has registered."""


class CensusHealth(Health):
    """Health by the answers of workers and servers."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(stack)
        self._sightings: dict[str, Sighting] = {}
        self._ports = {f"{NATS_SERVER}/{path.stem}": _port(path) for path in (stack.folder / NATS_FOLDER).glob("[0-9].conf")}

    @classmethod
    @contextmanager
    def watched(cls, stack: Stack) -> Iterator[CensusHealth]:
        """Ask for the duration of the block."""
        health = cls(stack)
        is_over = threading.Event()
        thread = threading.Thread(target=health._ask_repeatedly, args=(stack, is_over), daemon=True)
        thread.start()
        try:
            yield health
        finally:
            is_over.set()
            thread.join()

    def _is_registered(self, name: str, since: float, resumed_at: float, forgets: bool) -> bool:
        if name in self._ports:
            return _is_answering(self._ports[name])
        sighting = self._sightings.get(name)
        if sighting is None:
            return False
        return sighting.joined > since if forgets else sighting.asked > resumed_at

    def _ask_repeatedly(self, stack: Stack, is_over: threading.Event) -> None:
        while not is_over.wait(_PAUSE_SECONDS):
            asked = time.monotonic()
            try:
                result = stack.gateway(["workers"], _LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            answered = time.monotonic()
            workers = json.loads(result.stdout)["workers"] if result.returncode == 0 else []
            with self._changed:
                for worker in workers:
                    self._sightings[worker["instance"]] = Sighting(asked, answered - worker["registeredSeconds"])
                self._changed.notify_all()


def _port(configuration: Path) -> int:
    found = re.search(r'^listen: "127\.0\.0\.1:(\d+)"', configuration.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, configuration
    return int(found.group(1))


def _is_answering(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), _CONNECTION_SECONDS) as connection:
            return connection.recv(4) == b"INFO"
    except OSError:
        return False
