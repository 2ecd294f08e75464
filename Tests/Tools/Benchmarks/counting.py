"""Counts the allocations and system calls of the bus's processes; such a run is not timed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from .processes import Command, output, run_folder, running, stop, wait_for_service

SOURCE = Path(__file__).with_name("AllocationCount") / "count.c"
PROCESSES = ("client", "broker", "worker")
# With 64 requests of 200 bytes in flight; the parts that are shared by a batch of messages vary.
LIMITS = {"client": 11, "broker": 14, "worker": 12}
TOLERANCE = 1
Wrap = Callable[[str, Command], tuple[Command, dict[str, str]]]


def bench_allocations(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Print the allocations of one request, and fail when a process has more of them than it may."""
    for _ in range(runs):
        counts = allocations(binaries, environment, 32_000)
        print("allocations a request: " + per_request(counts))
        above = [name for name, count in counts.items() if count > LIMITS[name] + TOLERANCE]
        if above:
            limits = per_request({name: float(LIMITS[name]) for name in above})
            raise SystemExit(
                f"Tests/Tools/Benchmarks/benchmarks: more allocations than {limits}; what allocates on this path now?")


def allocations(binaries: Path, environment: dict[str, str], requests: int) -> dict[str, float]:
    """Return the calls of malloc, calloc and realloc a request, counted by a preloaded library."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise SystemExit("Tests/Tools/Benchmarks/benchmarks: no C compiler for counting allocations")
    with tempfile.TemporaryDirectory(prefix="boxoffice-count.") as folder:
        library = Path(folder) / "count.so"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)

        def preload(name: str, command: Command) -> tuple[Command, dict[str, str]]:
            return command, {"LD_PRELOAD": str(library), "ALLOCATION_COUNT_FILE": f"{folder}/{name}"}

        exchange(binaries, environment, requests, preload)
        return {name: int((Path(folder) / name).read_text()) / requests for name in PROCESSES}


def system_calls(binaries: Path, environment: dict[str, str], requests: int) -> str:
    """Return the number of system calls, counted by strace."""
    if shutil.which("strace") is None:
        return "not counted: install strace"
    with tempfile.TemporaryDirectory(prefix="boxoffice-count.") as folder:

        def trace(name: str, command: Command) -> tuple[Command, dict[str, str]]:
            # As a grandchild (-D), so that the signal that ends the process reaches it and not strace.
            return ["strace", "-D", "-f", "-c", "-o", f"{folder}/{name}", *command], {}

        exchange(binaries, environment, requests, trace)
        return per_request({name: total_calls(Path(folder) / name) / requests for name in PROCESSES})


def exchange(binaries: Path, environment: dict[str, str], requests: int, wrap: Wrap) -> None:
    """Run an exchange with 64 requests of 200 bytes in flight and wrapped processes, and end all of them."""
    with run_folder() as run, ExitStack() as stack:
        environment = {**environment, "BOXOFFICE_RUN": str(run)}

        def wrapped(name: str, command: Command) -> tuple[Command, dict[str, str]]:
            command, extra = wrap(name, command)
            return command, {**environment, **extra}

        broker = stack.enter_context(running(*wrapped("broker", [binaries / "broker"])))
        worker = stack.enter_context(running(*wrapped("worker", [binaries / "bus-bench", "worker"])))
        wait_for_service(binaries, environment, "bench.echo")
        client = [binaries / "bus-bench", "client", "--in-flight", 64, "--requests", requests, "--bytes", 200]
        output(*wrapped("client", client))
        # The processes write their counts when they end.
        for process in (worker, broker):
            stop(process)


def per_request(counts: dict[str, float]) -> str:
    return ", ".join(f"{name} {count:.1f}" for name, count in counts.items())


def total_calls(summary: Path) -> int:
    """Return the total that strace writes shortly after its process has ended."""
    for _ in range(100):
        match = re.search(r"(\d+)\s+(?:\d+\s+)?total$", summary.read_text(), re.MULTILINE)
        if match:
            return int(match.group(1))
        time.sleep(0.1)
    raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: strace left no summary of {summary.name}")
