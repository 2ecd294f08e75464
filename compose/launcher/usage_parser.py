"""The parser of a command line whose mistakes end with the product's exit code for them."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from .problem import ExitCode


class UsageParser(argparse.ArgumentParser):
    """argparse, but for its exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong and where to look."""
        print(f"{self.prog}: {message}\n  See: {self.prog} --help", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
