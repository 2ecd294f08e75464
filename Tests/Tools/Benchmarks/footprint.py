"""The memory (PSS) and CPU time of an idle stack, and the time until it is ready."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from launcher.services import SERVICES

from .figures import spread
from .processes import output, run_folder
from .stack import STACK, demo_stack

IDLE_SECONDS = 20
COUNTED_SERVICES = tuple(service.name for service in SERVICES if service.kind in ("broker", "worker", "exclusiveWorker"))
COUNTED = "broker, three fetchers, cache-store"


def bench_footprint(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run has its own stack with one instance of each service, which answers one query and is then idle for 20 s."""
    figures: dict[str, list[tuple[float, float]]] = {}
    ready: list[float] = []
    for number in range(runs + 1):
        with run_folder() as folder:
            own = {**environment, "BOXOFFICE_RUN": str(folder)}
            start = time.perf_counter()
            with demo_stack(binaries, own, "detail-fetcher=1", "poster-resolver=1"):
                took = time.perf_counter() - start
                if number == 0:
                    continue  # it loads the programs into memory, and may install supervisord
                ready.append(took)
                output([binaries / "gateway", "show", "--json"], own)
                for name, values in _idle(own).items():
                    figures.setdefault(name, []).append(values)
    print(f"  {'':<36}  {'PSS MB':>20}  {'CPU %':>20}")
    for name, values in figures.items():
        memory, cpu = zip(*values, strict=True)
        print(f"  {name:<36}  {spread(memory, 1):>20}  {spread(cpu, 2):>20}")
    print(f"  ready after {spread(ready, 2)} s")


def _idle(environment: dict[str, str]) -> dict[str, tuple[float, float]]:
    status = json.loads(subprocess.run(
        [str(STACK), "ps", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout)
    pids = {entry["service"]: int(entry["pid"]) for entry in status["processes"]}
    pids.update({"supervisord": int(status["supervisor"]), "its keeper": int(status["keeper"])})
    before = {name: _cpu_seconds(pid) for name, pid in pids.items()}
    start = time.perf_counter()
    time.sleep(IDLE_SECONDS)
    took = time.perf_counter() - start
    figures = {
        name: (pss_megabytes(pid), (_cpu_seconds(pid) - before[name]) / took * 100) for name, pid in pids.items()
    }
    def together(names: Iterable[str]) -> tuple[float, float]:
        return sum(figures[name][0] for name in names), sum(figures[name][1] for name in names)

    return {COUNTED: together(COUNTED_SERVICES), **figures, "all of them": together(figures)}


def pss_megabytes(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) * 1024 / 1e6


def _cpu_seconds(pid: int) -> float:
    """Return user and system time, including that of ended threads, in steps of a hundredth of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
