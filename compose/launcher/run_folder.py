"""The private folder of one stack: its sockets, logs, locks and records."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .problem import ExitCode, Problem
from .processes import lock_holder

LONGEST_IPC_PATH = 103
IPC_NAMES = ("broker.ipc", "events-in.ipc", "events.ipc")
SUPERVISOR_SOCKET = "sv.sock"
STACK_LOCK = "stack.lock"
BROKER_LOCK = "broker.lock"
URL_FILE = "demo-upstream.url"
CONFIGURATION = "supervisord.conf"
RECORD = "stack.json"

_BROKER_FILES = (*IPC_NAMES, BROKER_LOCK)
_LAUNCHER_FILES = ("supervisord.pid", f"{CONFIGURATION}*", f"{RECORD}*", f"{URL_FILE}*", f"{SUPERVISOR_SOCKET}*")


class RunFolder:
    """A run folder that exists, belongs to this user and is closed to others."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def log(self) -> Path:
        """Return the folder of the logs of this run."""
        return self.path / "log"

    @property
    def supervisor_socket(self) -> Path:
        """Return the socket of supervisord."""
        return self.path / SUPERVISOR_SOCKET

    @classmethod
    def create(cls, path: Path) -> RunFolder:
        """Make the folder if it is missing, for this user only, and check it."""
        _check_length(path)
        old = os.umask(0o077)
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except FileExistsError:
            pass  # something else is in its place: the check below says so
        except OSError as error:
            raise Problem(
                f"the run folder {path} cannot be made: {error.strerror}",
                fix="Set BOXOFFICE_RUN to a folder that you may write.", code=ExitCode.LOCAL_IO,
            ) from error
        finally:
            os.umask(old)
        return cls._checked(path)

    @classmethod
    def existing(cls, path: Path) -> RunFolder | None:
        """Return the folder if there is one."""
        _check_length(path)
        return cls._checked(path) if os.path.lexists(path) else None

    @classmethod
    def _checked(cls, path: Path) -> RunFolder:
        facts = os.lstat(path)
        if not stat.S_ISDIR(facts.st_mode):
            raise _unsafe(path, "it is not a folder of its own")
        if facts.st_uid != os.geteuid():
            raise _unsafe(path, f"it belongs to user {facts.st_uid}, not to you ({os.geteuid()})")
        if facts.st_mode & 0o077:
            mode = stat.S_IMODE(facts.st_mode)
            raise _unsafe(path, f"others can reach into it (mode {mode:04o})", f"Close it: chmod 700 '{path}'")
        return cls(path)

    @contextmanager
    def command_lock(self) -> Iterator[None]:
        """Let one command at a time change this stack; the lock is on the folder itself and leaves no file."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            if not _try_lock(descriptor):
                holder = lock_holder(descriptor)
                by = f": process {holder}" if holder else ""
                raise Problem(
                    f"another compose/stack command is changing the stack in {self.path}{by}",
                    fix="Wait for it to end, then try again.",
                )
            yield
        finally:
            os.close(descriptor)

    def take_stack_lock(self) -> int | None:
        """Return a descriptor that holds the lock of a running stack, or `None` when one runs already.

        supervisord and its keeper inherit the descriptor: the kernel gives the lock back when both have died, however.
        """
        path = self.path / STACK_LOCK
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _try_lock(descriptor):
                os.close(descriptor)
                return None
            if self.is_stack_lock(descriptor):
                return descriptor
            os.close(descriptor)  # the holder before has removed that very file meanwhile: its lock keeps nobody out

    def is_stack_lock(self, descriptor: int) -> bool:
        """Return whether this is the file that now keeps a second stack out."""
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self.path / STACK_LOCK))
        except FileNotFoundError:
            return False

    def holder(self) -> int | None:
        """Return the process id written into the stack's lock."""
        try:
            return int((self.path / STACK_LOCK).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def broker_lock_is_held(self) -> bool:
        """Return whether some living broker owns the sockets of this folder."""
        try:
            descriptor = os.open(self.path / BROKER_LOCK, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            return not _try_lock(descriptor)
        finally:
            os.close(descriptor)

    def write_private(self, name: str, text: str) -> None:
        """Write a file for this user only, whole or not at all."""
        final, draft = self.path / name, self.path / f"{name}.new"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        draft.replace(final)

    def begin_logs(self) -> None:
        """Start an empty `log`; the logs of the run before stay in `log.previous`."""
        previous = self.path / "log.previous"
        if self.log.exists():
            shutil.rmtree(previous, ignore_errors=True)
            self.log.rename(previous)
        self.log.mkdir(mode=0o700)

    def has_leftovers(self) -> bool:
        """Return whether files of a stack lie here; meant for when none runs."""
        return any(self._files(*_BROKER_FILES, *_LAUNCHER_FILES))

    def remove_files(self, and_stack_lock: bool = True) -> None:
        """Remove sockets, records and locks of a stack that has ended; logs and cache stay."""
        patterns = _LAUNCHER_FILES if self.broker_lock_is_held() else (*_BROKER_FILES, *_LAUNCHER_FILES)
        for file in self._files(*patterns):
            file.unlink(missing_ok=True)
        if and_stack_lock:
            self.remove_stack_lock()

    def remove_stack_lock(self) -> None:
        """Remove the file of the stack's lock; meant for who holds it, or when nobody does."""
        (self.path / STACK_LOCK).unlink(missing_ok=True)

    def _files(self, *patterns: str) -> Iterator[Path]:
        for pattern in patterns:
            yield from list(self.path.glob(pattern))


def locate(environ: Mapping[str, str]) -> Path:
    """Return where the run folder is, by the rule all executables share."""
    if named := environ.get("BOXOFFICE_RUN"):
        return Path(os.path.abspath(named))
    if runtime := environ.get("XDG_RUNTIME_DIR"):
        return Path(os.path.abspath(runtime)) / "boxoffice"
    return Path(f"/tmp/boxoffice-{os.geteuid()}")


def _check_length(path: Path) -> None:
    for name in IPC_NAMES:
        length = len(os.fsencode(path / name))
        if length > LONGEST_IPC_PATH:
            raise Problem(
                f"the socket path {path / name} is {length} bytes long, {LONGEST_IPC_PATH} is the most",
                fix="Set BOXOFFICE_RUN to a shorter folder.", code=ExitCode.CONFIGURATION,
            )


def _unsafe(path: Path, why: str, fix: str = "") -> Problem:
    return Problem(
        f"the run folder {path} cannot be used: {why}",
        fix=fix or "Set BOXOFFICE_RUN to a folder of your own.", code=ExitCode.CONFIGURATION,
    )


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True
