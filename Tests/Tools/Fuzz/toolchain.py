"""The tools of the Swift toolchain, and the build of the fuzzer."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRATCH = ROOT / ".build/fuzz"
FINDINGS = ROOT / "Tests/Tools/Fuzz/Findings"


class Missing(Exception):
    """A missing tool that must be installed."""


def build() -> Path:
    """Build the fuzzer and return the path of its executable."""
    require_runtime()
    print("Building the fuzzer and the libraries under it …", flush=True)
    command = ["swift", "build", "-c", "release", "--package-path", str(ROOT / "Tests/Tools/Fuzz"), "--scratch-path",
               str(SCRATCH / "build")]
    built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if built.returncode != 0:
        raise SystemExit(f"{built.stdout[-4000:]}\nTests/Fuzz/fuzz: the build failed")
    return SCRATCH / "build/release/fuzz"


def require_runtime() -> None:
    """Fail unless this toolchain includes libFuzzer, which some lack."""
    if shutil.which("swiftc") is None:
        raise Missing("Swift 6.3 is needed and not on the PATH. Install it first: https://www.swift.org/install")
    result = subprocess.run(["swiftc", "-print-target-info"], stdout=subprocess.PIPE, check=True)
    resources = Path(json.loads(result.stdout)["paths"]["runtimeResourcePath"])
    if not any(resources.glob("clang/lib/*/*fuzzer*")):
        raise Missing(
            f"libFuzzer's runtime (libclang_rt.fuzzer) is not under {resources}/clang/lib. It comes with the "
            "toolchains of swift.org for Linux and macOS: install one of these, https://www.swift.org/install")


def tool(name: str) -> str | None:
    """Return the path of a tool beside the compiler, or else on the PATH."""
    compiler = shutil.which("swiftc")
    beside = Path(compiler).resolve().with_name(name) if compiler else None
    return str(beside) if beside and beside.exists() else shutil.which(name)
