"""The tables of flaws: the simulation must find those of machines.toml, process tests those of programs.toml."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MACHINES, PROGRAMS = (Path(__file__).with_name(name) for name in ("machines.toml", "programs.toml"))
# The modules whose state machines the simulation runs, with the folders of their sources; each may import those before it.
SOURCES = {"Majordomo": ROOT / "Shared/Bus/Majordomo",
           **{f"{folder.parent.name}Machine": folder for folder in sorted(ROOT.glob("Services/*/Machine"))}}
# A change is recent if it is uncommitted or in the last commits of this number.
_RECENT_COMMITS = 5


@dataclass(frozen=True)
class Mutant:
    """One edit of one source file."""

    name: str
    file: str
    snippet: str
    replacement: str

    @property
    def path(self) -> Path:
        """Return the path of the source."""
        return ROOT / self.file

    def edited(self, text: str) -> str:
        """Return the source with the flaw; fail unless the snippet occurs exactly once."""
        count = text.count(self.snippet)
        if count != 1:
            raise SystemExit(
                f"Tests/Tools/Mutation/mutation: mutant “{self.name}”: its snippet occurs {count} times in {self.file}")
        return text.replace(self.snippet, self.replacement)


@dataclass(frozen=True)
class MachineMutant(Mutant):
    """A flaw of a state machine; a rule of the simulation must object within `seeds` seeds."""

    seeds: int

    @property
    def module(self) -> str:
        """Return the module of the source: no two machines have a file of one name."""
        return next(module for module, folder in SOURCES.items() if (folder / self.file).exists())

    @property
    def path(self) -> Path:
        """Return the path of the source."""
        return SOURCES[self.module] / self.file


@dataclass(frozen=True)
class ProgramMutant(Mutant):
    """A flaw of a program, and the tests that must detect it."""

    product: str
    tests: str


def load(machines: Path = MACHINES, programs: Path = PROGRAMS) -> list[Mutant]:
    """Return all mutants, those of machines first."""
    def entries(table: Path) -> list[dict[str, object]]:
        return tomllib.loads(table.read_text(encoding="utf-8"))["mutant"]

    return [
        *(MachineMutant(**entry) for entry in entries(machines)), *(ProgramMutant(**entry) for entry in entries(programs))]


def choose(mutants: Sequence[Mutant], names: Sequence[str]) -> list[Mutant]:
    """Return the mutants of these names, in the table's order; all of them without names."""
    if unknown := set(names) - {mutant.name for mutant in mutants}:
        raise SystemExit(f"Tests/Tools/Mutation/mutation: no mutant is called {', '.join(sorted(unknown))}")
    return [mutant for mutant in mutants if not names or mutant.name in names]


def recently_changed(mutants: Sequence[Mutant]) -> list[Mutant]:
    """Return the mutants of files with a recent change."""
    def lines(*command: str) -> list[str]:
        return subprocess.run(["git", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")

    depth = int(lines("rev-list", "--count", "HEAD")[0])
    base = f"HEAD~{min(_RECENT_COMMITS, depth - 1)}"
    changed = {ROOT / name for name in [*lines("diff", "--name-only", base), *lines("ls-files", "-o", "--exclude-standard")]}
    return [mutant for mutant in mutants if mutant.path in changed]
