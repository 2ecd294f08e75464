"""`compose/stack config`: every setting with its value and origin, as the gateway knows them."""

from __future__ import annotations

import subprocess
from argparse import Namespace

from .gateway import command, usual_gateway


def config(options: Namespace) -> int:
    """Print the effective settings by `gateway config`, and return its exit code."""
    arguments = ["--json"] if options.json else []
    return subprocess.run(command(usual_gateway(), "config", *arguments), env=options.environ, check=False).returncode
