"""The command line of `Tests/Tools/Chaos/chaos`."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from launcher import binaries, installation
from launcher.problem import ExitCode, Problem
from launcher.terminal import UsageParser

from .askers import Askers, ask_all
from .census import CensusHealth
from .faults import Faults
from .health import Health
from .questions import QUESTIONS, References
from .report import Report
from .stack import UPSTREAM_MS, Stack, StackProblem

HOLDS, FAILS = 0, 1
CALM_SECONDS = 3.0
"""From this time after the last fault on, every answer must be complete."""


def main(arguments: Sequence[str], usage: str | None) -> int:
    """Cause faults for a while and return 0 if all answers were good enough."""
    parser = UsageParser(
        prog="Tests/Tools/Chaos/chaos", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="of faults, 5 to 600 (default 60)")
    parser.add_argument("--askers", type=int, default=4, help="people who ask all the time, 1 to 32 (default 4)")
    parser.add_argument("--deadline", type=float, default=5, metavar="SECONDS", help="of each question, 1 to 30 (default 5)")
    parser.add_argument("--nats", action="store_true", help="over three servers of NATS, which have faults, too")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other faults (default 1)")
    parser.add_argument("--bin", type=Path, default=installation.PROGRAMS, help="where the executables lie")
    options = parser.parse_args(arguments)
    if not 5 <= options.seconds <= 600:
        parser.error("--seconds takes 5 to 600")
    if not 1 <= options.deadline <= 30:
        parser.error("--deadline takes 1 to 30")
    if not 1 <= options.askers <= 32:
        parser.error("--askers takes 1 to 32")
    try:
        binaries.check(options.bin.resolve(), demo=True)
    except Problem as problem:
        print(problem.text().replace("compose/stack", "Tests/Tools/Chaos/chaos", 1), file=sys.stderr)
        return problem.code
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))  # an exception, so that nothing is left behind
    try:
        with Stack.started(options.bin.resolve(), os.environ, is_on_nats=options.nats) as stack:
            return run(stack, options)
    except StackProblem as problem:
        print(f"Tests/Tools/Chaos/chaos: {problem}", file=sys.stderr)
        return ExitCode.UNAVAILABLE


def run(stack: Stack, options: argparse.Namespace) -> int:
    """Get the true answers, cause faults during queries, and judge their answers."""
    chance = random.Random(options.seed)
    references = References.fetch(stack)
    stack.set_latency(UPSTREAM_MS)
    kind = CensusHealth if stack.is_on_nats else Health
    with kind.watched(stack) as health:
        with Askers(stack, references, options.askers, options.deadline, options.seed) as askers:
            faults = Faults(stack, health, chance)
            faults.run(options.seconds)
            faults.end()
            time.sleep(max(0.0, faults.last_at + CALM_SECONDS - time.monotonic()))
            asked = askers.stop()
        asked += ask_all(stack, references, QUESTIONS, options.askers, options.deadline)
    report = Report(options.seed, options.seconds, faults.done, asked, health, faults.last_at + CALM_SECONDS)
    print(report.text())
    if not report.troubles():
        return HOLDS
    for trouble in report.troubles():
        print(f"fails  {trouble}", file=sys.stderr)
    print(f"logs   {stack.keep_logs()}", file=sys.stderr)
    return FAILS
