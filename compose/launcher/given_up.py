"""An instance that crashed so often that nobody starts it again, told with the end of its log."""

from __future__ import annotations

from .logs import tail
from .run_folder import RunFolder
from .services import Instance

TAIL_LINES = 5


class GivenUp:
    """What to say of it."""

    def __init__(self, folder: RunFolder, instance: Instance) -> None:
        self.name = instance.name
        self._log = folder.log / instance.log_name

    def text(self) -> str:
        """Return what, why and what to do."""
        lines = [f"{self.name} has crashed too often and is not started again; everything else runs on."]
        lines += [f"  | {line}" for line in tail(self._log, TAIL_LINES)] or ["  | (nothing was written)"]
        lines.append(f"  When it is mended: compose/stack restart {self.name}   (all of its log: {self._log})")
        return "\n".join(lines)
