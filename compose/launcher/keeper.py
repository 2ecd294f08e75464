"""The process beside supervisord that cleans up behind it: after `down`, after a launcher or a supervisord that was killed.

It is the parent of supervisord, which gets TERM when its keeper dies; and it holds one end of a pipe to the launcher, so
that a stack whose start was cut short, or whose foreground has gone, does not stay.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import traceback
from pathlib import Path
from typing import NoReturn

from .problem import Problem
from .run_folder import CONFIGURATION, RunFolder
from .stopping import CLEANING_SECONDS, clean_up, shut_down
from .supervisor_installation import PYTHON
from .waiting import wait_until

PROMPT_SUPERVISORD = Path(__file__).with_name("prompt_supervisord.py")
_STAY = b"s"


class Keeper:
    """The launcher's hold on the keeper that it has started."""

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid = pid
        self._pipe = pipe
        self._ended = False
        self.has_failed = False
        """Whether it has ended because supervisord did, which nobody had told to."""

    def has_ended(self) -> bool:
        """Return whether it has: then its stack is gone, and cleaned up behind."""
        if not self._ended:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._ended = pid == self.pid
            self.has_failed = self._ended and status != 0
        return self._ended

    def let_stay(self) -> None:
        """Let the stack run on when this launcher ends."""
        try:
            os.write(self._pipe, _STAY)
        except BrokenPipeError:
            raise Problem("the stack has ended right after it was up", fix="Look: compose/stack logs supervisord") from None
        self._close()

    def abandon(self) -> None:
        """Let it stop the stack, and wait until nothing is left."""
        self._close()
        wait_until(self.has_ended, CLEANING_SECONDS)

    def _close(self) -> None:
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1


def start(folder: RunFolder, environment: dict[str, str], lock: int) -> Keeper:
    """Start supervisord under a keeper, in a session of its own; both hold the stack's lock as long as they live."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(writer)
        _keep(folder, environment, lock, reader)
    os.close(reader)
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{pid}\n".encode("ascii"), 0)
    return Keeper(pid, writer)


def _keep(folder: RunFolder, environment: dict[str, str], lock: int, launcher: int) -> NoReturn:
    code = 1
    try:
        os.setsid()
        _close_all_but({0, 1, 2, lock, launcher})
        wakeup = _wake_by_signals()
        # The launcher has held them back for as long as nobody here would have heard them.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        _redirect(folder)
        code = _look_after(folder, environment, lock, launcher, wakeup)
    except BaseException:  # its end is its only way of telling
        traceback.print_exc()
    finally:
        try:
            if folder.is_stack_lock(lock):  # else the folder has long been another stack's
                clean_up(folder)
        finally:
            os._exit(code)


def _look_after(folder: RunFolder, environment: dict[str, str], lock: int, launcher: int, wakeup: int) -> int:
    """Run supervisord, and return 0 if it has ended as it was told."""
    child = subprocess.Popen(
        [*_guard(), PYTHON, "-I", PROMPT_SUPERVISORD, "-c", folder.path / CONFIGURATION],
        cwd=folder.path, env=environment, pass_fds=(lock,), umask=0o077,
    )
    if _must_stop(child, launcher, wakeup):
        shut_down(folder)
        return 0
    return 0 if child.returncode == 0 else 1


def _close_all_but(kept: set[int]) -> None:
    """Let go of the launcher's files, the lock that keeps other commands out among them."""
    for descriptor in map(int, os.listdir("/dev/fd")):
        if descriptor not in kept:
            try:
                os.close(descriptor)
            except OSError:
                pass  # it was none


def _redirect(folder: RunFolder) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    errors = os.open(folder.log / "supervisord.err", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor, target in ((null, 0), (null, 1), (errors, 2)):
        os.dup2(descriptor, target)
    os.close(null)
    os.close(errors)


def _wake_by_signals() -> int:
    """Return a descriptor that becomes readable by a signal, the end of the child among them."""
    reader, writer = os.pipe()
    for descriptor in (reader, writer):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    return reader


def _guard() -> list[str]:
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []


def _must_stop(child: subprocess.Popen[bytes], launcher: int, wakeup: int) -> bool:
    """Wait for whatever ends the stack; return whether supervisord has to be told."""
    poll = select.poll()
    poll.register(launcher, select.POLLIN)
    poll.register(wakeup, select.POLLIN)
    while child.poll() is None:
        for descriptor, _ in poll.poll():
            if descriptor == launcher:
                if os.read(launcher, 1) != _STAY:
                    return True
                poll.unregister(launcher)
            elif set(os.read(wakeup, 512)) - {signal.SIGCHLD}:
                return True
    return False
