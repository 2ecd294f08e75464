"""The command line of `Tests/Tools/Fuzz/fuzz`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from launcher.terminal import UsageParser

from .coverage import table
from .run import Outcome, run
from .toolchain import Missing, build

UNAVAILABLE, USAGE = 69, 64


def main(arguments: Sequence[str], usage: str | None) -> int:
    """Run the chosen targets; return 0 when nothing was found."""
    parser = UsageParser(
        prog="Tests/Tools/Fuzz/fuzz", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20, help="for each target (default 20)")
    parser.add_argument("--target", action="append", help="only this one; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the names of the targets")
    options = parser.parse_args(arguments)
    if options.seconds < 1:
        parser.error("--seconds takes 1 or more")
    try:
        fuzzer = build()
    except Missing as missing:
        print(f"Tests/Tools/Fuzz/fuzz: {missing}", file=sys.stderr)
        return UNAVAILABLE
    known = targets(fuzzer)
    if options.list:
        print("\n".join(known))
        return 0
    unknown = set(options.target or []) - set(known)
    if unknown:
        print(f"Tests/Tools/Fuzz/fuzz: there is no target {', '.join(sorted(unknown))}; known: {', '.join(known)}",
              file=sys.stderr)
        return USAGE
    return fuzz(fuzzer, options.target or known, options.seconds)


def targets(fuzzer: Path) -> list[str]:
    """Return the names of all targets, as listed by the fuzzer."""
    nowhere = {**os.environ, "LLVM_PROFILE_FILE": os.devnull, "BOXOFFICE_FUZZ_TARGET": ""}
    return subprocess.run([fuzzer], env=nowhere, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def fuzz(fuzzer: Path, names: Sequence[str], seconds: int) -> int:
    """Run the targets one after the other and print their results."""
    print(f"{'target':16} {'inputs':>9} {'edges':>6} {'corpus':>7} {'peak':>7}")
    outcomes = []
    for target in names:
        outcome = run(fuzzer, target, seconds)
        outcomes.append(outcome)
        verdict = "" if outcome.status == 0 else "   FOUND SOMETHING"
        figures = f"{outcome.inputs:>9,} {outcome.edges:>6,} {outcome.corpus:>7,} {outcome.megabytes:>4} MB"
        print(f"{target:16} {figures}{verdict}", flush=True)
    profiles = [outcome.profile for outcome in outcomes if outcome.profile.exists()]
    if profiles:
        print(table(fuzzer, profiles))
    failed = [outcome for outcome in outcomes if outcome.status != 0 or outcome.inputs == 0]
    for outcome in failed:
        print(finding(fuzzer, outcome), file=sys.stderr)
    return 1 if failed else 0


def finding(fuzzer: Path, outcome: Outcome) -> str:
    """Return the end of libFuzzer's log and the command that reproduces the finding."""
    variables = f"BOXOFFICE_FUZZ_TARGET={outcome.target} SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1"
    return f"\n── {outcome.target}\n{outcome.log[-5000:]}\nAgain: {variables} {fuzzer} FILE"
