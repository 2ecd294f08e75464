"""Builds programs with a flaw in a copy of the sources, and runs the tests against them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from .table import ROOT, ProgramMutant

_SCRATCH = ROOT / ".build/mutants"
_COPIED = ("Package.swift", "Package.resolved", "Services", "Shared", "Tests")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CLOSING = re.compile(r"Test run with ([0-9]+) tests? .*")


class Workshop:
    """The build folder; its products stay, so that the next mutant is built quickly."""

    def __init__(self) -> None:
        self.tree = _SCRATCH / "tree"
        self.binaries = _SCRATCH / "bin"
        self.healthy = ROOT / ".build/debug"
        _run(["swift", "build", "--build-tests", "--quiet"], ROOT)

    def build(self, mutant: ProgramMutant) -> None:
        """Build the mutant, and put it beside the healthy programs."""
        self._copy_sources()
        source = self.tree / mutant.file
        source.write_text(mutant.edited(source.read_text(encoding="utf-8")), encoding="utf-8")
        _run(
            ["swift", "build", "--scratch-path", str(_SCRATCH / "build"), "--product", mutant.product, "--quiet"],
            self.tree)
        shutil.rmtree(self.binaries, ignore_errors=True)
        self.binaries.mkdir(parents=True)
        for program in self.healthy.iterdir():
            if program.is_file() and os.access(program, os.X_OK) and not program.suffix:
                (self.binaries / program.name).symlink_to(program)
        (self.binaries / mutant.product).unlink()
        (self.binaries / mutant.product).symlink_to(_SCRATCH / "build/debug" / mutant.product)

    def test(self, tests: str, binaries: Path) -> str | None:
        """Run the tests against the programs of a folder; return the first that fails, or None."""
        done = subprocess.run(
            ["swift", "test", "--skip-build", "--no-parallel", "--filter", tests], cwd=ROOT, text=True, check=False,
            env={**os.environ, "BOXOFFICE_BIN": str(binaries)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        closing = _CLOSING.search(done.stdout)
        if closing is None and done.returncode != 0:
            return f"the tests did not run to their end ({done.returncode})"
        if closing is None or int(closing[1]) == 0:
            raise SystemExit(f"Tests/Tools/Mutation/mutation: no test is called {tests}")
        if done.returncode == 0:
            return None
        failure = next((line for line in done.stdout.splitlines() if "recorded an issue" in line), closing[0])
        return _COLOUR.sub("", failure)[:160]

    def _copy_sources(self) -> None:
        """Update the copy to the current sources, without a write to unchanged files."""
        wanted = {
            path.relative_to(ROOT)
            for name in _COPIED for path in [ROOT / name, *(ROOT / name).rglob("*")] if path.is_file()}
        for path in [path for path in self.tree.rglob("*") if path.is_file()]:
            if path.relative_to(self.tree) not in wanted:
                path.unlink()
        for path in wanted:
            copy = self.tree / path
            content = (ROOT / path).read_bytes()
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line] or [done.stdout]
        raise SystemExit("Tests/Tools/Mutation/mutation: a build failed\n  " + "\n  ".join(errors[:10]))


def examine(mutants: Sequence[ProgramMutant]) -> bool:
    """Print the result of each mutant; return false when one survives, or when the tests fail without a flaw."""
    workshop = Workshop()
    for tests in sorted({mutant.tests for mutant in mutants}):
        if failure := workshop.test(tests, workshop.healthy):
            print(f"without a flaw {tests} fails: {failure}")
            return False
    noticed = 0
    for mutant in mutants:
        start = time.monotonic()
        workshop.build(mutant)
        failure = workshop.test(mutant.tests, workshop.binaries)
        noticed += failure is not None
        print(f"{mutant.name:44} {time.monotonic() - start:4.0f} s  {failure or 'NOT NOTICED'}", flush=True)
    print(f"{noticed} of {len(mutants)} mutants of programs noticed")
    return noticed == len(mutants)
