"""`gateway show` as a whole process, on a stack with demo data."""

from __future__ import annotations

import time
from pathlib import Path

from .figures import spread
from .processes import Command, output, run_folder
from .stack import demo_stack

def bench_show(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run queries a new day (cold), then the same day again (warm)."""
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with demo_stack(binaries, environment):
            cold, warm = [], []
            for day in range(1, runs + 2):
                question = [binaries / "gateway", "show", f"2019-{1 + day // 28:02}-{1 + day % 28:02}"]
                cold.append(milliseconds(question, environment))
                warm.append(milliseconds(question, environment))
            print(f"show cold  {spread(cold[1:], 1)} ms")
            print(f"show warm  {spread(warm[1:], 1)} ms")


def milliseconds(command: Command, environment: dict[str, str]) -> float:
    start = time.perf_counter()
    output(command, environment)
    return (time.perf_counter() - start) * 1000
