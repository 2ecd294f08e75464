"""The settings of the user's file, which the environment overrides; `boxoffice.conf` lists all with their defaults."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

from .installation import SETTINGS_FILE
from .language import say
from .problem import ExitCode, Problem, suggestion
from .run_folder import RUN
from .services import KEY_VARIABLES

FILE_VARIABLE = "BOXOFFICE_CONFIG"
_LARGEST_BYTES = 1 << 20
_DEFAULT = re.compile(r"^#([A-Z][A-Z0-9_]*)=(.*)$")
_SETTING = re.compile(r"\s*([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(.*?)\s*")


def defaults() -> dict[str, str]:
    """Return all settings with their defaults; a default that depends on the system is empty."""
    lines = SETTINGS_FILE.read_text(encoding="utf-8").splitlines()
    return {match[1]: match[2] for line in lines if (match := _DEFAULT.match(line))}


def effective(environ: Mapping[str, str]) -> dict[str, str]:
    """Return all settings with the values of an environment that contains the user's file, else their defaults."""
    return {name: environ.get(name) or default for name, default in defaults().items()}


def file_of(environ: Mapping[str, str]) -> Path | None:
    """Return the user's file, if it exists; a file named by the variable must exist."""
    if named := environ.get(FILE_VARIABLE):
        return None if named == os.devnull else Path(os.path.abspath(named))
    folder = environ.get("XDG_CONFIG_HOME") or (f"{environ['HOME']}/.config" if environ.get("HOME") else None)
    usual = Path(folder) / "boxoffice" / "boxoffice.conf" if folder else None
    return usual if usual and usual.exists() else None


def read(file: Path) -> dict[str, str]:
    """Return the settings of a file, or raise a problem with the invalid line and the reason."""
    try:
        text = _text(file)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else say("UTF-8 텍스트가 아닙니다", "it is not UTF-8 text")
        if not isinstance(error, (OSError, UnicodeDecodeError)):
            why = str(error)
        raise Problem(
            say(f"설정 파일 {file}: 읽을 수 없습니다: {why}", f"cannot read the settings in {file}: {why}"),
            code=ExitCode.CONFIGURATION) from error
    return dict(_settings(file, text))


def _text(file: Path) -> str:
    """Return the text of a regular file of a size that settings have: another one may have no end."""
    # A pipe without a writer would keep a plain open waiting.
    with open(file, "rb", opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise ValueError(say("일반 파일이 아닙니다", "it is not a regular file"))
        content = opened.read(_LARGEST_BYTES + 1)
    if len(content) > _LARGEST_BYTES:
        raise ValueError(say("1 MiB보다 큽니다", "it is larger than 1 MiB"))
    return content.decode("utf-8")


def apply_user_file(environ: MutableMapping[str, str]) -> None:
    """Add the settings of the user's file that the environment lacks."""
    file = file_of(environ)
    for name, value in (read(file) if file else {}).items():
        # An empty variable means the default, and a run folder of the environment stands above a broker of the file.
        if value and name not in environ and not (name == "BOXOFFICE_BROKER" and environ.get(RUN)):
            environ[name] = value
    # The environment now contains all settings, so started processes need not read the file again.
    environ[FILE_VARIABLE] = os.devnull


def _settings(file: Path, text: str) -> Iterator[tuple[str, str]]:
    known, seen = defaults(), set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _SETTING.fullmatch(line)
        if not match:
            raise _unusable(file, number, say("NAME=VALUE 형식이 아닙니다", "not NAME=VALUE"))
        name, value = match[1], match[2]
        if name in KEY_VARIABLES.values():
            raise _unusable(file, number, say(
                f"키를 직접 쓸 수 없습니다. 키 파일의 경로를 쓰세요: {name}_FILE=",
                f"keys are not allowed here. Set the path of a key file: {name}_FILE="))
        if name not in known:
            raise _unusable(
                file, number, say(f"알 수 없는 설정 {name}", f"unknown setting {name}"), suggestion(name, known))
        if name in seen:
            raise _unusable(file, number, say(f"{name}: 두 번 설정했습니다", f"{name} is set twice"))
        seen.add(name)
        yield name, value


def _unusable(file: Path, number: int, what: str, fix: str = "") -> Problem:
    return Problem(
        say(f"{file} {number}행: {what}", f"{file}, line {number}: {what}"),
        fix=fix or say("모든 설정: compose/boxoffice.conf", "All settings: compose/boxoffice.conf"), code=ExitCode.CONFIGURATION)
