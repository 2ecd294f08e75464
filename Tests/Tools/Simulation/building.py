"""Where the simulation is built."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PRODUCT = "majordomo-simulation"


def build(folder: Path | None) -> Path:
    """Build a release of the simulation alone, unless a folder of executables is given; return the folder."""
    if folder is None:
        built = subprocess.run(["swift", "build", "-c", "release", "--product", PRODUCT, "--quiet"], cwd=ROOT, check=False)
        if built.returncode != 0:
            raise SystemExit("Tests/Tools/Simulation/simulation: the build failed, see above")
        folder = ROOT / ".build/release"
    if not (folder / PRODUCT).exists():
        raise SystemExit(f"Tests/Tools/Simulation/simulation: there is no {PRODUCT} in {folder}")
    return folder
