"""What somebody who asks sees while a process is killed, stopped or slow, and for how long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .figures import spread
from .processes import run_folder
from .stack import STACK, demo_stack, set_latency

LATENCY_MS = 300
HARMED = {
    **{name: (name,) for name in ("broker/1", "cache-store/1", "chart-fetcher/1", "detail-fetcher/1", "poster-resolver/1")},
    "poster-resolver": ("poster-resolver/1", "poster-resolver/2"),
    "demo-upstream/1": ("demo-upstream/1",),
}
"""By the name of the row: an instance, or all of a service."""
BETWEEN_SECONDS = 3.0
"""Until everybody is registered again."""
_BEGUN_SECONDS = {"chart-fetcher/1": 0.15, "demo-upstream/1": 0.15}
_USUALLY_BEGUN_SECONDS = 0.5
"""By then the details and posters are under way; the chart earlier."""


@dataclass(frozen=True)
class Seen:
    """What one question came to."""

    seconds: float
    outcome: str


def bench_failures(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Ask anew of the upstream while each process in turn is killed, stopped, slow; and once more while it is stopped."""
    seen: dict[tuple[str, str], list[Seen]] = {}
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with demo_stack(binaries, environment, "detail-fetcher=2", "poster-resolver=2"):
            set_latency(folder, LATENCY_MS)
            days = _days()

            def ask() -> Seen:
                return _ask(binaries, environment, next(days))

            seen["nobody", ""] = [ask() for _ in range(runs)]
            for _ in range(runs):
                for row, instances in HARMED.items():
                    for deed, what in _DEEDS.items():
                        pids = _pids(environment, instances)
                        begun = _BEGUN_SECONDS.get(row, _USUALLY_BEGUN_SECONDS)
                        for told, answer in zip((deed, f"{deed}, the next"), what(pids, begun, ask)):
                            seen.setdefault((row, told), []).append(answer)
                        time.sleep(BETWEEN_SECONDS)
                        if row == "demo-upstream/1":
                            set_latency(folder, LATENCY_MS)  # one that was started again has none
    for (row, deed), answers in seen.items():
        outcomes = ", ".join(f"{outcome} ({count})" for outcome, count in Counter(a.outcome for a in answers).items())
        print(f"{row:<18} {deed:<18} {spread([answer.seconds for answer in answers], 1):>16} s  {outcomes}")


def _killed(pids: list[int], begun: float, ask: Callable[[], Seen]) -> list[Seen]:
    with _asking(ask) as answers:
        time.sleep(begun)
        _send(pids, signal.SIGKILL)
    return answers


def _stopped(pids: list[int], begun: float, ask: Callable[[], Seen]) -> list[Seen]:
    try:
        with _asking(ask) as answers:
            time.sleep(begun)
            _send(pids, signal.SIGSTOP)
        return [*answers, ask()]
    finally:
        _send(pids, signal.SIGCONT)


def _slow(pids: list[int], _: float, ask: Callable[[], Seen]) -> list[Seen]:
    is_over = threading.Event()

    def throttle() -> None:
        while not is_over.is_set():
            _send(pids, signal.SIGSTOP)
            time.sleep(0.09)
            _send(pids, signal.SIGCONT)
            time.sleep(0.01)

    thread = threading.Thread(target=throttle)
    thread.start()
    try:
        return [ask()]
    finally:
        is_over.set()
        thread.join()


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        os.kill(pid, number)


_DEEDS = {"killed": _killed, "stopped": _stopped, "slow": _slow}


@contextmanager
def _asking(ask: Callable[[], Seen]) -> Iterator[list[Seen]]:
    answers: list[Seen] = []
    thread = threading.Thread(target=lambda: answers.append(ask()))
    thread.start()
    try:
        yield answers
    finally:
        thread.join()


def _ask(binaries: Path, environment: dict[str, str], day: str) -> Seen:
    start = time.perf_counter()
    result = subprocess.run(
        [str(binaries / "gateway"), "show", day, "--top", "4", "--refresh", "--json"], env=environment, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    took = time.perf_counter() - start
    if not result.stdout:
        return Seen(took, f"ended with {result.returncode}")
    answer = json.loads(result.stdout)
    if answer["complete"]:
        uncached = "uncached" in json.dumps(answer["chart"].get("cache", {}))
        return Seen(took, "complete, uncached" if uncached else "complete")
    return Seen(took, "in part" if result.returncode == 0 else f"ended with {result.returncode}")


def _pids(environment: dict[str, str], instances: tuple[str, ...]) -> list[int]:
    told = json.loads(subprocess.run(
        [str(STACK), "ps", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout)
    return [int(entry["pid"]) for entry in told["processes"] if entry["instance"] in instances]


def _days() -> Iterator[str]:
    """Days that have little in common."""
    while True:
        for year in range(2004, 2025):
            for month in range(1, 13):
                yield f"{year}-{month:02}-09"
