"""Virtual environments in `.build` for the tools of tests that need packages of PyPI."""

from __future__ import annotations

import fcntl
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def install(name: str, requirements: Path) -> Path:
    """Install the packages for this Python, unless these versions are there, and return the environment's Python."""
    name = f"{name}-{platform.python_version()}"
    environment = ROOT / ".build" / name
    python = environment / "bin" / "python"
    wanted = f"{sys.version}\n{requirements.read_text(encoding='utf-8')}"
    marker = environment / "installed"
    environment.parent.mkdir(exist_ok=True)
    with open(environment.parent / f"{name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not marker.is_file() or marker.read_text(encoding="utf-8") != wanted:
            subprocess.run([os.path.realpath(sys.executable), "-m", "venv", "--clear", environment], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
                           check=True)
            marker.write_text(wanted, encoding="utf-8")
    return python
