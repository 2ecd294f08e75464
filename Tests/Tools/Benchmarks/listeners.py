"""A thousand open pages: how late an event reaches them, and what each costs."""

from __future__ import annotations

import json
import selectors
import socket
import statistics
import subprocess
import time
import urllib.parse
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from .figures import spread
from .footprint import pss_megabytes
from .processes import cpu_seconds_of, run_folder
from .stack import STACK, demo_stack

LISTENERS = 1000
STUCK = 100
PER_SECOND, EVENTS = 10, 100


def bench_listeners(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run has its own stack; the first one loads the programs into memory and is not counted."""
    figures: dict[str, list[float]] = {}
    for number in range(runs + 1):
        with run_folder() as folder:
            own = {**environment, "BOXOFFICE_RUN": str(folder), "BOXOFFICE_WEB_PORT": "0"}
            with demo_stack(binaries, own, "--web"):
                for name, value in _run(binaries, own, folder).items():
                    if number:
                        figures.setdefault(name, []).append(value)
    print(f"{LISTENERS} listeners, {PER_SECOND} events a second")
    for name, values in figures.items():
        print(f"  {name:<44} {spread(values, 1):>24}")


def _run(binaries: Path, environment: dict[str, str], folder: Path) -> dict[str, float]:
    site = (folder / "web.url").read_text(encoding="ascii").strip()
    status = json.loads(subprocess.run(
        [str(STACK), "ps", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout)
    web = next(int(entry["pid"]) for entry in status["processes"] if entry["service"] == "web")
    idle = pss_megabytes(web)
    urllib.request.urlopen(f"{site}/about").close()
    before = pss_megabytes(web)
    alone = _measure(binaries, environment, site, web, before, LISTENERS)
    with ExitStack() as stack:
        for _ in range(STUCK):
            # All events, and none is read.
            stack.enter_context(_listen(site, "/events", receive_bytes=4096))
        # As many in all: the server opens no more streams.
        beside = _measure(binaries, environment, site, web, before, LISTENERS - STUCK)
    return {
        **alone, f"p99 beside {STUCK} that read nothing": beside["p99"], "memory without listeners, PSS MB": idle,
    }


def _measure(
    binaries: Path, environment: dict[str, str], site: str, web: int, before: float, listeners: int,
) -> dict[str, float]:
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(listeners):
            selector.register(stack.enter_context(_listen(site)), selectors.EVENT_READ, b"")
        _read(selector, 0, time.monotonic() + 2)  # the first bytes of each stream
        began = cpu_seconds_of(web)
        talker = subprocess.Popen(
            [str(binaries / "bus-bench"), "talker", "--per-second", str(PER_SECOND), "--events", str(EVENTS)],
            env=environment, stdout=subprocess.DEVNULL)
        late = _read(selector, listeners * EVENTS, time.monotonic() + 3 * EVENTS / PER_SECOND)
        talker.wait(timeout=10)
        cpu = cpu_seconds_of(web) - began
        memory = pss_megabytes(web) - before
    if len(late) != listeners * EVENTS:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: {len(late):,} of {listeners * EVENTS:,} events arrived")
    cuts = statistics.quantiles(late, n=100)
    return {
        "p50, event to listener, ms": cuts[49] * 1000, "p99": cuts[98] * 1000, "the last": max(late) * 1000,
        "CPU an event and listener, µs": cpu / len(late) * 1e6, "memory a listener, KB": memory * 1e6 / 1024 / listeners,
    }


def _listen(site: str, path: str = "/events?kind=bench.numbered", receive_bytes: int = 0) -> socket.socket:
    address = urllib.parse.urlsplit(site)
    connection = socket.socket()
    connection.settimeout(20)
    if receive_bytes:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    connection.connect((address.hostname or "", address.port or 0))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
    connection.setblocking(False)
    return connection


def _read(selector: selectors.DefaultSelector, count: int, deadline: float) -> list[float]:
    """Return the seconds between an event's own time and its arrival, of so many events; the clock is the same."""
    late: list[float] = []
    while (count == 0 or len(late) < count) and time.monotonic() < deadline:
        for key, _ in selector.select(timeout=0.1):
            assert isinstance(key.fileobj, socket.socket)
            now = time.time()
            *frames, rest = (key.data + key.fileobj.recv(65_536)).split(b"\n\n")
            selector.modify(key.fileobj, selectors.EVENT_READ, rest)
            for frame in frames:
                at = frame.find(b'"at":')
                if at >= 0:
                    late.append(now - int(frame[at + 5:frame.index(b",", at)]) / 1e6)
    return late
