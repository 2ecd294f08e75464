"""An instance that is not started again, with the end of its log."""

from __future__ import annotations

from .logs import tail
from .run_folder import RunFolder
from .supervisor import ProcessState

TAIL_LINES = 5


class GivenUp:
    """The message about an instance that is not started again."""

    def __init__(self, folder: RunFolder, state: ProcessState) -> None:
        self.name = state.instance.name
        self._log = folder.log / state.instance.log_name
        self._reason = (
            "needs another setting or file" if state.needs_operator else "has crashed too often"
        )

    def text(self) -> str:
        """Return the failure, its reason and its fix."""
        lines = [f"{self.name} {self._reason} and is not started again; everything else runs on."]
        lines += [f"  | {line}" for line in tail(self._log, TAIL_LINES)] or ["  | (nothing was written)"]
        lines.append(f"  When it is mended: compose/stack restart {self.name}   (all of its log: {self._log})")
        return "\n".join(lines)
