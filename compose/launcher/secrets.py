"""The API keys: their sources, and the files through which the fetchers read them.

A process's environment can be read in /proc and is inherited, so no process of a stack has a key there: a fetcher gets
the path of a file, the user's own or one in the run folder.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping

from .language import say
from .problem import ExitCode, Problem
from .run_folder import KEY_FILES, RunFolder
from .services import KEY_VARIABLES

ALL_VARIABLES: tuple[str, ...] = tuple(
    name for variable in KEY_VARIABLES.values() for name in (variable, f"{variable}_FILE")
)
DEMO_KEYS: Mapping[str, str] = {
    variable: f"demo0key0for0{upstream.lower()}".ljust(32, "0") for upstream, variable in KEY_VARIABLES.items()
}


def erase_from_environment() -> None:
    """Erase the keys from this process's environment.

    /proc/PID/environ shows the memory that held the environment at the start, and unsetting a variable does not change
    that memory. So the values are overwritten there, for this process and for the keeper, which is a fork of it.
    """
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    for variable in KEY_VARIABLES.values():
        if address := libc.getenv(variable.encode("ascii")):
            ctypes.memset(address, ord("*"), len(ctypes.string_at(address)))
        os.environ.pop(variable, None)


def for_stack(environ: Mapping[str, str], folder: RunFolder, demo: bool) -> dict[str, str]:
    """Return the keys of a stack, by the variables that give them or their files."""
    keys = dict(DEMO_KEYS) if demo else real_keys(environ)
    own = {os.path.realpath(folder.path / name) for name in KEY_FILES.values()}
    for variable, path in keys.items():
        if variable.endswith("_FILE") and os.path.realpath(path) in own:
            raise Problem(
                say(f"{variable}: {path} 파일은 compose/stack이 쓰고 지우는 파일입니다",
                    f"{variable}: compose/stack writes and removes {path} itself"),
                fix=say("키 파일은 실행 디렉터리 밖에 두세요.", "Keep the key file outside the run directory."), code=ExitCode.CONFIGURATION,
            )
    return keys


def write_files(keys: Mapping[str, str], folder: RunFolder) -> dict[str, str]:
    """Write each key that was given by value into a private file; return the …_FILE variables of all keys."""
    files = {}
    for variable, given in keys.items():
        if variable.endswith("_FILE"):
            files[variable] = given
        else:
            files[f"{variable}_FILE"] = str(folder.write_key_file(variable, given.strip()))
    return files


def real_keys(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of the real keys, or raise a problem that names the missing ones."""
    given: dict[str, str] = {}
    missing: list[str] = []
    for variable in KEY_VARIABLES.values():
        file = environ.get(f"{variable}_FILE", "")
        if environ.get(variable, "").strip():
            given[variable] = environ[variable]
        elif file:
            given[f"{variable}_FILE"] = _checked_file(f"{variable}_FILE", file)
        else:
            missing.append(variable)
    if missing:
        raise Problem(
            say(f"API 키가 설정되지 않았습니다: {', '.join(missing)}", f"API keys are not set: {', '.join(missing)}"),
            fix=say("환경 변수를 설정하거나, 키 파일의 경로를 …_FILE에 설정하세요.\n키 없이: compose/stack up --demo",
                    "Set the variable, or …_FILE to the path of a key file.\n"
                    "Without keys: compose/stack up --demo"),
            code=ExitCode.CONFIGURATION,
        )
    return given


def _checked_file(variable: str, name: str) -> str:
    path = os.path.abspath(name)
    try:
        with open(path, "rb") as file:
            empty = not file.read(4096).strip()
    except OSError as error:
        raise Problem(
            say(f"{variable}: {path} 파일을 읽을 수 없습니다: {error.strerror}",
                f"{variable}: cannot read {path}: {error.strerror}"), code=ExitCode.CONFIGURATION
        ) from error
    if empty:
        raise Problem(
            say(f"{variable}: {path} 파일이 비어 있습니다", f"{variable}: {path} is empty"),
            code=ExitCode.CONFIGURATION)
    return path
