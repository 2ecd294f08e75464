"""The command line of `compose/mutants`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from launcher.usage_parser import UsageParser

from .table import ROOT, load
from .workshop import Workshop


def main(arguments: Sequence[str], about: str) -> int:
    """Print what became of each mutant; 1 when one is not noticed, or when the tests fail without any."""
    parser = UsageParser(
        prog="compose/mutants", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    mutants = load(parser.parse_args(arguments).names)
    for mutant in mutants:  # before anything is compiled
        mutant.edited((ROOT / mutant.file).read_text(encoding="utf-8"))
    workshop = Workshop()
    for tests in sorted({mutant.tests for mutant in mutants}):
        if failure := workshop.test(tests, workshop.healthy):
            print(f"without a flaw {tests} fails: {failure}")
            return 1
    noticed = 0
    for mutant in mutants:
        start = time.monotonic()
        workshop.build(mutant)
        failure = workshop.test(mutant.tests, workshop.binaries)
        noticed += failure is not None
        print(f"{mutant.name:44} {time.monotonic() - start:4.0f} s  {failure or 'NOT NOTICED'}", flush=True)
    print(f"{noticed} of {len(mutants)} mutants noticed")
    return 0 if noticed == len(mutants) else 1
