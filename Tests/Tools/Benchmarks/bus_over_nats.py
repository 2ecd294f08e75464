"""The bus over NATS compared with plain C over the same servers, in turns: on one server, and across two."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from launcher import nats

from .bus import Case, Side, show
from .processes import run_folder, running, wait_for_service

CASES = [Case(1, 5_000, 200), Case(64, 64_000, 200)]


def bench_nats(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Measure clients and workers on one server, then clients on one server and workers on another."""
    with run_folder() as folder, ExitStack() as stack:
        servers = _servers(stack, folder, 3)
        for title, client, worker in (("one server", servers[0], servers[0]), ("across two servers", *servers[:2])):
            print(f"\n── {title}")
            with ExitStack() as sides:
                ours, floor = _sides(sides, binaries, {**environment, "BOXOFFICE_RUN": str(folder)}, client, worker)
                for case in CASES:
                    pairs = [(ours.run(case), floor.run(case)) for _ in range(runs + 1)][1:]
                    show(case, [pair[0] for pair in pairs], [pair[1] for pair in pairs])


@dataclass
class Server:
    """A running server and its URL."""
    process: Popen[bytes]
    url: str


def _servers(stack: ExitStack, folder: Path, count: int) -> list[Server]:
    """Start servers that form a cluster."""
    addresses = nats.prepare_open_servers(folder, count).removeprefix("nats://").split(",")
    return [
        Server(stack.enter_context(running(
            [nats.executable(), "--config", folder / f"{number}.conf", "--log", folder / f"{number}.log"], dict(os.environ))),
            f"nats://{address}")
        for number, address in enumerate(addresses, 1)
    ]


def _sides(
    stack: ExitStack, binaries: Path, environment: dict[str, str], client: Server, worker: Server,
) -> tuple[Side, Side]:
    floor = binaries / "nats-floor"
    ours_of = {role: {**environment, "BOXOFFICE_BROKER": url} for role, url in (("client", client.url), ("worker", worker.url))}
    ours_worker = stack.enter_context(running([binaries / "bus-bench", "worker"], ours_of["worker"]))
    wait_for_service(binaries, ours_of["client"], "bench.echo")
    floor_worker = stack.enter_context(running([floor, "worker", worker.url], environment))
    return (
        Side("ours", client.process, ours_worker, ours_of["client"], [binaries / "bus-bench", "client"]),
        Side("floor", client.process, floor_worker, environment, [floor, "client", client.url]),
    )
