"""The commands of `compose/stack`: their options and their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from . import parser_text
from .command_completions import SHELLS, completions
from .command_config import config
from .command_doctor import doctor
from .command_down import down
from .command_logs import logs
from .command_ps import ps
from .command_restart import EVERYTHING, restart
from .command_scale import scale
from .command_up import up
from .installation import IS_INSTALLED, LAUNCHER, PROGRAMS, localized
from .language import say
from .problem import usage
from .services import SERVICES
from .table import terminal_columns, wrapped

ALIASES = {"status": "ps", "start": "up", "stop": "down"}


def program_help() -> str:
    """Return the help of the program."""
    return say(
        """\
스택 시작, 확장, 상태 확인, 종료

사용법: compose/stack 명령 …

명령:
  up       스택 시작, 모든 워커가 등록되면 끝남 (start)
  down     스택 종료, 로그와 캐시는 남음 (stop)
  ps       실행 중인 프로세스 (status)
  scale    인스턴스 수 변경
  restart  요청을 처리하면서 프로세스를 차례로 교체
  logs     로그의 끝, -f는 계속
  config   모든 설정의 값과 출처
  doctor   시작하거나 답하지 못하는 원인과 해결 방법
  completions  명령을 완성하는 셸 스크립트 (bash, zsh, fish)
  자세한 도움말: compose/stack 명령 --help

예:
  compose/stack up --demo                     데모 자료, 키 불필요
  compose/stack up --demo --recordings DIR    같은 것에 녹화된 본문을 더함
  compose/stack up --demo --web               브라우저로 보는 화면과 함께
  compose/stack up detail-fetcher=4           실제 자료, detail-fetcher 네 개
  compose/stack scale detail-fetcher=8        실행 중에
  compose/stack restart all                   빌드한 뒤 요청 실패 없이 교체
  compose/stack ps --watch
  compose/stack logs detail-fetcher/2 --since 5m
  compose/stack down

실행 폴더는 $BOXOFFICE_RUN, 없으면 $XDG_RUNTIME_DIR/boxoffice, 없으면 /tmp/boxoffice-UID이며 폴더마다 스택 하나입니다.
설정: compose/boxoffice.conf에 모든 설정과 사용자 파일의 위치가 있습니다.
실제 자료에는 KOBIS_API_KEY와 KAKAO_REST_API_KEY, 또는 키가 든 파일의 경로인 …_FILE이 필요합니다.
출력 언어: --lang ko|en, BOXOFFICE_LANG, 로캘.
종료 코드: 0 완료 · 64 사용법 · 69 사용할 수 없음 · 70 내부 오류 · 74 입출력 · 78 설정이나 키 없음
""",
        """\
Starts, scales, shows and stops the services.

usage: compose/stack COMMAND …

commands:
  up       start a stack and return when every worker is registered (start)
  down     stop the stack; logs and cache stay (stop)
  ps       show what runs (status)
  scale    change how many instances run
  restart  restart processes one at a time without interrupting queries
  logs     show the last lines of the logs (-f: follow)
  config   show every setting, its value and where it is from
  doctor   diagnose problems and suggest fixes
  completions  a script by which a shell completes commands (bash, zsh, fish)
  compose/stack COMMAND --help tells more.

examples:
  compose/stack up --demo                     everything with demo data, no key needed
  compose/stack up --demo --recordings DIR    the same, with recorded bodies laid over it
  compose/stack up --demo --web               with pages for a browser
  compose/stack up detail-fetcher=4           real data, four detail-fetchers
  compose/stack scale detail-fetcher=8        while it runs
  compose/stack restart all                   e.g. after a build; no query fails
  compose/stack ps --watch
  compose/stack logs detail-fetcher/2 --since 5m
  compose/stack down

