"""The settings of the user's file, which the environment overrides; `boxoffice.conf` lists all with their defaults."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path

from . import services
from .installation import SETTINGS_FILE
from .language import say
from .problem import ExitCode, Problem
from .services import KEY_VARIABLES
from .suggestion import closest

FILE_VARIABLE = "BOXOFFICE_CONFIG"
# The ends of the names of settings that hold addresses.
_ADDRESSES = ("_BROKER", "_URL", "_ENDPOINT", "_HOST", "_HOSTS", "_PROXY")
_LARGEST_BYTES = 1 << 20
_DEFAULT = re.compile(r"^#([A-Z][A-Z0-9_]*)=(.*)$")
_SETTING = re.compile(r"\s*([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(.*?)\s*")


@dataclass(frozen=True)
class Setting:
    """A value and its origin."""

    name: str
    value: str
    origin: str
    """The word environment or default, or the file and its line."""


def address_text(value: str) -> str:
    """Return an address as output shows it, by the rule of the programs: without user, password and query."""
    scheme, separator, rest = value.partition("://")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        separator = ""
    if not separator:
        scheme, rest = "", value
    _, at, host = rest.rpartition("@")
    path = re.split(r"[?#]", host, maxsplit=1)
    return f"{scheme}{separator}{'***@' if at else ''}{path[0]}{'?***' if len(path) > 1 else ''}"


def shown_value(setting: Setting) -> str:
    """Return the value of a setting as output shows it."""
    return address_text(setting.value) if setting.name.endswith(_ADDRESSES) else setting.value


def defaults() -> dict[str, str]:
    """Return all settings with their defaults; a default that depends on the system is empty."""
    lines = SETTINGS_FILE.read_text(encoding="utf-8").splitlines()
    return {match[1]: match[2] for line in lines if (match := _DEFAULT.match(line))} | services.defaults()


def file_of(environ: Mapping[str, str]) -> Path | None:
    """Return the user's file, if it exists; a file named by the variable must exist."""
    if named := environ.get(FILE_VARIABLE):
        return None if named == os.devnull else Path(os.path.abspath(named))
    folder = environ.get("XDG_CONFIG_HOME") or (f"{environ['HOME']}/.config" if environ.get("HOME") else None)
    usual = Path(folder) / "boxoffice" / "boxoffice.conf" if folder else None
    return usual if usual and usual.exists() else None


def read(file: Path) -> list[Setting]:
    """Return the settings of a file, or raise a problem with the invalid line and the reason."""
    try:
        text = _text(file)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else say("UTF-8 텍스트가 아닙니다", "it is no UTF-8 text")
        if not isinstance(error, (OSError, UnicodeDecodeError)):
            why = str(error)
        raise Problem(
            say(f"설정 파일 {file}: 읽을 수 없습니다: {why}", f"the settings in {file} cannot be read: {why}"),
            code=ExitCode.CONFIGURATION) from error
    return list(_settings(file, text))


def _text(file: Path) -> str:
    """Return the text of a regular file of a size that settings have: another one may have no end."""
    # A pipe without a writer would keep a plain open waiting.
    with open(file, "rb", opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise ValueError(say("일반 파일이 아닙니다", "it is no regular file"))
        content = opened.read(_LARGEST_BYTES + 1)
    if len(content) > _LARGEST_BYTES:
        raise ValueError(say("1 MiB보다 큽니다", "it is larger than 1 MiB"))
    return content.decode("utf-8")


def apply_user_file(environ: MutableMapping[str, str]) -> list[Setting]:
    """Add the settings of the user's file that the environment lacks, and return all settings with their origins."""
    file = file_of(environ)
    of_file = {setting.name: setting for setting in read(file)} if file else {}
    settings = []
    for name, default in defaults().items():
        if environ.get(name):
            settings.append(Setting(name, environ[name], "environment"))
        elif name in environ:
            settings.append(Setting(name, default, "default"))  # an empty variable means the default
        elif name in of_file and of_file[name].value and not (name == "BOXOFFICE_BROKER" and environ.get("BOXOFFICE_RUN")):
            settings.append(of_file[name])
            environ[name] = of_file[name].value
        else:
            settings.append(Setting(name, default, "default"))
    # The environment now contains all settings, so started processes need not read the file again.
    environ[FILE_VARIABLE] = os.devnull
    return settings


def _settings(file: Path, text: str) -> Iterator[Setting]:
    known, seen = defaults(), set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _SETTING.fullmatch(line)
        if not match:
            raise _unusable(file, number, say("NAME=VALUE 형식이 아닙니다", "is no NAME=VALUE"))
        name, value = match[1], match[2]
        if name in KEY_VARIABLES.values():
            raise _unusable(file, number, say(
                f"키가 들어 있습니다. 키가 든 파일의 이름을 쓰세요: {name}_FILE=",
                f"holds a key; name a file that holds it: {name}_FILE="))
        if name not in known:
            close = closest(name, known)
            raise _unusable(
                file, number, say(f"알 수 없는 설정 {name}", f"unknown setting {name}"),
                say(f"{close}인가요?", f"Did you mean {close}?") if close else "")
        if name in seen:
            raise _unusable(file, number, say(f"{name}: 두 번 설정했습니다", f"sets {name} a second time"))
        seen.add(name)
        yield Setting(name, value, f"{file}:{number}")


def _unusable(file: Path, number: int, what: str, fix: str = "") -> Problem:
    return Problem(
        say(f"{file} {number}행: {what}", f"{file}, line {number}, {what}"),
        fix=fix or say("모든 설정: compose/boxoffice.conf", "All settings: compose/boxoffice.conf"), code=ExitCode.CONFIGURATION)
