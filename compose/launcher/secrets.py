"""The API keys: where they come from and which processes may see them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .problem import ExitCode, Problem

KEY_VARIABLES: Mapping[str, str] = {"KOBIS": "KOBIS_API_KEY", "KAKAO": "KAKAO_REST_API_KEY"}
ALL_VARIABLES: tuple[str, ...] = tuple(
    name for variable in KEY_VARIABLES.values() for name in (variable, f"{variable}_FILE")
)
DEMO_KEYS: Mapping[str, str] = {
    "KOBIS_API_KEY": "demo0key0for0kobis00000000000000",
    "KAKAO_REST_API_KEY": "demo0key0for0kakao00000000000000",
}


def hidden_from(upstream: str) -> list[str]:
    """Return the variables a process must not inherit that asks this API, or none ("")."""
    shown = KEY_VARIABLES.get(upstream)
    return [name for name in ALL_VARIABLES if shown is None or name not in (shown, f"{shown}_FILE")]


def real_keys(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that give the real keys, or say which are missing."""
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
            f"no API key: {' and '.join(missing)} not set",
            fix="Set the variable, or …_FILE with the path of a file that holds the key.\n"
            "Without keys: compose/stack up --demo",
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
            f"{variable} names {path}, which cannot be read: {error.strerror}", code=ExitCode.CONFIGURATION
        ) from error
    if empty:
        raise Problem(f"{variable} names {path}, which is empty", code=ExitCode.CONFIGURATION)
    return path
