"""Where the launcher lies: in a clone of the repository, or installed below a prefix by `compose/install`."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The clone, or PREFIX/lib/boxoffice."""

MANIFEST = ROOT / "manifest.json"
"""The list of what is installed; a clone has none."""

IS_INSTALLED = MANIFEST.is_file()

PROGRAMS = ROOT / "bin" if IS_INSTALLED else ROOT / ".build" / "release"
"""The folder of the programs that `up` starts."""

LAUNCHER = "boxoffice stack" if IS_INSTALLED else "compose/stack"
"""The launcher as a user calls it."""

NAMES_FILE = Path("Shared/Bus/BusSettings/run-folder.conf")
"""The list of the names in a run folder, below the clone or the installation."""

SETTINGS_FILE = ROOT / "compose" / "boxoffice.conf"
"""The file that explains all settings."""


def localized(text: str) -> str:
    """Return a text that names the launcher and the file of settings as in a clone, with the names that hold here."""
    if not IS_INSTALLED:
        return text
    return text.replace("compose/stack", LAUNCHER).replace("compose/boxoffice.conf", str(SETTINGS_FILE))
