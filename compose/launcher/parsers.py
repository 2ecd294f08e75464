"""The commands of `compose/stack`: their options and their help."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable
from typing import NoReturn

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
from .problem import suggestion, usage
from .services import SERVICES
from .terminal import help_text, parser_error, terminal_columns, wrapped

ALIASES = {"status": "ps", "start": "up", "stop": "down"}


def program_help() -> str:
    """Return the help of the program."""
    return say(
        """\
스택 시작, 확장, 상태 확인, 종료

사용법: compose/stack <명령>

명령:
  up           스택 시작(모든 워커가 등록될 때까지 대기, 별칭 start)
  down         스택 종료(로그와 캐시는 유지, 별칭 stop)
  ps           프로세스 목록과 상태 출력(별칭 status)
  scale        인스턴스 수 변경
  restart      요청을 처리하면서 프로세스를 하나씩 교체
  logs         로그 출력(-f: 계속 출력)
  config       모든 설정의 값과 출처 출력
  doctor       문제 진단 및 해결 방법 안내
  completions  셸 자동 완성 스크립트 출력(bash, zsh, fish)

예:
  compose/stack up --demo                   데모 데이터(키 불필요)
  compose/stack up --demo --web             웹 페이지 포함
  compose/stack up --demo --recordings DIR  녹화된 응답 사용
  compose/stack up detail-fetcher=4         실제 데이터, detail-fetcher 4개
  compose/stack scale detail-fetcher=8
  compose/stack restart all                 빌드 후 무중단 교체
  compose/stack ps --watch
  compose/stack logs detail-fetcher/2 --since 5m
  compose/stack down

실행 디렉터리마다 스택 하나를 실행합니다: $BOXOFFICE_RUN,
없으면 $XDG_RUNTIME_DIR/boxoffice, 없으면 /tmp/boxoffice-UID
실제 데이터에는 KOBIS_API_KEY와 KAKAO_REST_API_KEY가 필요합니다.
키를 파일로 줄 때는 이름 뒤에 _FILE을 붙여 경로를 지정합니다.
모든 설정의 설명: compose/boxoffice.conf
출력 언어: --lang ko|en, BOXOFFICE_LANG 또는 로캘
종료 코드: 0 성공, 64 사용법 오류, 69 사용 불가, 70 내부 오류,
74 입출력 오류, 78 설정 오류

버전: compose/stack --version
명령별 도움말: compose/stack <명령> --help
""",
        """\
Start, scale, inspect and stop the services.

usage: compose/stack COMMAND

commands:
  up           Start a stack and wait for its workers (alias: start)
  down         Stop the stack; keep logs and cache (alias: stop)
  ps           List the processes and their states (alias: status)
  scale        Change the number of instances
  restart      Replace processes one by one while requests are answered
  logs         Show the logs (-f: follow)
  config       Show each setting, its value and its origin
  doctor       Diagnose problems and suggest fixes
  completions  Print a shell completion script (bash, zsh, fish)

examples:
  compose/stack up --demo                   demo data, no keys needed
  compose/stack up --demo --web             with pages for a browser
  compose/stack up --demo --recordings DIR  with recorded responses
  compose/stack up detail-fetcher=4         real data, four detail-fetchers
  compose/stack scale detail-fetcher=8
  compose/stack restart all                 e.g. after a build; no query fails
  compose/stack ps --watch
  compose/stack logs detail-fetcher/2 --since 5m
  compose/stack down

Each run directory has one stack: $BOXOFFICE_RUN,
else $XDG_RUNTIME_DIR/boxoffice, else /tmp/boxoffice-UID.
Real data needs KOBIS_API_KEY and KAKAO_REST_API_KEY. To read a key from a file,
set KOBIS_API_KEY_FILE or KAKAO_REST_API_KEY_FILE to its path.
All settings are explained in compose/boxoffice.conf.
Language of the output: --lang ko|en, BOXOFFICE_LANG or the locale.
Exit codes: 0 success, 64 usage, 69 unavailable, 70 internal error, 74 I/O,
78 configuration.

