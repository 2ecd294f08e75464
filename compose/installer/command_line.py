"""The command line of `compose/install`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from launcher import binaries, parser_text
from launcher.installation import PROGRAMS, ROOT
from launcher.interruption import Interrupted, handle_signals
from launcher.language import LANGUAGES, say, take_language, use
from launcher.problem import ExitCode, Problem
from launcher.table import terminal_columns, wrapped

from .contents import OPERATIONS, Contents
from .prefix import Prefix

NAME = "compose/install"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _usage(parser_text.error(message))

    def format_help(self) -> str:
        return wrapped(parser_text.help_text(super().format_help()), terminal_columns())


def main(arguments: Sequence[str]) -> int:
    """Install or uninstall, and return the exit code."""
    handle_signals()
    try:
        words, languages = take_language(arguments)
        if any(language not in LANGUAGES for language in languages):
            raise _usage(say("--lang은 ko나 en입니다", "--lang takes ko or en"))
        if languages:
            use(languages[-1])
        options = _parser().parse_args(words)
        prefix = Prefix(_prefix(options), root=Path(options.root).resolve())
        if options.uninstall:
            _uninstall(prefix)
        else:
            _install(prefix, options)
        return ExitCode.OK
    except Problem as problem:
        print(wrapped(problem.text(NAME), terminal_columns(sys.stderr)), file=sys.stderr)
        return problem.code
    except Interrupted as interruption:
        print(f"{NAME}: {say('취소했습니다', 'interrupted')}", file=sys.stderr)
        return 128 + interruption.number
    except OSError as error:
        print(f"{NAME}: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}", file=sys.stderr)
        return ExitCode.LOCAL_IO


def _usage(what: str) -> Problem:
    return Problem(what, fix=say(f"도움말: {NAME} --help", f"See: {NAME} --help"), code=ExitCode.USAGE)


def _parser() -> _Parser:
    parser = _Parser(prog=NAME, allow_abbrev=False, description=say(
        "프로그램, 런처, 매뉴얼, 셸 완성, systemd 사용자 유닛을 설치합니다. 설치한 것은 이 복제본과 Swift 없이 실행됩니다.",
        "Installs programs, launcher, man pages, completions and a systemd user unit. What is installed runs without this "
        "clone and without Swift."))
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--user", action="store_true", help=say("~/.local에", "below ~/.local"))
    where.add_argument("--prefix", metavar="DIR", help=say("이 폴더에, 예: /usr/local", "below this folder, as in /usr/local"))
    parser.add_argument("--root", metavar="DIR", default="/", help=say(
        "이 폴더를 / 대신으로 쓰고 그 안에 설치 (패키지나 이미지를 만들 때)",
        "write below this folder as if it were /, to make a package or an image"))
    parser.add_argument("--uninstall", action="store_true", help=say(
        "설치한 것을 모두 제거", "take away all that was installed there"))
    parser.add_argument("--force", action="store_true", help=say("더 새로운 버전 위에도 설치", "install over a newer version, too"))
    parser.add_argument("--strip", action="store_true", help=say(
        "함수 이름을 빼고 설치: 크기가 3분의 1 줄지만 백트레이스에 함수 이름이 없음",
        "leave out the names of functions: a third smaller, but backtraces have no names"))
    parser.add_argument("--bin", metavar="DIR", help=say(
        "릴리스 빌드 대신 이 폴더의 프로그램을 설치", "install the programs of this folder instead of building release ones"))
    return parser


def _prefix(options: argparse.Namespace) -> Path:
    if options.user:
        home = os.environ.get("HOME")
        if not home:
            raise Problem(say("--user: HOME이 없습니다", "--user: HOME is not set"), code=ExitCode.CONFIGURATION)
        return Path(home).resolve() / ".local"
    if not options.prefix:
        raise _usage(say("--prefix: 폴더가 비어 있습니다", "--prefix: the folder is empty"))
    return Path(options.prefix).resolve()


def _install(prefix: Prefix, options: argparse.Namespace) -> None:
    prefix.check_writable()
    programs = Path(options.bin).resolve() if options.bin else PROGRAMS
    if not options.bin:
        subprocess.run([ROOT / "compose" / "prerequisites", "install"], check=True)
        print(say("릴리스 프로그램 빌드 중(처음에는 10분쯤) …", "Building release programs (the first time ten minutes) …"), flush=True)
        subprocess.run(["swift", "build", "-c", "release", "--quiet"], cwd=ROOT, check=True)
    binaries.check(programs, demo=True)
    contents = Contents(programs, has_system_units=not options.user, keeps_names=not options.strip)
    with prefix.locked():
        prefix.check_version(contents.version(), force=options.force)
        prefix.replace(contents)
    print(_summary(prefix, contents))


def _uninstall(prefix: Prefix) -> None:
    with prefix.locked():
        count = prefix.remove()
    print(say(f"{prefix.path}에서 파일 {count}개를 제거했습니다. 설정, 캐시, 로그는 남습니다.",
              f"Removed {count} files below {prefix.path}. Settings, cache and logs stay."))


def _summary(prefix: Prefix, contents: Contents) -> str:
    lines = [say(f"{contents.version()}을 {prefix.path}에 설치했습니다.", f"Installed {contents.version()} below {prefix.path}.")]
    commands = prefix.path / "bin"
    if str(commands) not in os.environ.get("PATH", "").split(os.pathsep):
        lines.append(say(f"  {commands}가 PATH에 없습니다. 셸 설정에 더하세요: PATH={commands}:$PATH",
                         f"  {commands} is not on the PATH. Add to the profile of your shell: PATH={commands}:$PATH"))
    running = prefix.running()
    if running:
        lines.append(say("  이미 실행 중인 프로세스를 새 버전으로: stack restart all", "  Processes that run become new ones by: stack restart all"))
    else:
        lines.append(say("  시작: stack up --demo. 조회: gateway", "  Start: stack up --demo. Query: gateway"))
    lines.append(say("  로그인할 때 시작: systemctl --user enable --now boxoffice", "  Start at each login: systemctl --user enable --now boxoffice"))
    if contents.has_system_units:
        page = prefix.path / OPERATIONS
        lines.append(say(f"  서버로 운영: {page}", f"  Run it as a server: {page}"))
    return "\n".join(lines)
