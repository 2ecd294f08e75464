"""`gateway show` on an empty cache, compared with its critical path and with sequential queries of the parts."""

from __future__ import annotations

import json
import time
from pathlib import Path

from .figures import ratio, spread
from .processes import Command, output, run_folder
from .stack import demo_stack, set_latency

LATENCY_MS = 100


def bench_cold(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run queries a different day; the first one is not counted."""
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with demo_stack(binaries, environment):
            set_latency(folder, LATENCY_MS)
            results = [_run(binaries, environment, number) for number in range(runs + 1)][1:]
    show, parts, upstream, sequential = zip(*results, strict=True)
    print(f"{LATENCY_MS} ms latency upstream, ten films, empty cache")
    print(f"  gateway show, whole process            {spread(show, 1)} ms")
    print(f"  critical path: chart + slowest part    {spread(parts, 1)} ms, ratio {ratio(show, parts)}")
    print(f"  of which spent upstream                {spread(upstream, 1)} ms, ratio {ratio(show, upstream)}")
    print(f"  one part after another                 {spread(sequential, 1)} ms")


def _run(binaries: Path, environment: dict[str, str], number: int) -> tuple[float, float, float, float]:
    gateway = binaries / "gateway"
    output([gateway, "cache", "clear"], environment)
    milliseconds, printed = _measure([gateway, "show", _day(2012, number), "--json"], environment)
    if not json.loads(printed)["complete"]:
        raise SystemExit("Tests/Tools/Benchmarks/benchmarks: an answer was not complete")
    parts, upstream = _critical_path(binaries, environment)
    output([gateway, "cache", "clear"], environment)
    start = time.perf_counter()
    chart = json.loads(_measure([gateway, "chart", _day(2012, number), "--json"], environment)[1])
    for film in chart["chart"]["value"]["entries"]:
        _measure([gateway, "movie", film["code"], "--json"], environment)
        _measure([gateway, "poster", film["title"], "--json"], environment)
    return milliseconds, parts, upstream, (time.perf_counter() - start) * 1000


def _critical_path(binaries: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Return the time of the last query's chart plus its slowest detail or poster, measured by gateway and upstream."""
    printed, _ = output([binaries / "tap", "--last", "2000", "--no-follow", "--json"], environment)
    events = [json.loads(line) for line in printed.splitlines()]
    query = next(event["query"] for event in reversed(events) if event["kind"] == "query.answered")
    records = [(event["kind"], event["attributes"]) for event in events if event.get("query") == query]
    parts = [(a["what"].split()[0], a["tookMicroseconds"]) for kind, a in records if kind == "part.arrived"]
    upstream = [(kind.partition(".")[0], a.get("upstreamMicroseconds", 0)) for kind, a in records]
    return _longest(parts), _longest(upstream)


def _longest(took: list[tuple[str, int]]) -> float:
    chart = max(micros for part, micros in took if part == "chart")
    return (chart + max(micros for part, micros in took if part in ("movie", "poster"))) / 1000


def _day(year: int, number: int) -> str:
    return f"{year}-{1 + number // 28:02}-{1 + number % 28:02}"


def _measure(command: Command, environment: dict[str, str]) -> tuple[float, bytes]:
    start = time.perf_counter()
    printed, _ = output(command, environment)
    return (time.perf_counter() - start) * 1000, printed
