"""The report: the faults, the answers, and whether all promises were kept."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable

from launcher.terminal import aligned

from .faults import KILL, RESTART, STOP, Fault
from .health import Health
from .judgement import Answer

MOST_INCOMPLETE = 0.01
"""The share of incomplete answers; one is always allowed, since a disk stall of a second may cost all its posters."""
LEAST_SERVED = 0.1
"""The lowest share of queries with healthy services; with fewer the run proves nothing."""


class Report:
    """The report of one run."""

    def __init__(
        self, seed: int, seconds: float, faults: list[Fault], asked: list[Answer], health: Health, calm_from: float
    ) -> None:
        self._head = f"seed {seed}, {seconds:g} s of faults"
        self._faults = faults
        self._asked = asked
        self._afterwards = [answer for answer in asked if answer.began >= calm_from]
        during = [(answer, health.was_served(answer.began, answer.ended)) for answer in asked if answer.began < calm_from]
        self._served = [answer for answer, was_served in during if was_served]
        self._unserved = [answer for answer, was_served in during if not was_served]

    def text(self) -> str:
        """Return the tables."""
        lines = [self._head, "", *self._fault_table(), "", *self._answer_table()]
        codes = Counter(code for answer in self._asked for code in answer.codes)
        if codes:
            lines += ["", "labels: " + ", ".join(f"{code} {count:,}" for code, count in codes.most_common())]
        lines += ["", "It does not hold." if self.troubles() else "It holds."]
        return "\n".join(lines)

    def troubles(self) -> list[str]:
        """Return the promises that were not kept."""
        troubles = [
            f"{' '.join(answer.question)}: {fault}"
            for answer in self._asked for fault in answer.faults
        ]
        if len(self._served) < LEAST_SERVED * (len(self._served) + len(self._unserved)) or not self._afterwards:
            troubles.append("too few questions were asked while one instance of each service was healthy, or afterwards")
        elif _incomplete(self._served) > max(1, MOST_INCOMPLETE * len(self._served)):
            share = 1 - _incomplete(self._served) / len(self._served)
            troubles.append(f"only {share:.1%} were complete while one of each service was healthy")
        troubles += [
            f"{' '.join(answer.question)} was not complete after the last fault: {', '.join(answer.codes)}"
            for answer in self._afterwards if not answer.is_complete
        ]
        troubles += [f"{fault.instance} did not come back" for fault in self._faults if fault.recovered is None]
        troubles += [f"{fault.kind} of {fault.instance}: {fault.trouble}" for fault in self._faults if fault.trouble]
        return troubles

    def _fault_table(self) -> list[str]:
        rows = [("WHO", KILL, STOP, RESTART, "BACK AFTER s (median, most)")]
        services = dict.fromkeys(fault.instance.partition("/")[0] for fault in self._faults)
        for service in sorted(services):
            own = [fault for fault in self._faults if fault.instance.startswith(f"{service}/")]
            kinds = Counter(fault.kind for fault in own)
            took = [fault.recovered - fault.began - fault.seconds for fault in own if fault.recovered]
            back = f"{statistics.median(took):.1f}, {max(took):.1f}" if took else "-"
            rows.append((service, *(str(kinds[kind]) for kind in (KILL, STOP, RESTART)), back))
        return aligned(rows, right=(1, 2, 3))

    def _answer_table(self) -> list[str]:
        rows = [("QUESTIONS", "ASKED", "COMPLETE", "IN PART", "FAILED, LABELLED", "WRONG OR SILENT", "SECONDS (median, most)")]
        for name, answers in (
            ("one of each healthy", self._served), ("a service had none", self._unserved), ("3 s after the last", self._afterwards)
        ):
            rows.append((name, *_figures(answers)))
        return aligned(rows, right=(1, 2, 3, 4, 5))


def _incomplete(answers: list[Answer]) -> int:
    return sum(not answer.is_complete for answer in answers)


def _figures(answers: Iterable[Answer]) -> tuple[str, ...]:
    answers = list(answers)
    complete = [answer for answer in answers if answer.is_complete]
    bad = [answer for answer in answers if answer.faults]
    unanswered = [answer for answer in answers if not answer.is_complete and answer.has_nothing]
    seconds = [answer.ended - answer.began for answer in answers]
    took = f"{statistics.median(seconds):.2f}, {max(seconds):.2f}" if seconds else "-"
    partial = len(answers) - len(complete) - len(unanswered)
    share = f"{len(complete):,} ({len(complete) / len(answers):.1%})" if answers else "0"
    return (f"{len(answers):,}", share, f"{partial:,}", f"{len(unanswered):,}", f"{len(bad):,}", took)
