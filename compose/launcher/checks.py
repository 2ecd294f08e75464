"""The checks of `doctor`: each yields its healthy findings, or raises the problem with its fix."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import stat
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import binaries, supervisor_installation
from .broker import query_broker
from .command_ps import BROKER_SECONDS, rows
from .disk import check_room
from .environment import cache_folder
from .given_up import GivenUp
from .problem import ExitCode, Problem
from .processes import marked_processes
from .record import StackRecord
from .run_folder import RunFolder, locate
from .secrets import ALL_VARIABLES, KEY_VARIABLES, real_keys
from .services import usual_counts
from .settings import FILE_VARIABLE, defaults
from .supervisor import Supervisor

_SPENT_CALLS = "A user who reads the key can spend its calls of the day."
_KEY_FILE_RISKS: Mapping[str, str] = {
    **{f"{variable}_FILE": _SPENT_CALLS for variable in KEY_VARIABLES.values()},
    "BOXOFFICE_KEY_FILE": "The programs refuse it, since a user who reads the key can connect to the broker with it.",
}
_OTHERS = ("BOXOFFICE_INSTANCE", "BOXOFFICE_SUPERVISED", FILE_VARIABLE, *ALL_VARIABLES)


@dataclass(frozen=True)
class Finding:
    """The result of one check; a finding with a code needs attention."""

    check: str
    what: str
    fix: str = ""
    code: int = 0

    @property
    def is_warning(self) -> bool:
        """Return whether a stack works, although something should be changed."""
        return bool(self.fix) and not self.code


@dataclass(frozen=True)
class Warn:
    """A risk that does not prevent a stack from working."""

    what: str
    fix: str


class CheckedStack:
    """The stack, or the environment of a future one, that is checked."""

    def __init__(self, options: Namespace) -> None:
        self.run = locate(os.environ)
        self.record = self._record()
        usual = self.record.binaries if self.record else binaries.default_folder()
        self.binaries = Path(os.path.abspath(options.bin or usual))
        self.demo = options.demo or bool(self.record and self.record.demo)

    def _record(self) -> StackRecord | None:
        try:
            folder = RunFolder.existing(self.run)
            if folder and Supervisor(folder.supervisor_socket).is_reachable():
                return StackRecord.load(folder)
        except Problem:
            pass  # reported by the check of the run folder
        return None


def _settings(_: CheckedStack) -> Iterator[str]:
    known = [*defaults(), *_OTHERS]
    prefixes = tuple({f"{name.partition('_')[0]}_" for name in known})
    unknown = [name for name in os.environ if name.startswith(prefixes) and name not in known]
    if unknown:
        close = difflib.get_close_matches(unknown[0], known, n=1, cutoff=0.6)
        raise Problem(
            f"nobody reads {', '.join(unknown)}",
            fix=f"Did you mean {close[0]}?" if close else "Take it away. All settings: compose/stack config",
            code=ExitCode.CONFIGURATION,
        )
    usual_counts(True, {**defaults(), **{name: os.environ[name] for name in defaults() if os.environ.get(name)}})
    yield f"{len(defaults())} known, none misspelt"


def _programs(stack: CheckedStack) -> Iterator[str]:
    binaries.check(stack.binaries, stack.demo)
    yield f"all in {stack.binaries}"


def _launcher(_: CheckedStack) -> Iterator[str]:
    if not shutil.which("setpriv"):
        raise Problem(
            "setpriv is missing: a process whose supervisor was killed might stay",
            fix="On Debian: apt-get install util-linux", code=ExitCode.UNAVAILABLE,
        )
    if supervisor_installation.SUPERVISORD.exists():
        yield "supervisord is installed"
    else:
        yield "supervisord will be installed by the first compose/stack up"


def _keys(stack: CheckedStack) -> Iterator[str | Warn]:
    for variable, risk in _KEY_FILE_RISKS.items():
        if os.environ.get(variable):
            yield from _open_key_file(variable, os.path.abspath(os.environ[variable]), risk)
    if stack.demo:
        yield "none needed for demo data"
    else:
        yield f"{' and '.join(real_keys(os.environ))} set"


def _open_key_file(variable: str, path: str, risk: str) -> Iterator[Warn]:
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return  # the next check reports a required key that cannot be read
    if mode & 0o077:
        yield Warn(
            f"{variable} names {path}, which other users can read or change (mode {mode:04o})\n{risk}",
            f"Close it: chmod 600 {shlex.quote(path)}",
        )


def _folder(stack: CheckedStack) -> Iterator[str]:
    folder = RunFolder.existing(stack.run)
    if folder is None:
        yield f"{stack.run} will be made"
        return
    if not stack.record and folder.is_broker_lock_held():
        raise Problem(
            f"a broker that compose/stack did not start owns {stack.run}",
            fix="End that broker, or set BOXOFFICE_RUN to another folder.",
        )
    if not stack.record and (folder.has_leftovers() or marked_processes(folder.path)):
        raise Problem(f"{stack.run} holds what a killed stack has left behind", fix="Clean up: compose/stack down")
    yield f"{stack.run} is yours alone"


def _disk(stack: CheckedStack) -> Iterator[str]:
    cache = cache_folder(os.environ, RunFolder(stack.run), stack.demo)
    for name, folder, variable in (("run folder", stack.run, "BOXOFFICE_RUN"), ("cache", cache, "BOXOFFICE_CACHE_DIR")):
        yield f"{name}: {check_room(name, folder, variable) // 1_000_000:,} MB free"


def _stack(stack: CheckedStack) -> Iterator[str]:
    if stack.record is None:
        yield "none runs"
        return
    folder = RunFolder(stack.run)
    answer = query_broker(stack.record.gateway, folder, BROKER_SECONDS)
    if not answer.reached:
        raise Problem(
            "the broker does not answer", details=[answer.complaint],
            fix="Look: compose/stack logs broker. Replace it: compose/stack restart broker",
        )
    states = Supervisor(folder.supervisor_socket).processes()
    for state in states:
        if state.is_given_up:
            what, *details, fix = GivenUp(folder, state).text().splitlines()
            raise Problem(what, details=details, fix=fix.strip())
    bad = [row for row in rows(stack.record, states, answer, {}) if row.state not in ("ready", "drain", "starting")]
    if bad:
        row = bad[0]
        raise Problem(
            f"{row.instance.name} is {row.state}", fix=f"Look: compose/stack logs {row.instance.name}"
        )
    yield f"{len(states)} processes, all registered"


Check = Callable[[CheckedStack], Iterator["str | Warn"]]
CHECKS: Mapping[str, Check] = {
    "settings": _settings, "programs": _programs, "launcher": _launcher, "keys": _keys, "folder": _folder,
    "disk": _disk, "stack": _stack,
}
