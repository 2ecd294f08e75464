"""The table of flaws that the tests of processes must notice: Tests/ProcessTests/mutants.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .edit import edited

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "Tests/ProcessTests/mutants.toml"


@dataclass(frozen=True)
class Mutant:
    """One edit of one program, and the tests that have to notice it."""

    name: str
    product: str
    file: str
    snippet: str
    replacement: str
    tests: str

    def edited(self, text: str) -> str:
        """Return the source with the flaw in it."""
        return edited(
            text, self.snippet, self.replacement, name=self.name, file=self.file, command="compose/mutants")


def load(names: Sequence[str] = (), table: Path = TABLE) -> list[Mutant]:
    """Return all mutants, or those named, in the table's order."""
    mutants = [Mutant(**entry) for entry in tomllib.loads(table.read_text(encoding="utf-8"))["mutant"]]
    unknown = set(names) - {mutant.name for mutant in mutants}
    if unknown:
        raise SystemExit(f"compose/mutants: no mutant is called {', '.join(sorted(unknown))}")
    return [mutant for mutant in mutants if not names or mutant.name in names]
