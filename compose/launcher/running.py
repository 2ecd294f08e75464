"""Access to a running stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from . import stop_note
from .environment import for_stack
from .language import VARIABLE, say
from .problem import Problem
from .record import StackRecord
from .run_folder import RunFolder, locate
from .settings import defaults
from .supervisor import Supervisor, SupervisorUnreachable

def changed_variables(folder: RunFolder, environ: Mapping[str, str], demo: bool) -> list[str]:
    """Return the settings whose values the running processes do not use: they inherit those that `up` had."""
    try:
        process = int((folder.path / "supervisord.pid").read_text(encoding="ascii"))
        then = dict(entry.partition("=")[::2] for entry in
                    Path(f"/proc/{process}/environ").read_bytes().decode("utf-8", "replace").split("\0"))
    except (OSError, ValueError):
        return []
    now = for_stack(environ, folder, demo)
    # Each command has its own language.
    return sorted(name for name in defaults() if name in now and name != VARIABLE and then.get(name) != now[name])


@contextmanager
def running_stack(
    environ: Mapping[str, str], changing: bool = False
) -> Iterator[tuple[RunFolder, StackRecord, Supervisor]]:
    """Yield the folder, the record and the supervisor of the running stack; `changing` excludes other commands."""
    path = locate(environ)
    folder = RunFolder.existing(path)
    nothing = Problem(
        say(f"{path}에서 실행 중인 스택이 없습니다", f"no stack is running in {path}"),
        details=stop_note.read(path).splitlines(),
        fix=say("시작하세요: compose/stack up   (키 없이: compose/stack up --demo)",
                "Start it: compose/stack up   (without keys: compose/stack up --demo)"),
    )
    if folder is None:
        raise nothing
    with ExitStack() as stack:
        if changing:
            stack.enter_context(folder.command_lock())
        supervisor = Supervisor(folder.supervisor_socket)
        if not supervisor.is_reachable():
            raise nothing
        try:
            yield folder, StackRecord.load(folder), supervisor
        except SupervisorUnreachable as error:
            raise Problem(
                say(f"supervisord를 쓸 수 없습니다: {error}", f"supervisord is not available: {error}"),
                fix=say("다시 확인하세요: compose/stack ps. 계속되면: compose/stack down",
                        "Check again: compose/stack ps. If it persists: compose/stack down")) from error
