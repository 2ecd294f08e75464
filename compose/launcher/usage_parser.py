"""A parser of command lines that uses the product's exit code for usage errors."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from .problem import ExitCode


class UsageParser(argparse.ArgumentParser):
    """argparse with the product's exit code instead of 2."""

    def error(self, message: str) -> NoReturn:
        """Print the error and the command that shows the help."""
        print(f"{self.prog}: {message}\n  See: {self.prog} --help", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
