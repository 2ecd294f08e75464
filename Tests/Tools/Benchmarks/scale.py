"""Cold `show` queries with 1, 2, 4 and 8 instances of a fetcher that makes one upstream call at a time each."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from .figures import spread
from .processes import output, run_folder
from .stack import demo_stack, set_latency

LATENCY_MS = 100
SERVICES = ("detail-fetcher", "poster-resolver")
COUNTS = (1, 2, 4, 8)
QUERIES_EACH = 12
"""Queries per instance, so that all levels take about the same time: some 12 s."""
ASKERS_EACH = 2


@dataclass(frozen=True)
class Level:
    """The result with one number of instances."""

    per_second: float
    shares: list[float]
    cpu: float
    """The share of all cores, from 0 to 1."""


def bench_scale(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each of the two services has its own stack; each run measures all numbers of instances in sequence."""
    for service in SERVICES:
        levels = _service(binaries, runs, environment, service)
        print(f"{service}, one upstream call of {LATENCY_MS} ms at a time each; chart and the other part up to 32")
        print(f"  {'instances':>9}  {'shows/s':>20}  {'of N times one':>22}  {'furthest share from even':>24}  {'CPU':>14}")
        for count in COUNTS:
            measured = levels[count]
            ratios = [level.per_second / count / one.per_second for level, one in zip(measured, levels[1], strict=True)]
            uneven = [max(abs(share * count - 1) for share in level.shares) * 100 for level in measured]
            print(f"  {count:>9}  {spread([level.per_second for level in measured], 2):>20}  {spread(ratios, 2):>22}  "
                  f"{spread(uneven, 1) + ' %':>24}  {spread([level.cpu * 100 for level in measured]) + ' %':>14}")


def _service(
    binaries: Path, runs: int, environment: dict[str, str], service: str
) -> dict[int, list[Level]]:
    concurrency = {
        "CHART_FETCHER_CONCURRENCY": "32", "DETAIL_FETCHER_CONCURRENCY": "32", "POSTER_RESOLVER_CONCURRENCY": "32",
        f"{service.upper().replace('-', '_')}_CONCURRENCY": "1",
    }
    levels: dict[int, list[Level]] = {count: [] for count in COUNTS}
    with run_folder() as folder:
        environment = {**environment, **concurrency, "BOXOFFICE_RUN": str(folder)}
        counts = [f"{name}={1 if name == service else 2}" for name in SERVICES]
        with demo_stack(binaries, environment, *counts) as stack:
            set_latency(folder, LATENCY_MS)
            for _ in range(runs):
                for count in COUNTS:
                    stack("scale", f"{service}={count}")
                    levels[count].append(_level(binaries, environment, service, count))
    return levels


def _level(binaries: Path, environment: dict[str, str], service: str, count: int) -> Level:
    output([binaries / "gateway", "cache", "clear"], environment)
    days = _days()
    lock = threading.Lock()

    def ask(_: int) -> None:
        with lock:
            day = next(days)
        printed, _cpu = output([binaries / "gateway", "show", day, "--json", "--timeout", "60"], environment)
        if not json.loads(printed)["complete"]:
            raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: the answer for {day} was not complete")

    before, busy = _served(binaries, environment, service), _busy_seconds()
    start = time.perf_counter()
    with ThreadPoolExecutor(ASKERS_EACH * count) as askers:
        list(askers.map(ask, range(QUERIES_EACH * count)))
    took = time.perf_counter() - start
    cpu = (_busy_seconds() - busy) / took / (os.cpu_count() or 1)
    served = {name: count - before.get(name, 0) for name, count in _served(binaries, environment, service).items()}
    total = sum(served.values())
    return Level(QUERIES_EACH * count / took, [part / total for part in served.values()], cpu)


def _days() -> Iterator[str]:
    """Yield days so far apart that they have no film in common."""
    day = date(2004, 1, 7)
    while True:
        yield day.isoformat()
        day += timedelta(days=75)


def _served(binaries: Path, environment: dict[str, str], service: str) -> dict[str, int]:
    stats = json.loads(output([binaries / "gateway", "stats", service, "--json"], environment)[0])
    return {instance["id"]: instance["answered"] for instance in stats["services"][0]["instances"]}


def _busy_seconds() -> float:
    """Return the CPU time that the machine has used in total."""
    ticks = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    idle = ticks[3] + ticks[4]
    return (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")
