"""The bus compared with the floor: our client, broker and worker, and plain C ones, in turns."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

from .counting import allocations, per_request, system_calls
from .figures import ratio, spread
from .processes import cpu_seconds, output, run_folder, running, wait_for_service


@dataclass
class Case:
    in_flight: int
    requests: int
    size: int

    def __str__(self) -> str:
        return f"{self.in_flight} in flight, {self.size} B"


CASES = [Case(1, 5_000, 200), Case(64, 128_000, 200), Case(64, 64_000, 4096)]


@dataclass
class Figures:
    """One run of one side: µs, requests a second, and µs of CPU a request in client, broker and worker."""
    p50: float
    p99: float
    per_second: float
    cpu: tuple[float, float, float]


@dataclass
class Side:
    """A running broker and worker, and a client that is started for every run."""
    name: str
    broker: Popen[bytes]
    worker: Popen[bytes]
    environment: dict[str, str]
    client: list[object] = field(default_factory=list)

    def arguments(self, case: Case) -> list[object]:
        if self.name == "floor":
            return [*self.client, case.in_flight, case.requests, case.size]
        return [*self.client, "--in-flight", case.in_flight, "--requests", case.requests, "--bytes", case.size]

    def run(self, case: Case) -> Figures:
        before = [cpu_seconds(self.broker), cpu_seconds(self.worker)]
        printed, client = output(self.arguments(case), self.environment)
        after = [cpu_seconds(self.broker), cpu_seconds(self.worker)]
        spent = [client, *(end - start for start, end in zip(before, after, strict=True))]
        micros = [seconds * 1e6 / case.requests for seconds in spent]
        result = json.loads(printed)
        return Figures(result["p50"], result["p99"], result["perSecond"], (micros[0], micros[1], micros[2]))


def sides(stack: ExitStack, binaries: Path, environment: dict[str, str], folder: Path) -> tuple[Side, Side]:
    """Start the brokers and workers of both sides, which run until the stack is closed."""
    endpoint = f"ipc://{folder}/floor.ipc"
    floor = binaries / "bus-floor"
    floor_broker = stack.enter_context(running([floor, "broker", endpoint], environment))
    floor_worker = stack.enter_context(running([floor, "worker", endpoint], environment))
    broker = stack.enter_context(running([binaries / "broker"], environment))
    worker = stack.enter_context(running([binaries / "bus-bench", "worker"], environment))
    wait_for_service(binaries, environment, "bench.echo")
    return (
        Side("ours", broker, worker, environment, [binaries / "bus-bench", "client"]),
        Side("floor", floor_broker, floor_worker, environment, [floor, "client", endpoint]),
    )


def bench_bus(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    with run_folder() as folder, ExitStack() as stack:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        ours, floor = sides(stack, binaries, environment, folder)
        for case in CASES:
            pairs = [(ours.run(case), floor.run(case)) for _ in range(runs + 1)][1:]
            show(case, [pair[0] for pair in pairs], [pair[1] for pair in pairs])
    print("\nallocations a request     " + per_request(allocations(binaries, environment, CASES[1].requests)))
    print("system calls a request    " + system_calls(binaries, environment, CASES[1].requests))


def show(case: Case, ours: list[Figures], floor: list[Figures]) -> None:
    print(f"\n{case}{'':{30 - len(str(case))}}{'ours':28}{'floor in C':28}ratio")

    def line(name: str, mine: list[float], theirs: list[float], digits: int = 0) -> None:
        print(f"  {name:28}{spread(mine, digits):28}{spread(theirs, digits):28}{ratio(mine, theirs)}")

    line("p50 µs", [run.p50 for run in ours], [run.p50 for run in floor])
    line("p99 µs", [run.p99 for run in ours], [run.p99 for run in floor])
    line("requests a second", [run.per_second for run in ours], [run.per_second for run in floor])
    for index, process in enumerate(("client", "broker", "worker")):
        line(f"CPU µs a request, {process}", [run.cpu[index] for run in ours], [run.cpu[index] for run in floor], 1)
