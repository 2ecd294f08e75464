"""An instance that is not started again, with the end of its log."""

from __future__ import annotations

from .language import say
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
            say("설정이나 파일을 바꾸어야 해서", "needs another setting or file") if state.needs_operator
            else say("너무 자주 비정상 종료되어", "has crashed too often")
        )

    def text(self) -> str:
        """Return the failure, its reason and its fix."""
        lines = [say(f"{self.name}: {self._reason} 다시 시작하지 않습니다. 나머지는 계속 실행됩니다.",
                     f"{self.name} {self._reason} and is not started again; everything else runs on.")]
        lines += [f"  | {line}" for line in tail(self._log, TAIL_LINES)] or [say("  | (기록 없음)", "  | (nothing was written)")]
        lines.append(say(f"  고친 뒤에: compose/stack restart {self.name}   (전체 로그: {self._log})",
                         f"  When it is mended: compose/stack restart {self.name}   (all of its log: {self._log})"))
        return "\n".join(lines)
