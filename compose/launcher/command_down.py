"""`compose/stack down`: stops a stack and leaves no process and no socket."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from pathlib import Path

from . import stop_note
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
        print(f"Cleaned up after a stack in {path} that had been killed: {ended} left-over processes ended.")
    else:
        print(f"The stack in {path} is stopped: {ended} processes ended in {seconds:.1f} s. Logs and cache stay.")
    return ExitCode.OK


def _print_none(path: Path) -> None:
    print(f"No stack runs in {path}.")
    if why := stop_note.take(path):
        print(why)
