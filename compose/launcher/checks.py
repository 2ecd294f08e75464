"""The checks of `doctor`: each yields its healthy findings, or raises the problem with its fix."""

from __future__ import annotations

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
from .command_ps import BROKER_SECONDS, Row, rows, state_text
from .disk import check_room
from .environment import cache_folder
from .given_up import GivenUp
from .installation import PROGRAMS
from .language import say
from .problem import ExitCode, Problem
from .processes import marked_processes
from .record import StackRecord
from .run_folder import RunFolder, locate
from .secrets import ALL_VARIABLES, KEY_VARIABLES, real_keys
from .services import usual_counts
from .settings import FILE_VARIABLE, defaults
from .suggestion import closest
from .supervisor import Supervisor

_KEY_FILES = tuple(f"{variable}_FILE" for variable in KEY_VARIABLES.values())
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
        usual = self.record.binaries if self.record else PROGRAMS
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
        close = closest(unknown[0], known)
        raise Problem(
            say(f"{', '.join(unknown)}: 쓰이지 않는 설정입니다", f"no program reads {', '.join(unknown)}"),
            fix=say(f"{close}인가요?", f"Did you mean {close}?") if close
            else say("지우세요. 모든 설정: compose/stack config", "Remove it. All settings: compose/stack config"),
            code=ExitCode.CONFIGURATION,
        )
    usual_counts(True, {**defaults(), **{name: os.environ[name] for name in defaults() if os.environ.get(name)}})
    yield say(f"{len(defaults())}개 모두 올바름", f"{len(defaults())} known, none misspelt")


def _programs(stack: CheckedStack) -> Iterator[str]:
    binaries.check(stack.binaries, stack.demo)
    yield say(f"{stack.binaries}에 모두 있음", f"all in {stack.binaries}")


def _launcher(_: CheckedStack) -> Iterator[str]:
    if not shutil.which("setpriv"):
        raise Problem(
            say("setpriv가 없습니다: supervisord가 강제로 끝나면 프로세스가 남을 수 있습니다",
                "setpriv is missing: a process whose supervisor was killed might stay"),
            fix=say("Debian: apt-get install util-linux", "On Debian: apt-get install util-linux"), code=ExitCode.UNAVAILABLE,
        )
    if supervisor_installation.folder_of_module():
        yield say("supervisord가 설치되어 있음", "supervisord is installed")
    else:
        yield say("첫 compose/stack up이 supervisord를 설치함", "supervisord will be installed by the first compose/stack up")


def _keys(stack: CheckedStack) -> Iterator[str | Warn]:
    spent = say("키를 읽은 사용자가 하루 호출을 쓸 수 있습니다.", "A user who reads the key can spend its calls of the day.")
    refused = say("키를 읽은 사용자가 브로커에 연결할 수 있으므로 프로그램이 이 파일을 거절합니다.",
                  "The programs refuse it, since a user who reads the key can connect to the broker with it.")
    for variable, risk in [*((name, spent) for name in _KEY_FILES), ("BOXOFFICE_KEY_FILE", refused)]:
        if os.environ.get(variable):
            yield from _open_key_file(variable, os.path.abspath(os.environ[variable]), risk)
    if stack.demo:
        yield say("데모 자료에는 필요 없음", "none needed for demo data")
    else:
        keys = list(real_keys(os.environ))
        yield say(f"{', '.join(keys)} 설정됨", f"{' and '.join(keys)} set")


def _open_key_file(variable: str, path: str, risk: str) -> Iterator[Warn]:
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return  # the next check reports a required key that cannot be read
    if mode & 0o077:
        yield Warn(
            say(f"{variable}: 다른 사용자가 {path} 파일을 읽거나 바꿀 수 있습니다(모드 {mode:04o})\n{risk}",
                f"{variable} names {path}, which other users can read or change (mode {mode:04o})\n{risk}"),
            say(f"권한을 바꾸세요: chmod 600 {shlex.quote(path)}", f"Close it: chmod 600 {shlex.quote(path)}"),
        )


def _folder(stack: CheckedStack) -> Iterator[str]:
    folder = RunFolder.existing(stack.run)
    if folder is None:
        yield say(f"{stack.run}: 만들어질 폴더", f"{stack.run} will be made")
        return
    if not stack.record and folder.is_broker_lock_held():
        raise Problem(
            say(f"compose/stack이 시작하지 않은 브로커가 {stack.run}에서 실행 중입니다",
                f"a broker that compose/stack did not start owns {stack.run}"),
            fix=say("그 브로커를 끝내거나 BOXOFFICE_RUN을 다른 폴더로 정하세요.",
                    "End that broker, or set BOXOFFICE_RUN to another folder."),
        )
    if not stack.record and (folder.has_leftovers() or marked_processes(folder.path)):
        raise Problem(
            say(f"{stack.run}에 강제로 끝난 스택의 파일이 남아 있습니다",
                f"{stack.run} holds what a killed stack has left behind"),
            fix=say("정리하세요: compose/stack down", "Clean up: compose/stack down"))
    yield say(f"{stack.run}: 자신만 쓸 수 있음", f"{stack.run} is yours alone")


def _disk(stack: CheckedStack) -> Iterator[str]:
    cache = cache_folder(os.environ, RunFolder(stack.run), stack.demo)
    for name, folder, variable in (
        (say("실행 폴더", "run folder"), stack.run, "BOXOFFICE_RUN"), (say("캐시", "cache"), cache, "BOXOFFICE_CACHE_DIR")
    ):
        free = check_room(name, folder, variable) // 1_000_000
        yield say(f"{name}: {free:,} MB 남음", f"{name}: {free:,} MB free")


def _stack(stack: CheckedStack) -> Iterator[str]:
    if stack.record is None:
        yield say("실행 중이 아님", "none runs")
        return
    folder = RunFolder(stack.run)
    answer = query_broker(stack.record.gateway, folder, BROKER_SECONDS)
    if not answer.reached:
        raise Problem(
            say("브로커가 답하지 않습니다", "the broker does not answer"), details=[answer.complaint],
            fix=say("로그: compose/stack logs nats-server", "Look: compose/stack logs nats-server") if stack.record.bus else say("로그: compose/stack logs broker. 다시 시작: compose/stack restart broker",
                    "Look: compose/stack logs broker. Replace it: compose/stack restart broker"),
        )
    states = Supervisor(folder.supervisor_socket).processes()
    for state in states:
        if state.is_given_up:
            what, *details, fix = GivenUp(folder, state).text().splitlines()
            raise Problem(what, details=details, fix=fix.strip())
    bad = [row for row in rows(stack.record, states, answer, {}) if row.state not in ("ready", "drain", "starting")]
    if bad:
        whats = [say(f"{row.instance.name}: {state_text(row.state)}", f"{row.instance.name} is {row.state}") for row in bad]
        raise Problem(whats[0], details=whats[1:], fix="\n".join(_fix(row) for row in bad))
    yield say(f"프로세스 {len(states)}개, 모두 등록됨", f"{len(states)} processes, all registered")


def _fix(row: Row) -> str:
    """Return what to do about an instance that does not run as it should."""
    name = row.instance.name
    if row.state == "not answering":
        return say(f"다시 시작하세요: compose/stack restart {name}", f"Replace it: compose/stack restart {name}")
    return say(f"로그: compose/stack logs {name}", f"Look: compose/stack logs {name}")


Check = Callable[[CheckedStack], Iterator["str | Warn"]]
CHECKS: Mapping[str, Check] = {
    "settings": _settings, "programs": _programs, "launcher": _launcher, "keys": _keys, "folder": _folder,
    "disk": _disk, "stack": _stack,
}
