"""The command line of `Tests/Tools/Mutation/mutation`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from launcher.terminal import UsageParser
from Simulation.building import build

from . import laboratory, workshop
from .table import MachineMutant, ProgramMutant, choose, load, recently_changed


def main(arguments: Sequence[str], about: str) -> int:
    """Print the result of each mutant; return 1 when one survives, or when the sources without a flaw fail."""
    parser = UsageParser(
        prog="Tests/Tools/Mutation/mutation", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--machines", action="store_true", help="only those that the simulation must find")
    parser.add_argument("--changed", action="store_true", help="only those of files with a recent change")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="mutants of machines at a time")
    parser.add_argument("--bin", type=Path, metavar="DIR", help="use the build of the simulation in DIR, not a new release build")
    options = parser.parse_args(arguments)
    mutants = choose(load(), options.names)
    if options.changed:
        mutants = recently_changed(mutants)
    for mutant in mutants:  # before anything is compiled
        mutant.edited(mutant.path.read_text(encoding="utf-8"))
    machines = [mutant for mutant in mutants if isinstance(mutant, MachineMutant)]
    programs = [mutant for mutant in mutants if isinstance(mutant, ProgramMutant) and not options.machines]
    if not machines and not programs:
        print("No mutant is of a file with a recent change.")
    is_good = not machines or laboratory.examine(machines, build(options.bin), max(1, options.jobs))
    return 0 if (not programs or workshop.examine(programs)) and is_good else 1
