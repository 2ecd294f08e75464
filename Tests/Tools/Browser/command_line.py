"""The command line of the browser checks; `browser` starts it with the libraries that it needs."""

from __future__ import annotations

import argparse
import sys
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

from . import checks, export, live, long_film, matrix, media, requests
from .paint import measure_paint
from .scene import Scene
from .shots import take_shots

ROOT = Path(__file__).resolve().parents[3]
MODULES = (checks, export, live, long_film, matrix, media, requests)


def _tests(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _tests(item)
        else:
            yield item


def main() -> int:
    """Run the chosen checks; return 1 when one fails."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--bin", type=Path, default=ROOT / ".build" / "debug")
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--paint", type=int, metavar="RUNS")
    options = parser.parse_args()
    began = time.monotonic()
    with Scene.running(options.bin.resolve(), long_film.write_recordings) as scene:
        if options.shots:
            take_shots(scene, options.shots)
            return 0
        if options.paint:
            measure_paint(scene, options.paint)
            return 0
        loader = unittest.TestLoader()
        suite = unittest.TestSuite()
        for module in MODULES:
            module.SCENE = scene
            suite.addTests(
                test for test in _tests(loader.loadTestsFromModule(module))
                if not options.names or any(name in test.id() for name in options.names))
        result = unittest.TextTestRunner(sys.stdout, verbosity=2).run(suite)
    count = result.testsRun
    verdict = "passed" if result.wasSuccessful() else "FAILED"
    print(f"{count} browser checks {verdict} in {time.monotonic() - began:.0f} s")
    return 0 if result.wasSuccessful() and count else 1


if __name__ == "__main__":
    sys.exit(main())
