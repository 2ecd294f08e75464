"""The event stream: taps that join while it runs, and what a stopped tap costs the broker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

from .bus import Case, Side
from .figures import spread
from .processes import output, run_folder, running, wait_for_service

TAPS, RATE, EVENTS = 50, 5_000, 50_000
PAIRS = 10
CASE = Case(1, 10_000, 200)


def bench_events(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    for _ in range(runs):
        print(crowd(binaries, environment))
    print(stopped_tap(binaries, environment))


def crowd(binaries: Path, environment: dict[str, str]) -> str:
    """50 taps join one after another during 5,000 events a second."""
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with running([binaries / "broker"], environment):
            command = [str(binaries / "bus-bench"), "taps", "--count", str(TAPS), "--events", str(EVENTS)]
            with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as taps:
                assert taps.stdout is not None
                taps.stdout.readline()  # "ready": the first tap is on the stream
                talker = [binaries / "bus-bench", "talker", "--per-second", RATE, "--events", EVENTS]
                result = json.loads(output(talker, environment)[0])
                seen = json.loads(taps.stdout.readline())
    return (f"{seen['taps']} taps joined between event {seen['firstJoin']:,} and {seen['lastJoin']:,} of {EVENTS:,} at "
            f"{result['perSecond']:,}/s: {seen['complete']} saw every event once and in order, {seen['lost']} lost, "
            f"{result['dropped']} dropped by the publisher")


def stopped_tap(binaries: Path, environment: dict[str, str]) -> str:
    """Pairs of runs without a tap and with one that is stopped; its pipe is full after the first pair, which is not counted."""
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with (
            running([binaries / "broker"], environment) as broker,
            running([binaries / "bus-bench", "worker"], environment) as worker,
        ):
            wait_for_service(binaries, environment, "bench.echo")
            side = Side("ours", broker, worker, environment, [binaries / "bus-bench", "client"])
            ratios = []
            for _ in range(PAIRS + 1):
                without = side.run(CASE).cpu[1]
                with StoppedTap(binaries, environment):
                    side.run(CASE)  # fills the tap's pipe
                    ratios.append(side.run(CASE).cpu[1] / without)
    change = spread([(ratio - 1) * 100 for ratio in ratios[1:]], 1)
    return f"a stopped tap changes the broker's CPU a request by {change} %, {PAIRS} pairs"


class StoppedTap:
    """A tap that has begun to print, and then is stopped (SIGSTOP)."""

    def __init__(self, binaries: Path, environment: dict[str, str]) -> None:
        # With a past event it prints at once.
        self.command = [str(binaries / "tap"), "--last", "1"]
        self.environment = environment

    def __enter__(self) -> None:
        self.process = subprocess.Popen(self.command, env=self.environment, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.process.stdout.readline()
        os.kill(self.process.pid, signal.SIGSTOP)

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
