"""The table of flaws that the simulation must find: Tests/Simulation/mutants.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.edit import edited

from .building import ROOT

TABLE = ROOT / "Tests/Simulation/mutants.toml"
# The modules whose machines the simulation runs, and where their sources lie.
SOURCES = {"Majordomo": ROOT / "Shared/Majordomo", "CacheStoreMachines": ROOT / "Services/CacheStore/Machines"}


@dataclass(frozen=True)
class Mutant:
    """One edit of one source file."""

    name: str
    file: str
    snippet: str
    replacement: str
    seeds: int
    module: str = "Majordomo"

    @property
    def path(self) -> Path:
        """Where the source lies."""
        return SOURCES[self.module] / self.file

    def edited(self, text: str) -> str:
        """Return the source with the flaw in it."""
        return edited(
            text, self.snippet, self.replacement, name=self.name, file=self.file, command="compose/simulate")


def load(names: Sequence[str] = (), table: Path = TABLE) -> list[Mutant]:
    """Return all mutants, or those named, in the table's order."""
    mutants = [Mutant(**entry) for entry in tomllib.loads(table.read_text(encoding="utf-8"))["mutant"]]
    unknown = set(names) - {mutant.name for mutant in mutants}
    if unknown:
        raise SystemExit(f"compose/simulate: no mutant is called {', '.join(sorted(unknown))}")
    return [mutant for mutant in mutants if not names or mutant.name in names]
