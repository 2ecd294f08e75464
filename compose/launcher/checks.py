"""The checks of `doctor`: each yields its healthy findings, or raises the problem with its fix."""

from __future__ import annotations

import os
import shutil
import subprocess
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import binaries, supervisor_installation
from .binaries import GATEWAY
from .broker import query_broker
from .command_ps import BROKER_SECONDS, Row, rows, state_text
from .disk import check_room
from .environment import CACHE, cache_folder, for_gateway, for_stack
from .gateway import ask, running_record
from .given_up import GivenUp
from .installation import PROGRAMS
from .language import VARIABLE, in_both, joined, say
from .problem import ExitCode, Problem
from .processes import marked_processes
from .run_folder import RUN, RunFolder, locate
from .secrets import DEMO_KEYS, real_keys
from .services import SERVICES, usual_counts
from .settings import effective
from .supervisor import Supervisor

_CHECK_SECONDS = 20.0


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


class CheckedStack:
    """The stack, or the environment of a future one, that is checked."""

    def __init__(self, options: Namespace) -> None:
        self.run = locate(os.environ)
        self.record = running_record()
        self.environ: Mapping[str, str] = options.environ
        usual = self.record.binaries if self.record else PROGRAMS
        self.binaries = Path(os.path.abspath(options.bin or usual))
        self.demo = options.demo or bool(self.record and self.record.demo)


def _counts(_: CheckedStack) -> Iterator[str]:
    usual_counts(True, effective(os.environ))  # raises for a setting that is no number of instances
    yield from ()


def _gateway(stack: CheckedStack) -> Iterator[Finding]:
    """Yield what `gateway doctor` finds: about settings and files, and about the services of a running stack."""
    if not os.access(stack.binaries / GATEWAY, os.X_OK):
        return  # reported by the check of the programs
    if stack.record:
        reply, code = ask(stack.binaries / GATEWAY, for_gateway(stack.environ, RunFolder(stack.run)), "doctor")
    else:
        reply, code = ask(stack.binaries / GATEWAY, stack.environ, "doctor", "--local")
    for finding in reply["findings"]:
        what, fix = (say(text["ko"], text["en"]) if text else "" for text in (finding["what"], finding["fix"]))
        yield Finding(str(finding["check"]), what, fix, 0 if finding["ok"] else code)


def _settings(stack: CheckedStack) -> Iterator[str]:
    """Let each program read its own settings."""
    environment = {**for_stack(stack.environ, RunFolder(stack.run), stack.demo), **DEMO_KEYS, VARIABLE: say("ko", "en")}
    wrong = []
    programs = [stack.binaries / service.name for service in SERVICES if service.registers]
    built = [program for program in programs if os.access(program, os.X_OK)]  # the check of the programs reports the others
    for program in built:
        if (line := _wrong_setting(program, environment)) and line not in wrong:
            wrong.append(line)
    if wrong:
        raise Problem(wrong[0], details=wrong[1:], code=ExitCode.CONFIGURATION,
                      fix=say("설정을 고친 뒤 다시 확인하세요. 설정 설명: compose/boxoffice.conf", "Correct it, and check again. All settings: compose/boxoffice.conf"))
    if built == programs:
        yield say("모든 서비스의 설정값이 올바릅니다.", "The settings of every service are valid.")


def _wrong_setting(program: Path, environment: Mapping[str, str]) -> str:
    """Return what a service says about its settings; "" when it can use them."""
    try:
        result = subprocess.run([program, "--check"], env=dict(environment), capture_output=True, check=False, timeout=_CHECK_SECONDS)
    except subprocess.TimeoutExpired:
        return say(f"{program.name}: {_CHECK_SECONDS:g}초 안에 끝나지 않았습니다", f"{program.name} did not end within {_CHECK_SECONDS:g} s")
    if not result.returncode:
        return ""
    # Warnings come first.
    lines = result.stderr.decode("utf-8", "replace").strip().splitlines()
    # An installed web calls itself "boxoffice web".
    return lines[-1].removeprefix("boxoffice ").removeprefix(f"{program.name}: ") if lines else say(f"{program.name}: 종료 코드 {result.returncode}", f"{program.name} ended with {result.returncode}")


def _programs(stack: CheckedStack) -> Iterator[str]:
    binaries.check(stack.binaries, stack.demo)
    yield say(f"{stack.binaries}에 모든 프로그램이 있습니다.", f"All programs are in {stack.binaries}.")


