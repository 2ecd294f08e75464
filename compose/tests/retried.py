"""Tests of what has limits in real time."""

from __future__ import annotations

import sys
import unittest


class RetriedCase(unittest.TestCase):
    """A test that is asked again when it fails: once, and a few in a run.

    Machines are shared: one that gets no CPU for two seconds lets a limit pass, and rightly so. What is broken fails again.
    """

    retries_of_a_run = 5

    def run(self, result: unittest.TestResult | None = None) -> unittest.TestResult | None:
        """Run the test; with a retry left, tell of its first failure on stderr alone."""
        if result is None or RetriedCase.retries_of_a_run == 0:
            return super().run(result)
        trial = unittest.TestResult()
        super().run(trial)
        if not trial.wasSuccessful():
            RetriedCase.retries_of_a_run -= 1
            for _, trace in trial.failures + trial.errors:
                print(f"\n{self.id()} is asked again, since it failed:\n{trace}", file=sys.stderr)
            return super().run(result)
        result.startTest(self)
        for _, reason in trial.skipped:
            result.addSkip(self, reason)
        if not trial.skipped:
            result.addSuccess(self)
        result.stopTest(self)
        return result
