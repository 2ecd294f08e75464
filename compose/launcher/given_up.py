"""An instance that is not started again at once, with the end of its log."""

from __future__ import annotations

from .language import say
from .logs import tail
from .run_folder import RunFolder
from .supervisor import ProcessState

TAIL_LINES = 5


class GivenUp:
    """The message about an instance that waits for an operator, or for another attempt."""

    def __init__(self, folder: RunFolder, state: ProcessState) -> None:
        self.name = state.instance.name
        self._log = folder.log / state.instance.log_name
        end = f" ({state.problem})" if state.problem else ""
        self._what = (
            say(f"{self.name}: 설정이나 파일에 문제가 있어 다시 시작하지 않습니다. 나머지는 계속 실행됩니다.",
                f"{self.name} is not restarted: a setting or file is wrong. The rest keeps running.")
            if state.needs_operator
            else say(f"{self.name}: 너무 자주 비정상 종료되어{end} 1분에 한 번만 다시 시작합니다. 나머지는 계속 실행됩니다.",
                     f"{self.name} has crashed too often{end} and is restarted once a minute. The rest keeps running.")
        )

    def text(self) -> str:
        """Return the failure, its reason and its fix."""
        lines = [self._what]
        lines += [f"  | {line}" for line in tail(self._log, TAIL_LINES)] or [say("  | (내용 없음)", "  | (empty)")]
        lines.append(say(f"  해결한 뒤 다시 시작: compose/stack restart {self.name}   (전체 로그: {self._log})",
                         f"  After fixing it: compose/stack restart {self.name}   (full log: {self._log})"))
        return "\n".join(lines)
