"""`compose/stack config`: every setting with its value and origin; for a key only whether it is set."""

from __future__ import annotations

import json
import os
from argparse import Namespace

from .language import say
from .problem import ExitCode
from .secrets import KEY_VARIABLES
from .settings import Setting, shown_value
from .table import aligned, terminal_columns


def config(options: Namespace) -> int:
    """Print the effective settings."""
    keys = [_presence(name) for name in KEY_VARIABLES.values()]
    settings = [*options.settings, *keys]
    if options.json:
        entries = [{"name": setting.name, "value": shown_value(setting), "origin": setting.origin} for setting in settings]
        print(json.dumps(entries, ensure_ascii=False, indent=2))
    else:
        rows = [(setting.name, _value(shown_value(setting)), _origin(setting.origin)) for setting in settings]
        head = (say("이름", "NAME"), say("값", "VALUE"), say("출처", "FROM"))
        print("\n".join(aligned([head, *rows], priorities={2: 1}, limit=terminal_columns())))
    return ExitCode.OK


def _value(value: str) -> str:
    return {"set": say("설정됨", "set"), "not set": say("설정 안 됨", "not set")}.get(value, value or "-")


def _origin(origin: str) -> str:
    return {"environment": say("환경 변수", "environment"), "default": say("기본값", "default")}.get(origin, origin)


def _presence(name: str) -> Setting:
    is_set = bool(os.environ.get(name))
    return Setting(name, "set" if is_set else "not set", "environment" if is_set else "default")
