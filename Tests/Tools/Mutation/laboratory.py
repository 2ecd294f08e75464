"""Puts flaws into copies of the state machines and checks whether the simulation finds them.

The simulation and the machines are compiled once. A flaw does not change the interface to other files, so a copy reuses
all object code except that of one file, which is compiled without optimisation in a fifth of the time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from Simulation.building import PRODUCT

from .table import ROOT, SOURCES, MachineMutant

_SIMULATION = ROOT / "Tests/Tools/Simulation/Sources"
_FEATURES = ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault")
# Longer than any run; a flaw must not make the machines hang.
_LIMIT_SECONDS = 120
# The optimised machines run all schedules; this run shows that no rule objects to the unoptimised copies.
_CONTROL_SEEDS = 1_000
_VERDICT = re.compile(r"^seed (\d+) over the (\w+) network: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Finding:
    """The result of the simulation of a mutant."""

    rule: str
    seed: str
    seconds: float
    is_found: bool


class Laboratory:
    """A temporary folder with the compiled simulation, in which copies are built and run."""

    def __init__(self, folder: Path, binaries: Path) -> None:
        self.folder = folder
        self.modules = binaries.resolve() / "Modules"
        self.simulation = folder / "simulation.o"
        listed = (binaries / f"{PRODUCT}.product/Objects.LinkFileList").read_text(encoding="utf-8").splitlines()
        ours = (*(f"{module}.build" for module in SOURCES), f"{PRODUCT.replace('-', '_')}.build")
        self.dependencies = folder / "dependencies"
        self.dependencies.write_text("\n".join(o for o in listed if not any(f"/{name}/" in o for name in ours)))
        self.healthy = folder / "healthy"
        for module in SOURCES:
            self.compile_machines(module)
        sources = sorted(_SIMULATION.rglob("*.swift"))
        _check([
            "swiftc", *self._options(PRODUCT.replace("-", "_")), "-O", "-wmo", "-c", *sources,
            "-o", self.simulation])

    def objects(self, module: str) -> list[Path]:
        """Return the object files of healthy machines, one per source."""
        return sorted((self.healthy / module).glob("*.o"))

    def compile_machines(self, module: str) -> None:
        """Compile the healthy machines of a module."""
        target = self.healthy / module
        target.mkdir(parents=True)
        _check([
            "swiftc", *self._options(module), "-O", "-j", str(os.cpu_count() or 1), "-emit-module", "-emit-module-path",
            self.healthy / f"{module}.swiftmodule", "-c", *sorted(SOURCES[module].glob("*.swift"))], folder=target)

    def compile_edited(self, module: str, file: Path, text: str, target: Path) -> Path:
        """Compile one source of a module with another text, and return its object file."""
        source = target / file.name
        source.write_text(text, encoding="utf-8")
        others = [other for other in sorted(file.parent.glob("*.swift")) if other != file]
        _check([
            "swiftc", "-frontend", *self._options(module), "-Onone", "-c", "-primary-file", source, *others,
            "-o", source.with_suffix(".o")])
        return source.with_suffix(".o")

    def link(self, target: Path, edited: Mapping[Path, Path]) -> None:
        """Link the simulation with the healthy machines, except for the edited ones."""
        machines = [edited.get(o, o) for module in SOURCES for o in self.objects(module)]
        objects = [self.simulation, *machines, f"@{self.dependencies}"]
        # The driver also extracts the libraries of the objects, but has been seen to lose the list, even with its own
        # folder of temporary files.
        libraries = target / "libraries"
        _check(["swift-autolink-extract", *objects, "-o", libraries])
        _check(["swiftc", "-o", target / PRODUCT, *objects, f"@{libraries}"], {**os.environ, "TMPDIR": str(target)})

    def run(self, target: Path, seeds: int) -> Finding:
        """Run schedules until a rule objects."""
        start = time.monotonic()
        try:
            done = subprocess.run(
                [target / PRODUCT, "--schedules", str(seeds)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                check=False, timeout=_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return Finding("", "", _LIMIT_SECONDS, False)
        seconds = time.monotonic() - start
        if verdict := _VERDICT.search(done.stderr):
            return Finding(verdict[3], verdict[1], seconds, True)
        if done.returncode < 0:
            return Finding(f"it crashes (signal {-done.returncode})", "", seconds, True)
        return Finding("", "", seconds, False)

    def examine(self, mutant: MachineMutant) -> Finding:
        """Create, compile and run one mutant."""
        target = self.folder / re.sub(r"\W+", "-", mutant.name)
        target.mkdir()
        self.link(target, self.replacement(mutant, mutant.edited(mutant.path.read_text(encoding="utf-8")), target))
        finding = self.run(target, mutant.seeds)
        shutil.rmtree(target)
        return finding

    def control(self, mutants: Sequence[MachineMutant]) -> Finding:
        """Build like the mutants, but without a flaw, and run the result."""
        target = self.folder / "control"
        target.mkdir()
        edited: dict[Path, Path] = {}
        for mutant in {mutant.path: mutant for mutant in mutants}.values():
            edited |= self.replacement(mutant, mutant.path.read_text(encoding="utf-8"), target)
        self.link(target, edited)
        return self.run(target, _CONTROL_SEEDS)

    def replacement(self, mutant: MachineMutant, text: str, target: Path) -> dict[Path, Path]:
        """Compile a mutant's file with this text; return the object file by the one that it replaces."""
        compiled = self.compile_edited(mutant.module, mutant.path, text, target)
        return {self.healthy / mutant.module / compiled.name: compiled}

    def _options(self, module: str) -> list[str | Path]:
        # SwiftPM names a package by its folder; modules show `package` declarations only to those of the same name.
        features = [word for name in _FEATURES for word in ("-enable-upcoming-feature", name)]
        return ["-swift-version", "6", "-parse-as-library", "-module-name", module, "-package-name", ROOT.name.lower(),
                "-I", self.healthy, "-I", self.modules, *features]


def _check(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment, cwd=folder)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line] or [done.stdout]
        raise SystemExit("Tests/Tools/Mutation/mutation: a copy cannot be built\n  " + "\n  ".join(errors[:10]))


def examine(mutants: Sequence[MachineMutant], binaries: Path, jobs: int) -> bool:
    """Print the result of each mutant; return false when one survives, or when the machines without a flaw fail."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="majordomo-mutants.") as folder, ThreadPoolExecutor(jobs) as pool:
        laboratory = Laboratory(Path(folder), binaries)
        findings = []
        for mutant, finding in zip(mutants, pool.map(laboratory.examine, mutants), strict=True):
            findings.append(finding)
            _print_row(mutant, finding)
        control = laboratory.control(mutants)
    found = sum(finding.is_found for finding in findings)
    print(f"{found} of {len(findings)} mutants of machines found in {time.monotonic() - start:.0f} s; "
          f"without a flaw, {_CONTROL_SEEDS:,} seeds: {control.rule or 'every rule held'}")
    return found == len(findings) and not control.is_found


def _print_row(mutant: MachineMutant, finding: Finding) -> None:
    seed = f"seed {finding.seed}" if finding.seed else ""
    verdict = finding.rule if finding.is_found else "SURVIVED"
    print(f"{mutant.name:36}  {seed:>11} of {mutant.seeds:<6} {finding.seconds:5.1f} s  {verdict}", flush=True)