def _launcher(_: CheckedStack) -> Iterator[str]:
    if not shutil.which("setpriv"):
        raise Problem(
            say("setpriv가 없습니다. supervisord가 강제 종료되면 프로세스가 남을 수 있습니다",
                "setpriv is missing: processes may remain when supervisord is killed"),
            fix=say("Debian: apt-get install util-linux", "On Debian: apt-get install util-linux"), code=ExitCode.UNAVAILABLE,
        )
    if supervisor_installation.folder_of_module():
        yield say("supervisord가 설치되어 있습니다.", "supervisord is installed.")
    else:
        yield say("supervisord는 처음 compose/stack up을 실행할 때 설치됩니다.", "The first compose/stack up installs supervisord.")


def _keys(stack: CheckedStack) -> Iterator[str]:
    if stack.demo:
        yield say("데모에는 필요 없습니다.", "Demo data needs none.")
    else:
        keys = list(real_keys(os.environ))
        yield say(f"설정되어 있습니다: {', '.join(keys)}", f"{' and '.join(keys)} are set.")


def _folder(stack: CheckedStack) -> Iterator[str]:
    folder = RunFolder.existing(stack.run)
    if folder is None:
        yield say(f"{stack.run}: 시작할 때 만들어집니다.", f"{stack.run} will be created.")
        return
    if not stack.record and folder.is_broker_lock_held():
        raise Problem(
            say(f"compose/stack이 시작하지 않은 브로커가 {stack.run}에서 실행 중입니다",
                f"a broker that compose/stack did not start is running in {stack.run}"),
            fix=say("그 브로커를 종료하거나 BOXOFFICE_RUN을 다른 디렉터리로 설정하세요.",
                    "Stop that broker, or set BOXOFFICE_RUN to another directory."),
        )
    if not stack.record and (folder.has_leftovers() or marked_processes(folder.path)):
        raise Problem(
            say(f"{stack.run}에 강제로 끝난 스택의 파일이 남아 있습니다",
                f"{stack.run} contains files of a stack that was killed"),
            fix=say("정리하세요: compose/stack down", "Clean up: compose/stack down"))
    yield say(f"{stack.run}: 본인만 접근할 수 있습니다.", f"Only you can access {stack.run}.")


def _disk(stack: CheckedStack) -> Iterator[str]:
    cache = cache_folder(os.environ, RunFolder(stack.run), stack.demo)
    for name, folder, variable in (
        (say("실행 디렉터리", "run directory"), stack.run, RUN), (say("캐시", "cache"), cache, CACHE)
    ):
        free = check_room(name, folder, variable) // 1_000_000
        yield say(f"{in_both(name)['ko']}: {free:,} MB 사용 가능", f"The {in_both(name)['en']} has {free:,} MB free.")


def _processes(stack: CheckedStack) -> Iterator[str]:
    if stack.record is None:
        yield say("실행 중인 스택이 없습니다.", "No stack is running.")
        return
    folder = RunFolder(stack.run)
    states = Supervisor(folder.supervisor_socket).processes()
    for state in states:
        if state.is_given_up:
            what, *details, fix = GivenUp(folder, state).text().splitlines()
            raise Problem(what, details=details, fix=fix.strip())
    answer = query_broker(stack.record.gateway, folder, BROKER_SECONDS)
    bad = [row for row in rows(stack.record, states, answer, {}) if row.state not in ("ready", "drain", "starting")]
    if bad and answer.reached:  # without an answer, the gateway has reported it
        whats = [say(f"{row.instance.name}: {state_text(row.state)}", f"{row.instance.name} is {row.state}") for row in bad]
        raise Problem(whats[0], details=whats[1:], fix=joined(_fix(row) for row in bad))
    yield say(f"프로세스 {len(states)}개가 실행 중입니다.", f"{len(states)} processes are running.")


def _fix(row: Row) -> str:
    """Return what to do about an instance that does not run as it should."""
    name = row.instance.name
    if row.state == "not answering":
        return say(f"다시 시작하세요: compose/stack restart {name}", f"Restart it: compose/stack restart {name}")
    return say(f"로그: compose/stack logs {name}", f"See the log: compose/stack logs {name}")


Check = Callable[[CheckedStack], Iterator["str | Finding"]]
CHECKS: Mapping[str, Check] = {
    "programs": _programs, "launcher": _launcher, "gateway": _gateway, "values": _settings, "counts": _counts, "api-keys": _keys, "folder": _folder,
    "disk": _disk, "processes": _processes,
}
