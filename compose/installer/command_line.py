"""The command line of `compose/install`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from launcher import binaries
from launcher.installation import PROGRAMS, ROOT
from launcher.interruption import Interrupted, handle_signals
from launcher.language import LANGUAGES, say, take_language, use
from launcher.problem import ExitCode, Problem
from launcher.terminal import help_text, parser_error, terminal_columns, wrapped

from .contents import OPERATIONS, Contents
from .prefix import Prefix
from .progress import Progress

NAME = "compose/install"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _usage(parser_error(message))

    def format_help(self) -> str:
        return wrapped(help_text(super().format_help()), terminal_columns())


def main(arguments: Sequence[str]) -> int:
    """Install or uninstall, and return the exit code."""
    handle_signals()
    try:
        words, languages = take_language(arguments)
        if any(language not in LANGUAGES for language in languages):
            raise _usage(say("--lang에는 ko나 en만 쓸 수 있습니다", "--lang must be ko or en"))
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
        print(f"{NAME}: {say('취소했습니다', 'cancelled')}", file=sys.stderr)
        return 128 + interruption.number
    except OSError as error:
        print(f"{NAME}: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}", file=sys.stderr)
        return ExitCode.LOCAL_IO


def _usage(what: str) -> Problem:
    return Problem(what, fix=say(f"도움말: {NAME} --help", f"See: {NAME} --help"), code=ExitCode.USAGE)


def _parser() -> _Parser:
    parser = _Parser(prog=NAME, allow_abbrev=False, description=say(
        "boxoffice 명령, 프로그램, 매뉴얼, 셸 자동 완성, systemd 유닛을 설치합니다. 설치한 프로그램은 저장소와 Swift 없이 실행됩니다.",
        "Install the command boxoffice, its programs, man pages, completions and systemd units. They need neither this "
        "clone nor Swift."))
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--user", action="store_true", help=say("~/.local에 설치", "install into ~/.local"))
    where.add_argument("--prefix", metavar="DIR", help=say("지정한 디렉터리에 설치, 예: /usr/local", "install into this directory, e.g. /usr/local"))
    parser.add_argument("--root", metavar="DIR", default="/", help=say(
        "지정한 디렉터리를 /로 간주하고 설치(패키지나 이미지를 만들 때)",
        "treat this directory as /, e.g. to build a package or an image"))
    parser.add_argument("--uninstall", action="store_true", help=say(
        "설치된 파일을 모두 제거", "remove all installed files"))
    parser.add_argument("--force", action="store_true", help=say("더 새로운 버전이 있어도 설치", "install even over a newer version"))
    parser.add_argument("--strip", action="store_true", help=say(
        "심벌을 제거(크기는 3분의 1 줄지만 백트레이스에 함수 이름이 없음)",
        "strip symbols: a third smaller, but backtraces without function names"))
    parser.add_argument("--bin", metavar="DIR", help=say(
        "빌드하지 않고 지정한 디렉터리의 프로그램 설치", "install the programs of this directory instead of building them"))
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
    progress = Progress()
    programs = Path(options.bin).resolve() if options.bin else PROGRAMS
    if not options.bin:
        subprocess.run([ROOT / "compose" / "prerequisites", "install"], check=True)
        progress.build(ROOT)
    binaries.check(programs, demo=True)
    contents = Contents(programs, progress, has_system_units=not options.user, keeps_names=not options.strip)
    with prefix.locked():
        prefix.check_version(contents.version(), force=options.force)
        prefix.replace(contents)
    progress.end()
    print(_summary(prefix, contents))


def _uninstall(prefix: Prefix) -> None:
    with prefix.locked():
        count = prefix.remove()
    print(say(f"{prefix.path}에서 파일 {count}개를 제거했습니다. 설정, 캐시, 로그는 남습니다.",
              f"Removed {count} files from {prefix.path}. Settings, cache and logs stay."))


def _summary(prefix: Prefix, contents: Contents) -> str:
    lines = [say(f"{contents.version()}을 {prefix.path}에 설치했습니다.", f"Installed {contents.version()} in {prefix.path}.")]
    commands = prefix.path / "bin"
    if str(commands) not in os.environ.get("PATH", "").split(os.pathsep):
        lines.append(say(f"  {commands}가 PATH에 없습니다. 셸 설정에 추가하세요: PATH={commands}:$PATH",
                         f"  {commands} is not on the PATH. Add to your shell profile: PATH={commands}:$PATH"))
    running = prefix.running()
    if running:
        lines.append(say("  실행 중인 프로세스를 새 버전으로 교체: boxoffice stack restart all", "  Replace the running processes: boxoffice stack restart all"))
    else:
        lines.append(say("  시작: boxoffice stack up --demo. 조회: boxoffice", "  Start: boxoffice stack up --demo. Query: boxoffice"))
    lines.append(say("  로그인할 때 시작: systemctl --user enable --now boxoffice", "  Start at login: systemctl --user enable --now boxoffice"))
    if contents.has_system_units:
        page = prefix.path / OPERATIONS
        lines.append(say(f"  서버 운영 안내: {page}", f"  Run it on a server: {page}"))
    return "\n".join(lines)
