"""The process beside supervisord that cleans up after `down`, or after a launcher or a supervisord was killed.

It is the parent of supervisord, which gets TERM when its keeper ends. It holds one end of a pipe to the launcher, so
that it stops a stack whose start was interrupted or whose foreground command has ended. It also stops a stack whose run
folder was deleted, since no command can reach such a stack.
"""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import signal
import subprocess
import traceback
from enum import IntEnum
from pathlib import Path
from typing import NoReturn

from . import stop_note
from .language import say
from .problem import Problem
from .processes import end_marked
from .run_folder import CONFIGURATION, RunFolder, try_lock
from .stopping import CLEANING_SECONDS, GRACE_SECONDS, clean_up, shut_down
from .supervisor_installation import PYTHON
from .waiting import wait_until

PROMPT_SUPERVISORD = Path(__file__).with_name("prompt_supervisord.py")
FOLDER_SECONDS = 1.0
"""The interval at which the keeper compares the run folder with the one that it started in."""
_STAY = b"s"


class _End(IntEnum):
    """The exit status of a keeper."""

    STOPPED = 0
    FAILED = 1
    LOST_FOLDER = 2


def lost_folder(path: Path) -> Problem:
    """Return the problem of a stack that its keeper has stopped because of its run folder."""
    return Problem(
        stop_note.take(path) or _lost_text(path),
        fix=say("소켓과 로그가 그 안에 있었습니다. 다시 시작하세요: compose/stack up",
                "Its sockets and logs were there. Start it again: compose/stack up"),
    )


def _lost_text(path: Path) -> str:
    return say(f"실행 디렉터리 {path}: 삭제되거나 옮겨져 스택을 종료했습니다",
               f"the run directory {path} was deleted, moved or replaced: its stack was stopped")


class Keeper:
    """The launcher's handle of the keeper that it has started."""

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid = pid
        self._pipe = pipe
        self._ended = False
        self.has_failed = False
        """Whether it has ended because supervisord ended without a request."""
        self.has_lost_folder = False
        """Whether it has stopped the stack because the run folder is missing."""

    def has_ended(self) -> bool:
        """Return whether the keeper has ended: then its stack is stopped and its files are removed."""
        if not self._ended:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._ended = pid == self.pid
            code = os.waitstatus_to_exitcode(status)
            self.has_failed = self._ended and code != _End.STOPPED
            self.has_lost_folder = self._ended and code == _End.LOST_FOLDER
        return self._ended

    def detach(self) -> None:
        """Let the stack run on when this launcher ends."""
        try:
            os.write(self._pipe, _STAY)
        except BrokenPipeError:
            raise Problem(
                say("스택이 시작 직후 종료되었습니다", "the stack ended right after the start"),
                fix=say("로그: compose/stack logs supervisord", "See the log: compose/stack logs supervisord")) from None
        self._close()

    def abandon(self) -> None:
        """Make the keeper stop the stack, and wait until nothing is left."""
        self._close()
        wait_until(self.has_ended, CLEANING_SECONDS)

    def _close(self) -> None:
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1


def start(folder: RunFolder, environment: dict[str, str], lock: int) -> Keeper:
    """Start supervisord under a keeper in a new session; both hold the stack's lock until they end."""
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
    end = _End.FAILED
    held: _HeldFolder | None = None
    try:
        os.setsid()
        _close_all_but({0, 1, 2, lock, launcher})
        wakeup = _wake_by_signals()
        # The launcher has blocked them until this process can handle them.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        _redirect(folder)
        held = _HeldFolder(folder.path)
        end = _run_supervisord(folder, held, environment, lock, launcher, wakeup)
    except BaseException:  # its exit status is the only way to report it
        traceback.print_exc()
    finally:
        try:
            _clean_up(folder, held, lock)
        finally:
            os._exit(end)


def _run_supervisord(
    folder: RunFolder, held: _HeldFolder, environment: dict[str, str], lock: int, launcher: int, wakeup: int
) -> _End:
    """Run supervisord until it ends or must be stopped, and return the kind of end."""
    child = subprocess.Popen(
        [*_guard(), PYTHON, "-I", PROMPT_SUPERVISORD, "-c", folder.path / CONFIGURATION],
        cwd=folder.path, env=environment, pass_fds=(lock,), umask=0o077,
    )
    must_stop = _wait_for_stop(child, held, launcher, wakeup)
    if held.is_lost():
        child.terminate()  # by a signal, since its socket is no longer at its path
        stop_note.write(folder.path, _lost_text(folder.path))
        try:
            child.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass  # `_clean_up` ends it and what it has not ended
        return _End.LOST_FOLDER
    if must_stop:
        shut_down(folder)
    return _End.STOPPED if must_stop or child.returncode == 0 else _End.FAILED


def _clean_up(folder: RunFolder, held: _HeldFolder | None, lock: int) -> None:
    if folder.is_stack_lock(lock):
        clean_up(folder)
        return
    # Another stack may run at this path. The processes of this stack are in the keeper's session.
    end_marked(folder.path, GRACE_SECONDS, session=os.getpid())
    if held:
        moved = held.enter()
        if moved.is_stack_lock(lock):
            moved.remove_files()


class _HeldFolder:
    """The folder that the keeper started in, even after a move, with a shared BSD lock on it.

    systemd-tmpfiles deletes old files below /tmp, but skips a folder that it cannot lock exclusively.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)  # closed in every program that the keeper starts
        self._is_locked = False
        self.lock()

    def lock(self) -> None:
        """Take the lock unless this object holds it; this fails while systemd-tmpfiles works in the folder."""
        self._is_locked = self._is_locked or try_lock(self._descriptor, fcntl.LOCK_SH)

    def is_lost(self) -> bool:
        """Return whether the path names no folder, or another one."""
        try:
            return not os.path.samestat(os.lstat(self._path), os.fstat(self._descriptor))
        except (FileNotFoundError, NotADirectoryError):
            return True

    def enter(self) -> RunFolder:
        """Make it the working folder, so that it is accessible without its path."""
        os.fchdir(self._descriptor)
        return RunFolder(Path())


def _close_all_but(kept: set[int]) -> None:
    """Close the launcher's files, including the lock that excludes other commands."""
    for descriptor in map(int, os.listdir("/dev/fd")):
        if descriptor not in kept:
            try:
                os.close(descriptor)
            except OSError:
                pass  # not an open descriptor


def _redirect(folder: RunFolder) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    errors = os.open(folder.log / "supervisord.err", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor, target in ((null, 0), (null, 1), (errors, 2)):
        os.dup2(descriptor, target)
    os.close(null)
    os.close(errors)


def _wake_by_signals() -> int:
    """Return a descriptor that becomes readable on a signal, including SIGCHLD."""
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


def _wait_for_stop(child: subprocess.Popen[bytes], held: _HeldFolder, launcher: int, wakeup: int) -> bool:
    """Wait for an event that ends the stack; return whether supervisord must be stopped."""
    poll = select.poll()
    poll.register(launcher, select.POLLIN)
    poll.register(wakeup, select.POLLIN)
    while child.poll() is None:
        held.lock()
        if held.is_lost():
            return True
        for descriptor, _ in poll.poll(FOLDER_SECONDS * 1000):
            if descriptor == launcher:
                if os.read(launcher, 1) != _STAY:
                    return True
                poll.unregister(launcher)
            elif set(os.read(wakeup, 512)) - {signal.SIGCHLD}:
                return True
    return False
