"""Puts flaws into copies of the state machines and sees whether the simulation finds them.

The simulation and the machines are compiled once. A flaw changes only the insides of functions, so that all object code
fits every copy but that of the one file; that is compiled without optimisation, which takes a fifth of the time.
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
        self.modules = binaries.resolve() / "Modules"
        self.simulation = folder / "simulation.o"
        listed = (binaries / f"{PRODUCT}.product/Objects.LinkFileList").read_text(encoding="utf-8").splitlines()
        ours = (*(f"{module}.build" for module in SOURCES), f"{PRODUCT.replace('-', '_')}.build")
        self.libraries = folder / "libraries"
        self.libraries.write_text("\n".join(o for o in listed if not any(f"/{name}/" in o for name in ours)))
        self.healthy = folder / "healthy"
        for module in SOURCES:
            self.compile_machines(module)
        sources = sorted(_SIMULATION.rglob("*.swift"))
        _check([
            "swiftc", *self._options(PRODUCT.replace("-", "_")), "-O", "-wmo", "-I", self.healthy, "-c", *sources,
            "-o", self.simulation])
        self.link(self.healthy, [o for module in SOURCES for o in self.objects(module)])

    def objects(self, module: str) -> list[Path]:
        """Return the object files of healthy machines, one a source."""
        return sorted((self.healthy / module).glob("*.o"))

    def compile_machines(self, module: str) -> None:
        """Compile the healthy machines of a module."""
        target = self.healthy / module
        target.mkdir(parents=True)
        _check([
            "swiftc", *self._options(module), "-O", "-j", str(os.cpu_count() or 1), "-emit-module", "-emit-module-path",
            self.healthy / f"{module}.swiftmodule", "-c", *sorted(SOURCES[module].glob("*.swift"))], folder=target)

    def compile_flaw(self, mutant: Mutant, target: Path) -> list[Path]:
        """Compile the one source with the flaw and return the object files of its copy of the machines."""
        flawed = target / mutant.file
        flawed.write_text(mutant.edited(mutant.path.read_text(encoding="utf-8")), encoding="utf-8")
        others = [source for source in sorted(mutant.path.parent.glob("*.swift")) if source != mutant.path]
        flawed_object = flawed.with_suffix(".o")
        _check([
            "swiftc", "-frontend", *self._options(mutant.module), "-Onone", "-c", "-primary-file", flawed, *others,
            "-o", flawed_object])
        replaced = self.healthy / mutant.module / flawed_object.name
        healthy = [o for module in SOURCES for o in self.objects(module)]
        return [flawed_object if o == replaced else o for o in healthy]

    def link(self, target: Path, machines: Sequence[Path]) -> None:
        """Link the simulation with these machines."""
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
        target.mkdir()
        self.link(target, self.compile_flaw(mutant, target))
        finding = self.run(target, mutant.seeds)
        shutil.rmtree(target)
        return finding

    def _options(self, module: str) -> list[str | Path]:
        features = [word for name in _FEATURES for word in ("-enable-upcoming-feature", name)]
        return ["-swift-version", "6", "-parse-as-library", "-module-name", module, "-package-name", "boxoffice",
                "-I", self.modules, *features]


def _check(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment, cwd=folder)
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
