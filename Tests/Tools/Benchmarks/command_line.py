"""The command line of `Tests/Tools/Benchmarks/benchmarks`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from launcher.settings import defaults
from launcher.terminal import UsageParser

from .answers import bench_answers
from .archive import bench_archive
from .bus import bench_bus
from .bus_over_nats import bench_nats
from .cache import bench_cache
from .cold import bench_cold
from .counting import bench_allocations
from .events import bench_events
from .failures import bench_failures, bench_nats_failures
from .footprint import bench_footprint
from .listeners import bench_listeners
from .pages import bench_pages
from .scale import bench_scale
from .show import bench_show

ROOT = Path(__file__).resolve().parents[3]

MEASURES = {
    "bus": (bench_bus, ("broker", "bus-bench", "bus-floor", "gateway")),
    "nats": (bench_nats, ("bus-bench", "gateway", "nats-floor")),
    "allocations": (bench_allocations, ("broker", "bus-bench", "gateway")),
    "events": (bench_events, ("broker", "bus-bench", "gateway", "tap")),
    "cache": (bench_cache, ("broker", "bus-bench", "cache-store", "gateway")),
    "archive": (bench_archive, ("broker", "gateway", "cache-store", "archive", "demo-upstream")),
    "answers": (bench_answers, ("broker", "gateway", "cache-store", "demo-upstream")),
    "cold": (bench_cold, ("broker", "gateway", "cache-store", "demo-upstream", "tap")),
    "listeners": (bench_listeners, ("broker", "bus-bench", "cache-store", "demo-upstream", "web")),
    "pages": (bench_pages, ("broker", "gateway", "cache-store", "demo-upstream", "web", "web-floor")),
    "scale": (bench_scale, ("broker", "gateway", "cache-store", "demo-upstream")),
    "failures": (bench_failures, ("broker", "gateway", "cache-store", "demo-upstream")),
    "nats-failures": (bench_nats_failures, ("gateway", "cache-store", "demo-upstream")),
    "footprint": (bench_footprint, ("broker", "gateway", "cache-store", "demo-upstream")),
    "show": (bench_show, ("broker", "gateway", "cache-store", "demo-upstream")),
}


def main(arguments: Sequence[str], about: str) -> int:
    """Run one measurement and return its exit code."""
    parser = UsageParser(prog="Tests/Tools/Benchmarks/benchmarks", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("--runs", type=int, default=7, help="counted runs (default 7)")
    parser.add_argument("--bin", type=Path, default=ROOT / ".build/release", help="where the executables lie")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error("--runs takes 1 or more")
    measure, needed = MEASURES[options.what]
    missing = [name for name in needed if not (options.bin / name).exists()]
    if missing:
        print(f"Tests/Tools/Benchmarks/benchmarks: {', '.join(missing)} missing in {options.bin}. Build: swift build -c release", file=sys.stderr)
        return 69
    # Measure the defaults, without the user's settings.
    environment = {name: value for name, value in os.environ.items() if name not in defaults()}
    environment["BOXOFFICE_CONFIG"] = os.devnull
    measure(options.bin, options.runs, environment)
    return 0
