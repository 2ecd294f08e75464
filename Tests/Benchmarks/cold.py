"""`gateway show` on an empty cache, beside its critical path and beside asking for one part after another."""

from __future__ import annotations

import json
import time
from pathlib import Path

from .figures import ratio, spread
from .processes import Command, output, run_folder
from .stack import demo_stack, set_latency

LATENCY_MS = 100


def bench_cold(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run asks for a day of its own; the first one is not counted."""
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
    milliseconds, printed = _timed([gateway, "show", _day(2012, number), "--json"], environment)
    if not json.loads(printed)["complete"]:
        raise SystemExit("Tests/Benchmarks/benchmarks: an answer was not complete")
    parts, upstream = _critical_path(binaries, environment)
    output([gateway, "cache", "clear"], environment)
    start = time.perf_counter()
    chart = json.loads(_timed([gateway, "chart", _day(2012, number), "--json"], environment)[1])
    for film in chart["chart"]["value"]["entries"]:
        _timed([gateway, "movie", film["code"], "--json"], environment)
        _timed([gateway, "poster", film["title"], "--json"], environment)
    return milliseconds, parts, upstream, (time.perf_counter() - start) * 1000


def _critical_path(binaries: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Of the last query: its chart's time and that of its slowest detail or poster, as the gateway and the upstream saw it."""
    printed, _ = output([binaries / "tap", "--last", "2000", "--no-follow", "--json"], environment)
    events = [json.loads(line) for line in printed.splitlines()]
    query = next(event["query"] for event in reversed(events) if event["kind"] == "query.answered")
    facts = [(event["kind"], event["attributes"]) for event in events if event.get("query") == query]
    parts = [(fact["what"].split()[0], fact["tookMicroseconds"]) for kind, fact in facts if kind == "part.arrived"]
    upstream = [(kind.partition(".")[0], fact.get("upstreamMicroseconds", 0)) for kind, fact in facts]
    return _longest(parts), _longest(upstream)


def _longest(took: list[tuple[str, int]]) -> float:
    chart = max(micros for part, micros in took if part == "chart")
    return (chart + max(micros for part, micros in took if part in ("movie", "poster"))) / 1000


def _day(year: int, number: int) -> str:
    return f"{year}-{1 + number // 28:02}-{1 + number % 28:02}"


def _timed(command: Command, environment: dict[str, str]) -> tuple[float, bytes]:
    start = time.perf_counter()
    printed, _ = output(command, environment)
    return (time.perf_counter() - start) * 1000, printed
