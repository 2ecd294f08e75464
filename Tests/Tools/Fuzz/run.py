"""One target under libFuzzer."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .corpus import write_seeds
from .toolchain import FINDINGS, SCRATCH

LONGEST_INPUT = 4096
SECONDS_AN_INPUT = 10
MEGABYTES = 2048


@dataclass(frozen=True)
class Outcome:
    """The end of a run, and the counts of libFuzzer."""

    target: str
    status: int
    log: str
    profile: Path

    @property
    def inputs(self) -> int:
        return self._number(r"stat::number_of_executed_units: +(\d+)")

    @property
    def megabytes(self) -> int:
        return self._number(r"stat::peak_rss_mb: +(\d+)")

    @property
    def edges(self) -> int:
        return self._number(r" cov: (\d+)")

    @property
    def corpus(self) -> int:
        return self._number(r" corp: (\d+)")

    def _number(self, pattern: str) -> int:
        found = re.findall(pattern, self.log)
        return int(found[-1]) if found else 0


def run(fuzzer: Path, target: str, seconds: int) -> Outcome:
    """Fuzz one target for that many seconds, or until a finding."""
    learnt, given = SCRATCH / "corpus" / target, SCRATCH / "seeds" / target
    findings, profile = SCRATCH / "findings", SCRATCH / "profiles" / f"{target}.profraw"
    for folder in (learnt, findings, profile.parent):
        folder.mkdir(parents=True, exist_ok=True)
    profile.unlink(missing_ok=True)
    write_seeds(target, given)
    folders = [learnt, given, *(folder for folder in [FINDINGS / target] if folder.exists())]
    command = [
        fuzzer, f"-max_total_time={seconds}", f"-max_len={LONGEST_INPUT}", "-len_control=0",
        f"-timeout={SECONDS_AN_INPUT}", f"-rss_limit_mb={MEGABYTES}", "-print_final_stats=1",
        f"-artifact_prefix={findings}/{target}-", *folders,
    ]
    environment = {
        **os.environ, "BOXOFFICE_FUZZ_TARGET": target, "LLVM_PROFILE_FILE": str(profile),
        # libFuzzer must report a trap; Swift's own backtrace would intercept it, and take seconds.
        "SWIFT_BACKTRACE": "enable=no",
        # The same input must take the same path again.
        "SWIFT_DETERMINISTIC_HASHING": "1",
        "ASAN_OPTIONS": "quarantine_size_mb=32",
    }
    ended = subprocess.run(
        [str(word) for word in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", check=False)
    return Outcome(target, ended.returncode, ended.stdout, profile)
