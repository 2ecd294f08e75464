"""The coverage of the fuzzed files by all runs together."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .toolchain import ROOT, SCRATCH, tool

SHOWN = ("Services/Broker/Machine", "Shared/Bus/Majordomo", "Shared/Bus/MessageBus/Words", "Shared/Bus/Envelope", "Shared/Base/FlatJSON", "Shared/BoxOffice/Domain/ImageHeader.swift")


def table(fuzzer: Path, profiles: Sequence[Path]) -> str:
    """Return lines and regions by file in percent, or the reason for a missing table."""
    merge, show = tool("llvm-profdata"), tool("llvm-cov")
    if merge is None or show is None:
        return ("No coverage by file: llvm-profdata and llvm-cov are missing. "
                "They come with the toolchains of swift.org.")
    merged = SCRATCH / "profiles/all.profdata"
    subprocess.run([merge, "merge", "-o", str(merged), *map(str, profiles)], check=True)
    result = subprocess.run(
        [show, "export", "-summary-only", f"-instr-profile={merged}", str(fuzzer)], stdout=subprocess.PIPE, check=True)
    return "\n".join(lines(json.loads(result.stdout)["data"][0]["files"]))


def lines(files: Sequence[dict[str, object]]) -> list[str]:
    """Return one line a file, in the order of the folders that are shown."""
    rows = [f"{'lines':>6} {'regions':>8}  of file"]
    for shown in SHOWN:
        for file in files:
            path = Path(str(file["filename"])).resolve()
            if ROOT / shown in (path, path.parent):
                summary = file["summary"]
                assert isinstance(summary, dict)
                shares = [f"{summary[kind]['percent']:.0f} %" for kind in ("lines", "regions")]
                rows.append(f"{shares[0]:>6} {shares[1]:>8}  {path.relative_to(ROOT)}")
    return rows
