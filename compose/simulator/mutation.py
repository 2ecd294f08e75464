"""Puts flaws into copies of the state machines and sees whether the simulation finds them.

The simulation itself is compiled once. A flaw changes only the insides of functions, so that the object code of the
simulation fits every copy; a copy is compiled without optimisation, which takes a fifth of the time and is fast enough.
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

from .building import PRODUCT, ROOT
from .mutants import SOURCES, Mutant, load

_SIMULATION = ROOT / "Tests/Simulation"
_FEATURES = ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault")
# What no run takes; a flaw must not make the machines themselves hang.
_LIMIT_SECONDS = 120
_VERDICT = re.compile(r"^seed (\d+) over the (\w+) network: (.*)$", re.MULTILINE)

_LIBRARIES = ("swift_Concurrency", "swift_StringProcessing", "swiftSwiftOnoneSupport", "swiftSynchronization", "swiftGlibc")


@dataclass(frozen=True)
class Finding:
    """What the simulation said to a mutant."""

    rule: str
    seed: str
    seconds: float
    is_found: bool


class Laboratory:
    """A scratch folder with the compiled simulation, in which copies are made and run."""

    def __init__(self, folder: Path, binaries: Path) -> None:
        self.folder = folder
        self.modules = binaries / "Modules"
        self.simulation = folder / "simulation.o"
        listed = (binaries / f"{PRODUCT}.product/Objects.LinkFileList").read_text(encoding="utf-8").splitlines()
        ours = (*(f"{module}.build" for module in SOURCES), f"{PRODUCT.replace('-', '_')}.build")
        self.libraries = folder / "libraries"
        self.libraries.write_text("\n".join(o for o in listed if not any(f"/{name}/" in o for name in ours)))
        self.healthy = folder / "healthy"
        self.healthy.mkdir()
        for module, sources in SOURCES.items():
            self.compile_machines(module, sources, self.healthy)
        sources = sorted(_SIMULATION.rglob("*.swift"))
        self._swiftc(
            "-O", "-I", self.healthy, "-module-name", PRODUCT.replace("-", "_"), "-c", *sources, "-o", self.simulation)
        self.link(self.healthy)

    def compile_machines(self, module: str, sources: Path, target: Path) -> None:
        """Compile one copy of a module of machines."""
        self._swiftc(
            "-Onone", "-module-name", module, "-package-name", "boxoffice", "-emit-module", "-emit-module-path",
            target / f"{module}.swiftmodule", "-c", *sorted(sources.glob("*.swift")), "-o", target / f"{module}.o")

    def link(self, target: Path) -> None:
        """Link the simulation with the machines of a folder; those that it has not are the healthy ones."""
        machines = [next(o for o in (target / f"{m}.o", self.healthy / f"{m}.o") if o.exists()) for m in SOURCES]
        objects = [self.simulation, *machines, f"@{self.libraries}"]
        # By name, although the objects name them too: the driver has been seen to lose that list, with a folder of
        # temporary files of its own as well as without.
        libraries = [f"-l{name}" for name in _LIBRARIES]
        _check(["swiftc", "-o", target / PRODUCT, *objects, *libraries], {**os.environ, "TMPDIR": str(target)})

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

    def examine(self, mutant: Mutant) -> Finding:
        """Make, compile and run one mutant."""
        target = self.folder / re.sub(r"\W+", "-", mutant.name)
        sources = self.folder / f"{target.name}-sources"
        shutil.copytree(SOURCES[mutant.module], sources)
        source = sources / mutant.file
        source.write_text(mutant.edited(source.read_text(encoding="utf-8")), encoding="utf-8")
        target.mkdir()
        self.compile_machines(mutant.module, sources, target)
        self.link(target)
        finding = self.run(target, mutant.seeds)
        shutil.rmtree(target)
        return finding

    def _swiftc(self, *arguments: str | Path) -> None:
        features = [word for name in _FEATURES for word in ("-enable-upcoming-feature", name)]
        _check(["swiftc", "-swift-version", "6", "-parse-as-library", "-wmo", "-I", self.modules, *features, *arguments])


def _check(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line] or [done.stdout]
        raise SystemExit("compose/simulate: a copy cannot be built\n  " + "\n  ".join(errors[:10]))


def examine_mutants(names: Sequence[str], binaries: Path, jobs: int) -> int:
    """Print what became of each mutant; 1 when one survives, or when the healthy copy does not."""
    start = time.monotonic()
    mutants = load(names)
    for mutant in mutants:  # before anything is compiled
        mutant.edited(mutant.path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="majordomo-mutants.") as folder, ThreadPoolExecutor(jobs) as pool:
        laboratory = Laboratory(Path(folder), binaries)
        findings = []
        for mutant, finding in zip(mutants, pool.map(laboratory.examine, mutants), strict=True):
            findings.append(finding)
            _print_row(mutant, finding)
        seeds = max(mutant.seeds for mutant in mutants)
        healthy = laboratory.run(Path(folder) / "healthy", seeds)
    found = sum(finding.is_found for finding in findings)
    print(f"{found} of {len(findings)} mutants found in {time.monotonic() - start:.0f} s; "
          f"unmutated, {seeds} seeds: {healthy.rule or 'every rule held'}")
    return 0 if found == len(findings) and not healthy.is_found else 1


def _print_row(mutant: Mutant, finding: Finding) -> None:
    seed = f"seed {finding.seed}" if finding.seed else ""
    verdict = finding.rule if finding.is_found else "SURVIVED"
    print(f"{mutant.name:36}  {seed:>11} of {mutant.seeds:<6} {finding.seconds:5.1f} s  {verdict}", flush=True)
