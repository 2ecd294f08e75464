#!/usr/bin/env python3
"""Runs the tests in Python: of what `compose` ships, and of the tools.

    Tests/run.py [--jobs N] [--skip NAME] [NAME…]    all, or those whose name contains one of these

Classes run beside each other. Each test is a line with its seconds; the last line counts them.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
import unittest
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.pycache_prefix = str(ROOT / ".build" / "launcher-pycache")
sys.path[:1] = [str(ROOT / folder) for folder in ("Tests/Tools", "Tests/Deployment", "Tests/Support", "compose")]
# Tests read the English messages, unless they choose the language.
os.environ["BOXOFFICE_LANG"] = "en"


class _TimedResult(unittest.TextTestResult):
    """Records the duration of each test."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self.seconds: dict[str, float] = {}
        self._began = 0.0

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802  (a name of unittest)
        self._began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self.seconds[test.id()] = time.monotonic() - self._began
        super().stopTest(test)


def _tests(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _tests(item)
        else:
            yield item


def _discover(names: list[str], skipped: list[str]) -> dict[str, list[str]]:
    """Return the ids of the chosen tests by class."""
    classes: dict[str, list[str]] = {}
    loader = unittest.TestLoader()
    for file in sorted((ROOT / "Tests").glob("*/*/test_*.py")):
        for test in _tests(loader.loadTestsFromName(f"{file.parent.name}.{file.stem}")):
            if any(name in test.id() for name in names or [""]) and not any(name in test.id() for name in skipped):
                classes.setdefault(test.id().rpartition(".")[0], []).append(test.id())
    if loader.errors:
        raise SystemExit("\n".join(loader.errors))
    return classes


def _run(ids: list[str]) -> tuple[bool, str, dict[str, float], int]:
    output = io.StringIO()
    runner = unittest.TextTestRunner(output, resultclass=_TimedResult, verbosity=0)
    result = runner.run(unittest.TestLoader().loadTestsFromNames(ids))
    return result.wasSuccessful(), output.getvalue(), result.seconds, len(result.skipped)


def main() -> int:
    """Run the chosen tests; return 1 when one fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--skip", action="append", default=[], metavar="NAME", help="not those whose name contains this")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="classes at a time (default 2)")
    options = parser.parse_args()
    start = time.monotonic()
    classes = sorted(_discover(options.names, options.skip).values(), key=len, reverse=True)
    count = skipped = 0
    is_good = True
    with ProcessPoolExecutor(max(1, options.jobs), max_tasks_per_child=1) as pool:
        for was_successful, output, seconds, skips in pool.map(_run, classes):
            count += len(seconds)
            skipped += skips
            for test, took in seconds.items():
                print(f"{took:8.1f} s  {test}", flush=True)
            if not was_successful:
                is_good = False
                print(output, flush=True)
    verdict = "passed" if is_good else "FAILED"
    print(f"{count} Python tests {verdict} in {time.monotonic() - start:.0f} s, {skipped} of them skipped")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
