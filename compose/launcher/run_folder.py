"""The private folder of one stack: its sockets, logs, locks and records."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from .installation import NAMES_FILE, ROOT
from .language import say
from .problem import ExitCode, Problem
from .services import KEY_VARIABLES
from .processes import lock_holder

RUN = "BOXOFFICE_RUN"
"""The setting that names the run folder."""

_NAMES = dict(
    line.split("=", 1) for line in (ROOT / NAMES_FILE).read_text(encoding="ascii").splitlines() if not line.startswith("#"))
"""The names that the programs read, too."""
LONGEST_IPC_PATH = int(_NAMES["longest-socket-path"])
IPC_NAMES = tuple(_NAMES[name] for name in ("requests", "events-in", "events"))
SUPERVISOR_SOCKET = "sv.sock"
STACK_LOCK = "stack.lock"
COMMAND_LOCK = "command.lock"
BROKER_LOCK = _NAMES["lock"]
URL_FILE = "demo-upstream.url"
BUS_FILE = _NAMES["bus"]
"""The address of the bus of a stack without a broker of ours; the programs read it."""
BUS_KEY_FILE = _NAMES["bus-key"]
"""The key for servers of NATS that the launcher started; the programs read it."""
BUS_CERTIFICATE_FILE = _NAMES["bus-certificate"]
"""The certificate of those servers; the programs admit no other."""
NATS_FOLDER = "nats"
CONFIGURATION = "supervisord.conf"
RECORD = "stack.json"
KEY_FILES: Mapping[str, str] = {
    variable: f"stack.{upstream.lower()}-key" for upstream, variable in KEY_VARIABLES.items()}
"""The file of each key that was given by value, by the variable that gave it."""

_BROKER_FILES = (*IPC_NAMES, BROKER_LOCK)
_LAUNCHER_FILES = (
    "supervisord.pid", f"{CONFIGURATION}*", f"{RECORD}*", "*.url*", f"{SUPERVISOR_SOCKET}*",
    BUS_FILE, f"{BUS_FILE}.new", BUS_KEY_FILE, f"{BUS_KEY_FILE}.new", BUS_CERTIFICATE_FILE, *KEY_FILES.values(),
)


class RunFolder:
    """A run folder that exists, belongs to this user and is inaccessible to other users."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def log(self) -> Path:
        """Return the folder of the logs of this run."""
        return self.path / _NAMES["log"]

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
            pass  # the check below reports a path that is no folder
        except OSError as error:
            raise Problem(
                say(f"실행 디렉터리 {path}: 만들 수 없습니다: {error.strerror}",
                    f"cannot create the run directory {path}: {error.strerror}"),
                fix=say("BOXOFFICE_RUN을 쓰기 가능한 디렉터리로 설정하세요.", "Set BOXOFFICE_RUN to a writable directory."),
                code=ExitCode.LOCAL_IO,
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
            raise _unsafe(path, say("디렉터리가 아닙니다", "it is not a directory"))
        if facts.st_uid != os.geteuid():
            raise _unsafe(
                path, say(f"소유자가 현재 사용자({os.geteuid()})가 아니라 {facts.st_uid}입니다",
                          f"it belongs to user {facts.st_uid}, not to you ({os.geteuid()})"))
        if facts.st_mode & 0o077:
            mode = stat.S_IMODE(facts.st_mode)
            raise _unsafe(
                path, say(f"다른 사용자가 접근할 수 있습니다(모드 {mode:04o})", f"other users can access it (mode {mode:04o})"),
                say(f"권한을 바꾸세요: chmod 700 '{path}'", f"Fix it: chmod 700 '{path}'"))
        return cls(path)

    @contextmanager
    def command_lock(self) -> Iterator[None]:
        """Ensure that only one command at a time changes this stack.

        The lock is on a file, since the keeper of a running stack holds a lock on the folder.
        """
        path = self.path / COMMAND_LOCK
        descriptor = _take_lock(path)
        if descriptor is None:
            holder = lock_holder(path)
            by = say(f": 프로세스 {holder}", f": process {holder}") if holder else ""
            raise Problem(
                say(f"다른 compose/stack 명령이 {self.path}의 스택을 변경하는 중입니다{by}",
                    f"another compose/stack command is changing the stack in {self.path}{by}"),
                fix=say("그 명령이 끝난 뒤 다시 시도하세요.", "Try again when it has finished."),
            )
        try:
            yield
        finally:
            # The file stays while a stack runs: a full disk may have no room for a new one.
            if not (self.path / STACK_LOCK).exists() and _is_at(path, descriptor):
                path.unlink()
            os.close(descriptor)

    def take_stack_lock(self) -> int | None:
        """Return a descriptor that holds the lock of a running stack, or `None` when one runs already.

        supervisord and its keeper inherit the descriptor: the kernel releases the lock when both have ended.
        """
        return _take_lock(self.path / STACK_LOCK)

    def is_stack_lock(self, descriptor: int) -> bool:
        """Return whether this is the file that currently excludes a second stack."""
        return _is_at(self.path / STACK_LOCK, descriptor)

    def holder(self) -> int | None:
        """Return the process id written into the stack's lock."""
        try:
            return int((self.path / STACK_LOCK).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def is_broker_lock_held(self) -> bool:
        """Return whether a running broker owns the sockets of this folder."""
        try:
            descriptor = os.open(self.path / BROKER_LOCK, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            return not try_lock(descriptor)
        finally:
            os.close(descriptor)

    def write_private(self, name: str, text: str) -> None:
        """Write a file for this user only, atomically."""
        final, draft = self.path / name, self.path / f"{name}.new"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        draft.replace(final)

    def write_key_file(self, variable: str, key: str) -> Path:
        """Write the key that a variable held into a file that only this user can read, and return its path."""
        path = self.path / KEY_FILES[variable]
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o600)  # the umask may have removed the owner's own permissions
            file.write(os.fsencode(key) + b"\n")
        return path

    def begin_logs(self) -> None:
        """Start an empty `log`; the logs of the preceding run stay in `log.previous`."""
        previous = self.path / "log.previous"
        if self.log.exists():
            shutil.rmtree(previous, ignore_errors=True)
            self.log.rename(previous)
        self.log.mkdir(mode=0o700)

    def has_leftovers(self) -> bool:
        """Return whether files of a stack exist here; valid only when none runs."""
        return any(self._files(*_BROKER_FILES, *_LAUNCHER_FILES))

    def remove_files(self, and_stack_lock: bool = True) -> None:
        """Remove sockets, records and locks of a stack that has ended; logs and cache stay."""
        patterns = _LAUNCHER_FILES if self.is_broker_lock_held() else (*_BROKER_FILES, *_LAUNCHER_FILES)
        for file in self._files(*patterns):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.path / NATS_FOLDER, ignore_errors=True)
        self._remove_free_command_lock()
        if and_stack_lock:
            self.remove_stack_lock()

    def _remove_free_command_lock(self) -> None:
        """Remove the file of the command lock unless a running command holds it, which removes it itself."""
        path = self.path / COMMAND_LOCK
        if path.exists() and (descriptor := _take_lock(path)) is not None:
            path.unlink()
            os.close(descriptor)

    def remove_stack_lock(self) -> None:
        """Remove the file of the stack's lock; the caller holds the lock, or no process does."""
        (self.path / STACK_LOCK).unlink(missing_ok=True)

    def _files(self, *patterns: str) -> Iterator[Path]:
        for pattern in patterns:
            yield from list(self.path.glob(pattern))


def locate(environ: Mapping[str, str]) -> Path:
    """Return where the run folder is, by the rule all executables share."""
    if named := environ.get(RUN):
        return Path(os.path.abspath(named))
    if runtime := environ.get("XDG_RUNTIME_DIR"):
        if _is_own_folder(runtime):
            return Path(os.path.abspath(runtime)) / "boxoffice"
        _note_ignored(runtime)
    return Path(f"/tmp/boxoffice-{os.geteuid()}")


def _is_own_folder(path: str) -> bool:
    try:
        facts = os.stat(path)
    except OSError:
        return False
    return os.path.isabs(path) and stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()


@cache
def _note_ignored(path: str) -> None:
    """Say once that a folder of another user, or none, is not used."""
    print(say(f"XDG_RUNTIME_DIR={path}: 이 사용자의 디렉터리가 아니므로 사용하지 않습니다.",
              f"XDG_RUNTIME_DIR={path} is ignored: it is not a directory of this user."), file=sys.stderr)


def _check_length(path: Path) -> None:
    for name in IPC_NAMES:
        length = len(os.fsencode(path / name))
        if length > LONGEST_IPC_PATH:
            raise Problem(
                say(f"소켓 경로 {path / name}이(가) 너무 깁니다({length}바이트, 최대 {LONGEST_IPC_PATH}바이트)",
                    f"the socket path {path / name} is too long: {length} bytes, at most {LONGEST_IPC_PATH}"),
                fix=say("BOXOFFICE_RUN을 더 짧은 경로로 설정하세요.", "Set BOXOFFICE_RUN to a shorter path."), code=ExitCode.CONFIGURATION,
            )


def _unsafe(path: Path, why: str, fix: str = "") -> Problem:
    return Problem(
        say(f"실행 디렉터리 {path}: 사용할 수 없습니다: {why}", f"cannot use the run directory {path}: {why}"),
        fix=fix or say("BOXOFFICE_RUN을 본인 소유의 디렉터리로 설정하세요.", "Set BOXOFFICE_RUN to a directory that you own."),
        code=ExitCode.CONFIGURATION,
    )


def _take_lock(path: Path) -> int | None:
    """Return a descriptor that holds the lock on this file, or `None` when another process holds it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not try_lock(descriptor):
            os.close(descriptor)
            return None
        if _is_at(path, descriptor):
            return descriptor
        os.close(descriptor)  # the previous holder has removed this file: its lock excludes no other process


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether the path names the file of this descriptor."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except (FileNotFoundError, NotADirectoryError):
        return False


def try_lock(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
    """Take a BSD lock without waiting, and return whether that succeeded."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True
