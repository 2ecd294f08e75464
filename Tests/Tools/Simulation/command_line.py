"""The command line of `Tests/Tools/Simulation/simulation`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from launcher.terminal import UsageParser

from .building import PRODUCT, build

_ABOUT = """\
Runs the bus in virtual time: the real client, worker and broker machines over networks that fail, judged by the rules
of the bus. A schedule that breaks one prints its event log, its seed, the rule, and the command that replays it.

  Tests/Tools/Simulation/simulation    20,000 schedules
  Tests/Tools/Simulation/simulation --schedules 1000000     some minutes
  Tests/Tools/Simulation/simulation --schedules 1 --seed 7 --network zeromq --log
  Tests/Tools/Simulation/simulation --repeat   every schedule in two processes: the same seed is the same run, byte for byte
"""

# The keys of a line of `tap --json`.
_REQUIRED = {"time", "sequence", "kind", "source", "attributes"}
_OPTIONAL = {"query", "request"}


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    parser = UsageParser(
        prog="Tests/Tools/Simulation/simulation", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedules", type=_positive, metavar="N", help="how many seeds (default 20000; 200 to repeat)")
    parser.add_argument("--seed", type=_positive, default=1, metavar="K", help="the first seed (default 1)")
    parser.add_argument("--network", choices=["zeromq", "lawless", "both"], default="both", help="how messages travel")
    parser.add_argument("--log", action="store_true", help="print the event log, as tap --json does")
    parser.add_argument("--repeat", action="store_true", help="run everything twice and compare")
    parser.add_argument("--bin", type=Path, metavar="DIR", help="use the build in DIR instead of a release build")
    options = parser.parse_args(arguments)
    binaries = build(options.bin)
    count = options.schedules or (200 if options.repeat else 20_000)
    command = [str(binaries / PRODUCT), "--schedules", str(count), "--seed", str(options.seed), "--network", options.network]
    if options.repeat:
        return _repeat([*command, "--log"], count)
    return subprocess.run([*command, *(["--log"] if options.log else [])], check=False).returncode


def _repeat(command: list[str], count: int) -> int:
    """Compare two processes, since each process seeds the order of hash tables differently."""
    first, second = (subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout for _ in range(2))
    if first != second or not first:
        print("Tests/Tools/Simulation/simulation: the same seeds gave two different runs", file=sys.stderr)
        return 1
    lines = [json.loads(line) for line in first.splitlines()]
    if odd := next((line for line in lines if not _REQUIRED <= line.keys() <= _REQUIRED | _OPTIONAL), None):
        print(f"Tests/Tools/Simulation/simulation: this is no line of tap --json: {odd}", file=sys.stderr)
        return 1
    print(f"{count} schedules ran twice: {len(lines):,} lines of event log, the same byte for byte")
    return 0


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError("takes 1 or more")
    return number
