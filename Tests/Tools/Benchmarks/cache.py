"""The cache through the broker: hits beside empty requests, and many entries put and read back."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from subprocess import Popen

from .figures import ratio, spread
from .processes import output, run_folder, running, wait_for_service

ENTRIES = 10_000
SIZE = 6_000


def bench_cache(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run has its own broker and empty cache; the first one is not counted."""
    results = [_run(binaries, environment, number) for number in range(runs + 1)][1:]

    def figures(name: str) -> list[float]:
        return [result[name] for result in results]

    print(f"one in flight: a hit in memory   p50 {spread(figures('hit'))} µs")
    print(f"               an empty request  p50 {spread(figures('empty'))} µs")
    print(f"               ratio             {ratio(figures('hit'), figures('empty'))}")
    print(f"{ENTRIES:,} entries of {SIZE:,} bytes, 16 in flight")
    print(f"  puts, each committed   {spread(figures('putsPerSecond'))} /s")
    print(f"  read back              {spread(figures('readsPerSecond'))} /s")
    print(f"  memory before, after   {spread(figures('idle'), 1)} MB, {spread(figures('full'), 1)} MB (PSS)")
    print(f"  on disk                {spread(figures('disk'), 1)} MB")


def _run(binaries: Path, environment: dict[str, str], number: int) -> dict[str, float]:
    with run_folder() as folder, ExitStack() as stack:
        environment = {**environment, "BOXOFFICE_RUN": str(folder), "BOXOFFICE_CACHE_DIR": str(folder / "cache")}
        stack.enter_context(running([binaries / "broker"], environment))
        store = stack.enter_context(running([binaries / "cache-store"], environment))
        wait_for_service(binaries, environment, "cache-store")
        idle = _megabytes(store)
        client = [binaries / "bus-bench", "cache-client", "--entries", ENTRIES, "--bytes", SIZE, "--run", number]
        printed, _ = output(client, environment)
        disk = sum(file.stat().st_size for file in (folder / "cache").iterdir()) / 1e6
        return {**json.loads(printed), "idle": idle, "full": _megabytes(store), "disk": disk}


def _megabytes(process: Popen[bytes]) -> float:
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
