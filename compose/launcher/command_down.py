"""`compose/stack down`: stops a stack and leaves no process and no socket."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from pathlib import Path

from . import stop_note
from .language import say
from .problem import ExitCode
from .processes import marked_processes
from .run_folder import RunFolder, locate
from .stopping import stop_everything, ignored_signals


def down(_: Namespace) -> int:
    """Stop the stack of the run folder, if there is one."""
    path = locate(os.environ)
    folder = RunFolder.existing(path)
    if folder is None:
        _print_none(path)
        return ExitCode.OK
    with folder.command_lock():
        lock = folder.take_stack_lock()
        if lock is not None:
            os.close(lock)
            if not folder.has_leftovers() and not marked_processes(path):
                folder.remove_files()
                _print_none(path)
                return ExitCode.OK
        began = time.monotonic()
        with ignored_signals():
            ended = stop_everything(folder)
        seconds = time.monotonic() - began
    if lock is not None or not ended:
        print(say(f"{path}에서 강제 종료된 스택을 정리했습니다(남은 프로세스 {ended}개 종료).",
                  f"Cleaned up a killed stack in {path}: stopped {ended} leftover processes."))
    else:
        print(say(f"{path}의 스택을 종료했습니다(프로세스 {ended}개, {seconds:.1f}초). 로그와 캐시는 유지됩니다.",
                  f"Stopped the stack in {path}: {ended} processes in {seconds:.1f} s. Logs and cache were kept."))
    return ExitCode.OK


def _print_none(path: Path) -> None:
    print(say(f"{path}에서 실행 중인 스택이 없습니다.", f"No stack is running in {path}."))
    if why := stop_note.take(path):
        print(why)