The run folder is $BOXOFFICE_RUN, else $XDG_RUNTIME_DIR/boxoffice, else /tmp/boxoffice-UID: one stack each.
Settings: compose/boxoffice.conf shows all of them and where your own file lies.
Real data needs KOBIS_API_KEY and KAKAO_REST_API_KEY, or …_FILE with the path of a file that holds the key.
Language of the output: --lang ko|en, BOXOFFICE_LANG, the locale.
Exit codes: 0 done · 64 usage · 69 not available · 70 internal · 74 local I/O · 78 configuration or key missing.
""")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise usage(parser_text.error(message), say(f"도움말: {self.prog} --help", f"See: {self.prog} --help"))

    def format_help(self) -> str:
        return wrapped(parser_text.help_text(super().format_help()), terminal_columns())


def _shown_programs() -> str:
    return str(PROGRAMS) if IS_INSTALLED else ".build/release"


def _counts_help() -> str:
    names = {service.name: service for service in SERVICES if service.registers}
    bounds = ", ".join(f"{name} {service.fewest}-{service.most}" for name, service in names.items())
    return say(f"인스턴스 수: {bounds}", f"number of instances: {bounds}")


def _command(name: str, about: str, run: Callable[[argparse.Namespace], int], usage_line: str | None = None) -> _Parser:
    parser = _Parser(prog=f"{LAUNCHER} {name}", description=about, usage=usage_line and localized(usage_line), allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def _up() -> _Parser:
    parser = _command(
        "up", say("스택을 시작하고 모든 워커가 브로커에 등록될 때까지 기다립니다.",
                  "Starts a stack and returns when every worker is registered at the broker."), up,
        "compose/stack up [--demo] [--web] [--nats[=3]] [--recordings DIR] [--bin DIR] [--foreground] [SERVICE=N …] [-- OPTION …]",
    )
    parser.add_argument("--demo", action="store_true", help=say(
        "데모 업스트림 사용(키 불필요, 실제 호스트 호출 없음)", "use the demo upstream: needs no keys, never calls the real hosts"))
    parser.add_argument("--web", action="store_true", help=say(
        "웹 페이지도 시작하고 주소 출력", "serve pages for a browser, too, and show their address"))
    parser.add_argument("--nats", metavar="N", help=say(
        "브로커 대신 NATS 서버를 시작: 1개나, --nats=3이면 3개", "start a server of NATS in place of the broker, or three by --nats=3"))
    parser.add_argument("--recordings", metavar="DIR", help=say(
        "데모 자료를 대체할 녹화된 응답", "replace demo data with the recorded responses in DIR"))
    parser.add_argument("--bin", metavar="DIR", help=say(
        f"빌드된 프로그램의 폴더 (기본값: {_shown_programs()})", f"folder of the built executables (default: {_shown_programs()})"))
    parser.add_argument(
        "--foreground", action="store_true", help=say(
            "포그라운드에서 실행하며 로그 출력(종료하면 스택도 종료)",
            "stay and show the logs; Ctrl-C, or the end of this command, stops all"))
    parser.add_argument("services", nargs="*", metavar="SERVICE=N", help=_counts_help())
    parser.epilog = say("-- 뒤의 것은 그대로 demo-upstream에 넘깁니다: compose/stack up --demo -- --latency 100",
                        "What follows -- goes to demo-upstream as it is: compose/stack up --demo -- --latency 100")
    return parser


def _down() -> _Parser:
    return _command("down", say("스택을 종료합니다. 프로세스와 소켓은 정리하고 로그와 캐시는 유지합니다.",
                                "Stops the stack and removes its processes and sockets; keeps logs and cache."), down)


def _ps() -> _Parser:
    parser = _command("ps", say("실행 중인 프로세스를 출력합니다. -는 알 수 없는 값입니다.",
                                "Shows what runs: SINCE is the uptime; a dash is an unknown figure."), ps)
    parser.add_argument("--json", action="store_true", help=say("JSON으로", "as JSON"))
    parser.add_argument("--watch", action="store_true", help=say("2초마다 다시 출력(Ctrl-C로 종료)", "again every 2 s, until Ctrl-C"))
    return parser


def _scale() -> _Parser:
    parser = _command(
        "scale", say("인스턴스 수를 바꿉니다. 나머지는 그대로 두며, 번호가 큰 인스턴스부터 처리를 마치고 종료합니다.",
                     "Changes how many instances run and touches no other; the highest numbers drain and end."), scale)
    parser.add_argument("services", nargs="+", metavar="SERVICE=N", help=_counts_help())
    return parser


def _restart() -> _Parser:
    parser = _command(
        "restart",
        say("프로세스를 하나씩 교체합니다. 앞의 것이 다시 등록되면 다음으로 넘어갑니다. 시작한 일은 먼저 끝내고, 그동안 온 것은 브로커에서 "
            "기다립니다. 브로커가 마지막이며, 그 뒤에 모든 워커가 새로 등록합니다.",
            "Replaces processes one at a time, the next one when the one before is registered again. What a process has "
            "begun it ends first; what comes meanwhile waits at the broker. The broker comes last, and then every worker "
            "registers again."),
        restart,
    )
    parser.add_argument(
        "which", metavar="SERVICE|INSTANCE|all",
        help=say(f"detail-fetcher나 detail-fetcher/2처럼. {EVERYTHING}은 demo-upstream을 뺌(호출이 실패하므로)",
                 f"as in detail-fetcher or detail-fetcher/2; {EVERYTHING} leaves out demo-upstream, since calls would fail"),
    )
    return parser


def _logs() -> _Parser:
    parser = _command("logs", say("로그의 마지막 부분을 출력합니다. 실행 중이 아니면 지난 실행의 로그입니다.",
                                  "Shows the last lines of the logs of this run, or of the last run."), logs)
    parser.add_argument("which", nargs="?", metavar="NAME", help=say(
        "detail-fetcher/2 같은 서비스나 인스턴스", "a service or an instance, as in detail-fetcher/2"))
    parser.add_argument("-f", "--follow", action="store_true", help=say(
        "새 로그를 계속 출력(새 인스턴스 포함)", "follow the logs, including those of new instances"))
    parser.add_argument("-n", "--lines", type=int, metavar="N", help=say(
        "로그마다 N줄 (기본값: 20, --since가 있으면 모두)", "N lines of each log (default: 20, with --since all)"))
    parser.add_argument("--since", metavar="TIME", help=say("지정한 시간 전부터, 예: 30s, 5m, 2h, 1d", "show entries newer than this, e.g. 30s, 5m, 2h, 1d"))
    parser.add_argument("--no-color", action="store_true", help=say("색 없이", "no colour"))
    return parser


def _config() -> _Parser:
    parser = _command(
        "config",
        say("모든 설정의 값과 출처(환경 변수, 사용자 파일, 기본값)를 보입니다. 키는 있는지만 보입니다. 설정의 뜻은 "
            "compose/boxoffice.conf에 있습니다.",
            "Shows every setting, its value and where it is from: the environment, the user's file, or the default. Of a "
            "key it shows only whether it is there. compose/boxoffice.conf tells what the settings mean."),
        config,
    )
    parser.add_argument("--json", action="store_true", help=say("JSON으로", "as JSON"))
    return parser


def _doctor() -> _Parser:
    parser = _command(
        "doctor", say("스택이 시작되지 않거나 응답하지 않는 원인을 진단하고 해결 방법을 안내합니다.",
                      "Looks for what keeps a stack from starting or answering, and says what to do about each."), doctor)
    parser.add_argument("--demo", action="store_true", help=say("데모 자료의 스택, 키 불필요", "for a stack with demo data, which needs no keys"))
    parser.add_argument("--bin", metavar="DIR", help=say(
        f"빌드된 프로그램의 폴더 (기본값: {_shown_programs()})", f"folder of the built executables (default: {_shown_programs()})"))
    parser.add_argument("--json", action="store_true", help=say("JSON으로", "as JSON"))
    return parser


def _completions() -> _Parser:
    parser = _command("completions", say(
        "명령, 옵션, 서비스를 완성하는 셸 스크립트를 출력합니다: source <(stack completions bash)",
        "Prints a script by which a shell completes commands, options and services: source <(stack completions bash)"), completions)
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS))
    parser.set_defaults(parsers=PARSERS)
    return parser


PARSERS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "up": _up, "down": _down, "ps": _ps, "scale": _scale, "restart": _restart, "logs": _logs, "config": _config,
    "doctor": _doctor, "completions": _completions,
}
"""Each command with the function that makes its parser, in the language of the moment."""
