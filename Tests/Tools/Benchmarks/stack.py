"""A demo stack to measure."""

from __future__ import annotations

import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

STACK = Path(__file__).resolve().parents[3] / "compose/stack"


@contextmanager
def demo_stack(binaries: Path, environment: dict[str, str], *counts: str) -> Iterator[Callable[..., None]]:
    """Run a demo stack in the environment's run folder for the duration of the block; yield the launcher's commands."""

    def stack(*arguments: str) -> None:
        subprocess.run([str(STACK), *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)

    stack("up", "--demo", "--bin", str(binaries), *counts)
    try:
        yield stack
    finally:
        subprocess.run([str(STACK), "down"], env=environment, check=False, stdout=subprocess.DEVNULL)


def set_latency(folder: Path, milliseconds: int) -> None:
    """Set the latency of the demo upstream of this run folder."""
    base = (folder / "demo-upstream.url").read_text(encoding="utf-8").strip()
    request = urllib.request.Request(f"{base}/_latency?ms={milliseconds}", method="POST")
    with urllib.request.urlopen(request, timeout=10):
        pass
