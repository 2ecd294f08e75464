"""Access to a running stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from . import stop_note
from .problem import Problem
from .record import StackRecord
from .run_folder import RunFolder, locate
from .supervisor import Supervisor, SupervisorUnreachable


@contextmanager
def running_stack(
    environ: Mapping[str, str], changing: bool = False
) -> Iterator[tuple[RunFolder, StackRecord, Supervisor]]:
    """Yield the folder, the record and the supervisor of the running stack; `changing` excludes other commands."""
    path = locate(environ)
    folder = RunFolder.existing(path)
    nothing = Problem(
        f"no stack runs in {path}", details=stop_note.read(path).splitlines(),
        fix="Start one: compose/stack up   (without keys: up --demo)",
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
            raise Problem(f"supervisord has gone: {error}", fix="Clean up: compose/stack down") from error
