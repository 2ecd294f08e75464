"""The broker under test: started in its own run folder, observed from outside, queried for its counts."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import zmq

from Benchmarks.processes import run_folder, stop
from Conformance.dialect import V02

READY_SECONDS = 15
ANSWER_SECONDS = 30


class Broker:
    """A running broker."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self.process = process
        self.folder = folder
        self.endpoint = f"ipc://{folder}/broker.ipc"
        self.question_count = 0
        self._socket: zmq.Socket[bytes] = context.socket(zmq.DEALER)
        self._socket.linger = 0
        self._socket.connect(self.endpoint)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def log_end(self) -> str:
        """The end of its log."""
        return (self.folder / "broker.log").read_text(errors="replace")[-1000:]

    @property
    def megabytes(self) -> float:
        """Its resident memory."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def ask(self, subject: bytes, seconds: float = ANSWER_SECONDS) -> list[bytes]:
        """Query the broker's management interface and return the frames after the status."""
        self._socket.send_multipart(V02.client_request(subject, []))
        self.question_count += 1
        if not self._socket.poll(int(seconds * 1000)):
            raise SystemExit(f"Tests/Tools/Flood/flood: the broker does not answer {subject.decode()}. {self.log_end}")
        return V02.read_reply(self._socket.recv_multipart()).body[1:]

    def stats(self) -> tuple[dict[str, Any], Counter[tuple[str, str]]]:
        """Return its stats, and the number of messages that reached each branch of its decoders."""
        stats, _, messages = (json.loads(frame) for frame in self.ask(b"mmi.stats"))
        counts = Counter({(kind, name): count for kind in messages for name, count in messages[kind].items()})
        return stats, counts


@contextmanager
def broker(binaries: Path, context: zmq.Context[zmq.Socket[bytes]]) -> Iterator[Broker]:
    """Run a broker for the duration of the block."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOXOFFICE_")}
    with run_folder() as folder, open(folder / "broker.log", "wb") as log:
        environment["BOXOFFICE_RUN"] = str(folder)
        process = subprocess.Popen([str(binaries / "broker")], env=environment, stdout=log, stderr=log)
        try:
            started = Broker(process, folder, context)
            started.ask(b"mmi.ping", READY_SECONDS)
            yield started
        finally:
            stop(process)
