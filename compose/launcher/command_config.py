"""`compose/stack config`: every setting with its value and origin; for a key only whether it is set."""

from __future__ import annotations

import json
import os
from argparse import Namespace

from .problem import ExitCode
from .secrets import KEY_VARIABLES
from .settings import Setting
from .table import aligned


def config(options: Namespace) -> int:
    """Print the effective settings."""
    keys = [_presence(name) for name in KEY_VARIABLES.values()]
    settings = [*options.settings, *keys]
    if options.json:
        entries = [{"name": setting.name, "value": setting.value, "origin": setting.origin} for setting in settings]
        print(json.dumps(entries, ensure_ascii=False, indent=2))
    else:
        rows = [(setting.name, setting.value or "-", setting.origin) for setting in settings]
        print("\n".join(aligned([("NAME", "VALUE", "FROM"), *rows])))
    return ExitCode.OK


def _presence(name: str) -> Setting:
    is_set = bool(os.environ.get(name))
    return Setting(name, "set" if is_set else "not set", "environment" if is_set else "default")
