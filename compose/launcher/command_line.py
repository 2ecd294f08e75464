"""The command line of `compose/stack`."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import traceback
from collections.abc import Sequence

from . import settings
from .gateway import usual_gateway
from .interruption import Interrupted, handle_signals
from .installation import LAUNCHER
from .language import LANGUAGES, VARIABLE, say, take_language, use
from .parsers import ALIASES, PARSERS, program_help
from .nats import with_value
from .problem import ExitCode, Problem, suggestion, usage
from .terminal import terminal_columns, wrapped


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    handle_signals()
    try:
        code = _run(_without_language(arguments))
        sys.stdout.flush()
        return code
    except Problem as problem:
        print(wrapped(problem.text(), terminal_columns(sys.stderr)), file=sys.stderr)
        return problem.code
    except Interrupted as interruption:
        print(f"{LAUNCHER}: {say('취소했습니다', 'cancelled')}", file=sys.stderr)
        return 128 + interruption.number
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except OSError as error:
        what = error.strerror or str(error)
        print(f"{LAUNCHER}: {f'{error.filename}: ' if error.filename else ''}{what}", file=sys.stderr)
        print(f"  {say('진단', 'Diagnose it')}: {LAUNCHER} doctor", file=sys.stderr)
        return ExitCode.LOCAL_IO
    except Exception:
        traceback.print_exc()
        print(f"{LAUNCHER}: {say('런처 내부 오류입니다. 위의 내용을 개발자에게 알려 주세요', 'internal error of the launcher; please report the lines above')}",
              file=sys.stderr)
        return ExitCode.INTERNAL


def _without_language(arguments: Sequence[str]) -> list[str]:
    words, values = take_language(arguments)
    if any(value not in LANGUAGES for value in values):
        raise usage(say("--lang에는 ko나 en만 쓸 수 있습니다", "--lang must be ko or en"))
    if values:
        use(values[-1])
    return words


def _check_language() -> None:
    value = os.environ.get(VARIABLE)
    if value and value not in LANGUAGES:
        raise Problem(
            f"{VARIABLE}={value}: ko나 en만 쓸 수 있습니다 (use ko or en)",
            code=ExitCode.CONFIGURATION)


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        stream = sys.stdout if arguments else sys.stderr
        print(wrapped(program_help(), terminal_columns(stream)), end="", file=stream)
        return ExitCode.OK if arguments else ExitCode.USAGE
    if arguments[0] == "--version":
        return subprocess.run([usual_gateway(), "--version"], check=False).returncode
    name, rest = ALIASES.get(arguments[0], arguments[0]), arguments[1:]
    if name not in PARSERS:
        known = ", ".join(PARSERS)
        fix = suggestion(name, [*PARSERS, *ALIASES]) or say(f"명령: {known}", f"Commands: {known}")
        raise usage(say(f"'{name}' 명령은 없습니다", f"unknown command '{name}'"), fix)
    rest, demo_options = _split(rest)
    if demo_options and name != "up":
        raise usage(say("-- 뒤의 옵션은 compose/stack up --demo에서만 쓸 수 있습니다", "options after -- are only for compose/stack up --demo"))
    options = PARSERS[name]().parse_intermixed_args(with_value(rest))
    options.demo_options = demo_options
    # What the gateway is asked with: it reads the user's file itself.
    options.environ = dict(os.environ)
    settings.apply_user_file(os.environ)
    _check_language()
    return int(options.run(options))


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]
