"""The command line of `compose/stack`."""

from __future__ import annotations

import argparse
import difflib
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NoReturn

from . import settings
from .command_config import config
from .command_doctor import doctor
from .command_down import down
from .command_logs import logs
from .command_ps import ps
from .command_restart import EVERYTHING, restart
from .command_scale import scale
from .command_up import up
from .problem import ExitCode, Problem, usage

_HELP = """\
Starts, scales, shows and stops the services.

usage: compose/stack COMMAND …

commands:
  up       start a stack and return when every worker is registered
  down     stop the stack; logs and cache stay
  ps       show what runs
  scale    change how many instances run
  restart  replace processes one after another while questions are answered
  logs     show the ends of the logs; -f follows them
  config   show every setting, its value and where it is from
  doctor   look for what keeps a stack from starting or answering, and say what to do
  compose/stack COMMAND --help tells more.

examples:
  compose/stack up --demo                     everything with demo data, no key needed
  compose/stack up --demo --recordings DIR    the same, with recorded bodies laid over it
  compose/stack up detail-fetcher=4           real data, four detail-fetchers
  compose/stack scale detail-fetcher=8        while it runs
  compose/stack restart all                   after a build, say: no question fails
  compose/stack ps
  compose/stack logs detail-fetcher/2
  compose/stack down

The run folder is $BOXOFFICE_RUN, else $XDG_RUNTIME_DIR/boxoffice, else /tmp/boxoffice-UID: one stack each.
Settings: compose/boxoffice.conf shows all of them and where your own file lies.
Real data needs KOBIS_API_KEY and KAKAO_REST_API_KEY, or …_FILE with the path of a file that holds the key.
Exit codes: 0 done · 64 usage · 69 not available · 70 internal · 74 local I/O · 78 configuration or key missing.
"""
_COUNTS = "number of instances: chart-fetcher, detail-fetcher, poster-resolver 0 to 64, cache-store 0 or 1"


class _Interrupted(BaseException):
    """A signal that ends this command."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise usage(message, f"See: {self.prog} --help")


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        code = _run(list(arguments))
        sys.stdout.flush()
        return code
    except Problem as problem:
        print(problem.text(), file=sys.stderr)
        return problem.code
    except _Interrupted as interruption:
        print("compose/stack: interrupted", file=sys.stderr)
        return 128 + interruption.number
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except OSError as error:
        what = error.strerror or str(error)
        print(f"compose/stack: {f'{error.filename}: ' if error.filename else ''}{what}", file=sys.stderr)
        print("  Look for the cause: compose/stack doctor", file=sys.stderr)
        return ExitCode.LOCAL_IO
    except Exception:
        traceback.print_exc()
        print("compose/stack: a mistake in the launcher itself, see above", file=sys.stderr)
        return ExitCode.INTERNAL


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_HELP, end="", file=sys.stdout if arguments else sys.stderr)
        return ExitCode.OK if arguments else ExitCode.USAGE
    name, rest = arguments[0], arguments[1:]
    parsers = {
        "up": _up, "down": _down, "ps": _ps, "scale": _scale, "restart": _restart, "logs": _logs, "config": _config,
        "doctor": _doctor,
    }
    if name not in parsers:
        close = difflib.get_close_matches(name, parsers, n=1, cutoff=0.5)
        fix = f"Did you mean {close[0]}?" if close else f"Commands: {', '.join(parsers)}"
        raise usage(f"there is no command “{name}”", fix)
    rest, demo_options = _split(rest)
    if demo_options and name != "up":
        raise usage("options after -- belong to: compose/stack up --demo")
    options = parsers[name]().parse_intermixed_args(rest)
    options.demo_options = demo_options
    options.settings = settings.apply_user_file(os.environ)
    return int(options.run(options))


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _command(name: str, about: str, run: Callable[[argparse.Namespace], int], usage_line: str | None = None) -> _Parser:
    parser = _Parser(prog=f"compose/stack {name}", description=about, usage=usage_line, allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def _up() -> _Parser:
    parser = _command(
        "up", "Starts a stack and returns when every worker is registered at the broker.", up,
        "compose/stack up [--demo] [--recordings DIR] [--bin DIR] [--foreground] [SERVICE=N …] [-- OPTION …]",
    )
    parser.add_argument("--demo", action="store_true", help="ask the demo upstream: no keys, never the real hosts")
    parser.add_argument("--recordings", metavar="DIR", help="recorded bodies to lay over the demo world")
    parser.add_argument("--bin", metavar="DIR", help="folder of the built executables (default: .build/release)")
    parser.add_argument(
        "--foreground", action="store_true", help="stay and show the logs; Ctrl-C, or the end of this command, stops all"
    )
    parser.add_argument("services", nargs="*", metavar="SERVICE=N", help=_COUNTS)
    parser.epilog = "What follows -- goes to demo-upstream as it is: compose/stack up --demo -- --latency 100"
    return parser


def _down() -> _Parser:
    return _command("down", "Stops the stack and leaves no process and no socket; logs and cache stay.", down)


def _ps() -> _Parser:
    parser = _command("ps", "Shows what runs: SINCE is the uptime; a dash is a figure nobody gave.", ps)
    parser.add_argument("--json", action="store_true", help="as JSON")
    return parser


def _scale() -> _Parser:
    parser = _command(
        "scale", "Changes how many instances run and touches no other; the highest numbers drain and end.", scale
    )
    parser.add_argument("services", nargs="+", metavar="SERVICE=N", help=_COUNTS)
    return parser


def _restart() -> _Parser:
    parser = _command(
        "restart",
        "Replaces processes one at a time, the next one when the one before is registered again. What a process has "
        "begun it ends first; what comes meanwhile waits at the broker. The broker comes last, and then every worker "
        "registers anew.",
        restart,
    )
    parser.add_argument(
        "which", metavar="SERVICE|INSTANCE|all",
        help=f"as in detail-fetcher or detail-fetcher/2; {EVERYTHING} leaves out demo-upstream, since calls would fail",
    )
    return parser


def _logs() -> _Parser:
    parser = _command("logs", "Shows the ends of the logs of this run, or of the last one when none runs.", logs)
    parser.add_argument("which", nargs="?", metavar="NAME", help="a service or an instance, as in detail-fetcher/2")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with what is written, new instances included")
    parser.add_argument("--lines", type=int, default=20, metavar="N", help="lines of each log (default: 20)")
    parser.add_argument("--no-color", action="store_true", help="no colour")
    return parser


def _config() -> _Parser:
    parser = _command(
        "config",
        "Shows every setting, its value and where it is from: the environment, the user's file, or the default. Of a "
        "key it shows only whether it is there. compose/boxoffice.conf tells what the settings mean.",
        config,
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    return parser


def _doctor() -> _Parser:
    parser = _command(
        "doctor", "Looks for what keeps a stack from starting or answering, and says what to do about each.", doctor
    )
    parser.add_argument("--demo", action="store_true", help="for a stack with demo data, which needs no keys")
    parser.add_argument("--bin", metavar="DIR", help="folder of the built executables (default: .build/release)")
    parser.add_argument("--json", action="store_true", help="as JSON")
    return parser


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    raise _Interrupted(number)
