"""The answers to queries while a process is killed, stopped or slow, and their times."""

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

from nats_server import folder_of_new_servers

from .figures import spread
from .processes import run_folder
from .stack import STACK, demo_stack, set_latency

LATENCY_MS = 300
SERVICES = {
    **{name: (name,) for name in ("cache-store/1", "chart-fetcher/1", "detail-fetcher/1", "poster-resolver/1")},
    "poster-resolver": ("poster-resolver/1", "poster-resolver/2"),
}
"""The instances of each row: one, or all of a service."""
BROKER = {"broker/1": ("broker/1",), **SERVICES, "demo-upstream/1": ("demo-upstream/1",)}
SERVERS = {f"nats-server/{number}": (f"nats-server/{number}",) for number in (1, 2, 3)}
BETWEEN_SECONDS = 3.0
"""The time in which all workers register again."""
_BEGUN_SECONDS = {"chart-fetcher/1": 0.15, "demo-upstream/1": 0.15}
_USUALLY_BEGUN_SECONDS = 0.5
"""At this time details and posters are in flight; the chart is earlier."""


@dataclass(frozen=True)
class Observation:
    """The result of one query."""

    seconds: float
    outcome: str


_Action = Callable[[list[int], float, Callable[[], Observation]], list[Observation]]


def bench_failures(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Query with a refresh while each process in turn is killed, stopped, slow, and once more while it is stopped."""
    _bench(binaries, runs, environment, (), {row: (instances, _ACTIONS) for row, instances in BROKER.items()})


def bench_nats_failures(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Query in the same way over three servers of NATS, each of which is killed, stopped, slow and retired in turn."""
    environment = {**environment, "PATH": f"{folder_of_new_servers()}{os.pathsep}{environment.get('PATH', os.defpath)}"}
    targets = {row: (instances, _ACTIONS) for row, instances in SERVICES.items()}
    targets |= {row: (instances, {**_ACTIONS, "retired": _retire}) for row, instances in SERVERS.items()}
    _bench(binaries, runs, environment, ("--nats=3",), targets)


def _bench(
    binaries: Path, runs: int, environment: dict[str, str], options: tuple[str, ...],
    targets: dict[str, tuple[tuple[str, ...], dict[str, _Action]]],
) -> None:
    seen: dict[tuple[str, str], list[Observation]] = {}
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with demo_stack(binaries, environment, *options, "detail-fetcher=2", "poster-resolver=2"):
            set_latency(folder, LATENCY_MS)
            days = _days()

            def ask() -> Observation:
                return _ask(binaries, environment, next(days))

            seen["nobody", ""] = [ask() for _ in range(runs)]
            for _ in range(runs):
                for row, (instances, actions) in targets.items():
                    for action, what in actions.items():
                        pids = _pids(environment, instances)
                        begun = _BEGUN_SECONDS.get(row, _USUALLY_BEGUN_SECONDS)
                        for label, answer in zip((action, f"{action}, the next"), what(pids, begun, ask)):
                            seen.setdefault((row, label), []).append(answer)
                        time.sleep(BETWEEN_SECONDS)
                        if row == "demo-upstream/1":
                            set_latency(folder, LATENCY_MS)  # a restarted one has no latency
    _print(seen)


def _print(seen: dict[tuple[str, str], list[Observation]]) -> None:
    # The servers are alike.
    rows: dict[tuple[str, str], list[Observation]] = {}
    for (row, action), answers in seen.items():
        rows.setdefault(("a nats-server" if row in SERVERS else row, action), []).extend(answers)
    for (row, action), answers in rows.items():
        outcomes = ", ".join(f"{outcome} ({count})" for outcome, count in Counter(a.outcome for a in answers).items())
        print(f"{row:<18} {action:<18} {spread([answer.seconds for answer in answers], 1):>16} s  {outcomes}")


def _kill(pids: list[int], begun: float, ask: Callable[[], Observation]) -> list[Observation]:
    with _asking(ask) as answers:
        time.sleep(begun)
        _send(pids, signal.SIGKILL)
    return answers


def _stop(pids: list[int], begun: float, ask: Callable[[], Observation]) -> list[Observation]:
    try:
        with _asking(ask) as answers:
            time.sleep(begun)
            _send(pids, signal.SIGSTOP)
        return [*answers, ask()]
    finally:
        _send(pids, signal.SIGCONT)


def _retire(pids: list[int], begun: float, ask: Callable[[], Observation]) -> list[Observation]:
    with _asking(ask) as answers:
        time.sleep(begun)
        _send(pids, signal.SIGUSR2)  # lame duck mode
    return [*answers, ask()]


def _throttle(pids: list[int], _: float, ask: Callable[[], Observation]) -> list[Observation]:
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


_ACTIONS: dict[str, _Action] = {"killed": _kill, "stopped": _stop, "slow": _throttle}


@contextmanager
def _asking(ask: Callable[[], Observation]) -> Iterator[list[Observation]]:
    answers: list[Observation] = []
    thread = threading.Thread(target=lambda: answers.append(ask()))
    thread.start()
    try:
        yield answers
    finally:
        thread.join()


def _ask(binaries: Path, environment: dict[str, str], day: str) -> Observation:
    start = time.perf_counter()
    result = subprocess.run(
        [str(binaries / "gateway"), "show", day, "--top", "4", "--refresh", "--json"], env=environment, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    took = time.perf_counter() - start
    if not result.stdout:
        return Observation(took, f"ended with {result.returncode}")
    answer = json.loads(result.stdout)
    if answer["complete"]:
        uncached = "uncached" in json.dumps(answer["chart"].get("cache", {}))
        return Observation(took, "complete, uncached" if uncached else "complete")
    return Observation(took, "in part" if result.returncode == 0 else f"ended with {result.returncode}")


def _pids(environment: dict[str, str], instances: tuple[str, ...]) -> list[int]:
    status = json.loads(subprocess.run(
        [str(STACK), "ps", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout)
    return [int(entry["pid"]) for entry in status["processes"] if entry["instance"] in instances]


def _days() -> Iterator[str]:
    """Yield days with few films in common."""
    while True:
        for year in range(2004, 2025):
            for month in range(1, 13):
                yield f"{year}-{month:02}-09"