Version: compose/stack --version
Help of a command: compose/stack COMMAND --help
""")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def _split_lines(self, text: str, width: int) -> list[str]:
        # argparse would break the names of services at their hyphens.
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        unknown = re.match(r"unrecognized arguments: (--[^ =]+)", message)
        near = suggestion(unknown[1], self._option_string_actions) if unknown else ""
        raise usage(parser_error(message), "\n".join(filter(None, [near, say(f"도움말: {self.prog} --help", f"See: {self.prog} --help")])))

    def format_help(self) -> str:
        return wrapped(help_text(super().format_help()), terminal_columns())


def _counts_help() -> str:
    names = {service.name: service for service in SERVICES if service.registers}
    bounds = ", ".join(f"{name} {service.fewest}-{service.most}" for name, service in names.items())
    return say(f"인스턴스 수: {bounds}", f"number of instances: {bounds}")


def _command(name: str, about: str, run: Callable[[argparse.Namespace], int], usage_line: str | None = None) -> _Parser:
    parser = _Parser(prog=f"{LAUNCHER} {name}", description=about, usage=usage_line and localized(usage_line), allow_abbrev=False,
                     formatter_class=_Formatter)
    parser.set_defaults(run=run)
    return parser


def _add_json(parser: _Parser) -> None:
    parser.add_argument("--json", action="store_true", help=say("JSON 출력", "print JSON"))


def _add_programs(parser: _Parser) -> None:
    programs = str(PROGRAMS) if IS_INSTALLED else ".build/release"
    parser.add_argument("--bin", metavar="DIR", help=say(
        f"프로그램이 있는 디렉터리 (기본값: {programs})", f"directory of the programs (default: {programs})"))


def _up() -> _Parser:
    parser = _command(
        "up", say("스택을 시작하고 모든 워커가 등록될 때까지 기다립니다.", "Start a stack and wait until every worker is registered."), up,
        "compose/stack up [--demo] [--web] [--nats[=3]] [--recordings DIR]\n"
        "       [--bin DIR] [--foreground] [SERVICE=N …] [-- OPTION …]",
    )
    parser.add_argument("--demo", action="store_true", help=say(
        "데모 데이터 사용(키 불필요, 실제 API 호출 없음)", "use demo data: no keys, no calls to the real APIs"))
    parser.add_argument("--web", action="store_true", help=say("웹 페이지도 제공", "also serve the pages for a browser"))
    parser.add_argument("--nats", metavar="N", help=say(
        "브로커 대신 NATS 서버 시작(--nats=3: 3개)", "start a NATS server instead of the broker (--nats=3: three)"))
    parser.add_argument("--recordings", metavar="DIR", help=say(
        "DIR에 녹화된 응답으로 데모 데이터 대체", "replace demo data with the recorded responses in DIR"))
    _add_programs(parser)
    parser.add_argument("--foreground", action="store_true", help=say(
        "포그라운드에서 실행하고 로그 출력(종료하면 스택도 종료)",
        "run in the foreground and show the logs; the stack stops with this command"))
    parser.add_argument("services", nargs="*", metavar="SERVICE=N", help=_counts_help())
    parser.epilog = say("-- 뒤의 옵션은 demo-upstream에 전달됩니다. 예:\n  compose/stack up --demo -- --latency 100",
                        "Options after -- are passed to demo-upstream, e.g.\n  compose/stack up --demo -- --latency 100")
    return parser


def _down() -> _Parser:
    return _command("down", say("스택을 종료하고 프로세스와 소켓을 정리합니다.\n로그와 캐시는 유지합니다.",
                                "Stop the stack and remove its processes and sockets. Logs and cache are kept."), down)


def _ps() -> _Parser:
    parser = _command("ps", say("프로세스 목록과 상태를 출력합니다. -는 알 수 없는 값입니다.",
                                "List the processes and their states. A dash is an unknown value."), ps)
    _add_json(parser)
    parser.add_argument("--watch", action="store_true", help=say("2초마다 다시 출력(Ctrl-C로 종료)", "repeat every 2 s until Ctrl-C"))
    return parser


def _scale() -> _Parser:
    parser = _command(
        "scale", say("인스턴스 수를 바꿉니다. 줄일 때는 번호가 큰 인스턴스부터\n진행 중인 요청을 처리한 뒤 종료합니다.",
                     "Change the number of instances. Scaling down stops the highest-numbered\ninstances after they finish their requests."), scale)
    parser.add_argument("services", nargs="+", metavar="SERVICE=N", help=_counts_help())
    return parser


def _restart() -> _Parser:
    parser = _command(
        "restart",
        say("프로세스를 하나씩 교체합니다. 진행 중인 요청은 먼저 처리하고, 새 요청은\n브로커에서 기다립니다. 브로커는 마지막에 교체합니다. 설정 파일은 다시 읽지만,\n환경 변수는 up을 실행할 때의 값을 씁니다.",
            "Replace processes one by one. A process finishes its requests first; new\nrequests wait at the broker. The broker is replaced last. The\nsettings file is read again; variables keep the values that up had."),
        restart,
    )
    parser.add_argument(
        "which", metavar="SERVICE|INSTANCE|all",
        help=say(f"예: detail-fetcher, detail-fetcher/2. {EVERYTHING}은 demo-upstream 제외",
                 f"e.g. detail-fetcher or detail-fetcher/2; {EVERYTHING} excludes demo-upstream"),
    )
    return parser


def _logs() -> _Parser:
    parser = _command("logs", say("로그의 마지막 부분을 출력합니다.\n스택이 종료된 뒤에는 지난 실행의 로그를 출력합니다.",
                                  "Show the last lines of the logs;\nwithout a running stack, those of the last run."), logs)
    parser.add_argument("which", nargs="?", metavar="NAME", help=say(
        "서비스 또는 인스턴스, 예: detail-fetcher/2", "service or instance, e.g. detail-fetcher/2"))
    parser.add_argument("-f", "--follow", action="store_true", help=say(
        "새 로그를 계속 출력(새 인스턴스 포함)", "follow the logs, including those of new instances"))
    parser.add_argument("-n", "--lines", type=int, metavar="N", help=say(
        "로그마다 출력할 줄 수 (기본값: 20, --since를 쓰면 모두)", "lines of each log (default: 20; all with --since)"))
    parser.add_argument("--since", metavar="TIME", help=say(
        "지정한 시간 전부터, 예: 30s, 5m, 2h, 1d", "show entries newer than this, e.g. 30s, 5m, 2h, 1d"))
    parser.add_argument("--no-color", action="store_true", help=say("색상 없이 출력", "print without colour"))
    return parser


def _config() -> _Parser:
    parser = _command(
        "config",
        say("다음 시작에 쓸 모든 설정의 값과 출처(환경 변수, 설정 파일, 기본값)를\n출력합니다. 키는 설정 여부만 출력합니다.",
            "Show each setting for the next start, its value and its origin:\nenvironment, file or default. For keys, only whether they are set."),
        config,
    )
    parser.epilog = say("설정의 설명: compose/boxoffice.conf", "The settings are explained in compose/boxoffice.conf.")
    _add_json(parser)
    return parser


def _doctor() -> _Parser:
    parser = _command(
        "doctor", say("스택이 시작되지 않거나 응답하지 않는 원인을 진단하고 해결 방법을 안내합니다.",
                      "Diagnose why a stack does not start or answer, and suggest fixes."), doctor)
    parser.add_argument("--demo", action="store_true", help=say("데모 스택 기준으로 진단(키 불필요)", "check for a demo stack, which needs no keys"))
    _add_programs(parser)
    _add_json(parser)
    return parser


def _completions() -> _Parser:
    parser = _command("completions", say(
        "셸 자동 완성 스크립트를 출력합니다. 예:\n  source <(compose/stack completions bash)",
        "Print a shell completion script, e.g.\n  source <(compose/stack completions bash)"), completions)
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS))
    parser.set_defaults(parsers=PARSERS)
    return parser


PARSERS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "up": _up, "down": _down, "ps": _ps, "scale": _scale, "restart": _restart, "logs": _logs, "config": _config,
    "doctor": _doctor, "completions": _completions,
}
"""Each command with the function that makes its parser, in the language of the moment."""
