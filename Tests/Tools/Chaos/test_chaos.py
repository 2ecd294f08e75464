"""The judgement of `Tests/Tools/Chaos/chaos`: each kind of bad answer, and the periods of health."""

from __future__ import annotations

import json
import threading
import time
import unittest
from dataclasses import replace
from typing import Any

from Chaos.faults import Fault
from Chaos.health import Health, Interval
from Chaos.judgement import Answer, judge
from Chaos.questions import parts
from Chaos.report import Report

_TRUTH = parts({
    "chart": {"status": "ok", "value": {"entries": [1]}},
    "films": [{"code": "1", "detail": {"status": "ok", "value": "d"}, "poster": {"status": "ok", "value": "p"}}],
})


def answer(**changes: Any) -> dict[str, Any]:
    """Return a true answer with some changes, also to the parts of its one film."""
    film = {"code": "1", "detail": {"status": "ok", "value": "d"}, "poster": {"status": "ok", "value": "p"}}
    film.update({name: changes.pop(name) for name in ("detail", "poster") if name in changes})
    return {"chart": {"status": "ok", "value": {"entries": [1]}}, "films": [film], "complete": True, **changes}


class Judgement(unittest.TestCase):
    """One answer."""

    def judge(self, printed_answer: Any, code: int | None = 0, seconds: float = 1) -> Answer:
        """Judge the output of a gateway."""
        printed = printed_answer if isinstance(printed_answer, str) else json.dumps(printed_answer)
        return judge(("show", "x"), _TRUTH, 5, 0, seconds, code, printed, "said")

    def test_a_correctly_labelled_answer_has_no_faults(self) -> None:
        failure = {"status": "failed", "failure": {"code": "timeout"}, "value": None}
        table = [
            (answer(), 0, True, False), (answer(poster=failure, complete=False), 0, False, False),
            (answer(detail={"status": "stale", "value": "d", "failure": {"code": "busy"}}, complete=False), 0, False, False),
            ({"chart": failure, "films": [], "complete": False}, 75, False, True),
        ]
        for printed_answer, code, is_complete, has_nothing in table:
            with self.subTest(printed_answer):
                judgement = self.judge(printed_answer, code)
                self.assertEqual(judgement.faults, ())
                self.assertEqual((judgement.is_complete, judgement.has_nothing), (is_complete, has_nothing))

    def test_each_kind_of_bad_answer_is_recognised(self) -> None:
        nothing = {"status": "failed", "failure": {"code": "timeout"}, "value": None}
        table: list[tuple[Any, int | None, float, str]] = [
            (answer(), 0, 7.1, "late"), ("", 69, 1, "no answer"), ("{", 0, 1, "no answer"),
            (json.dumps(answer()) * 2, 0, 1, "no answer"), ("", None, 15, "no answer"), (answer(), 70, 1, "ended with 70"),
            (answer(), 75, 1, "ended with 75, with"), ({"chart": nothing, "films": [], "complete": False}, 0, 1, "without"),
            (answer(detail={"status": "ok", "value": "x"}), 0, 1, "wrong: 1.detail"),
            (answer(chart={"status": "ok", "value": {"entries": [2]}}), 0, 1, "wrong: chart"),
            (answer(poster={"status": "failed", "failure": None, "value": None}, complete=False), 0, 1, "not labelled: 1.poster"),
            (answer(poster={"status": "ok", "value": None}), 0, 1, "not labelled: 1.poster is ok and empty"),
            (answer(poster=nothing), 0, 1, "mislabelled"), (answer(complete=False), 0, 1, "mislabelled"),
            (answer(films=[]), 0, 1, "mislabelled"), (answer(films=[], complete=False), 0, 1, "not labelled: 1.detail is missing"),
            ({}, 0, 1, "no answer"), ([], 0, 1, "no answer"), (answer(detail=None), 0, 1, "no answer"),
            (answer(films=[{**answer()["films"][0], "code": "2"}]), 0, 1, "not known: 2."),
        ]
        for printed_answer, code, seconds, why in table:
            with self.subTest(printed_answer=printed_answer, code=code):
                self.assertIn(why, "; ".join(self.judge(printed_answer, code, seconds).faults))


class FixedHealth(Health):
    """Health with fixed periods, without a stack."""

    def __init__(self, instances: list[str], hurt: dict[str, tuple[float, float]]) -> None:
        self._instances = instances
        self._intervals = [Interval(name, *span) for name, span in hurt.items()]
        self._changed = threading.Condition()


class Availability(unittest.TestCase):
    """Moments at which a service had no healthy instance."""

    def test_a_query_was_served_if_at_each_moment_one_instance_of_each_service_was_healthy(self) -> None:
        instances = ["broker/1", "detail-fetcher/1", "detail-fetcher/2"]
        table: list[tuple[dict[str, tuple[float, float]], bool]] = [
            ({}, True), ({"broker/1": (2, 3)}, False), ({"broker/1": (0, 1)}, True), ({"broker/1": (4, 9)}, True),
            ({"broker/1": (0, 9)}, False), ({"detail-fetcher/1": (0, 9)}, True),
            ({"detail-fetcher/1": (0, 9), "detail-fetcher/2": (3, 3.1)}, False),
            ({"detail-fetcher/1": (1, 2), "detail-fetcher/2": (2, 4)}, True),
            ({"detail-fetcher/1": (1, 2.5), "detail-fetcher/2": (2, 4)}, False),
        ]
        for hurt, was_served in table:
            with self.subTest(hurt):
                self.assertEqual(FixedHealth(instances, hurt).was_served(1, 4), was_served)


class Verdict(unittest.TestCase):
    """The verdict on a run."""

    def report(self, asked: list[Answer], afterwards: list[Answer], *faults: Fault) -> list[str]:
        """Return the troubles of these answers, all from a time when every instance was healthy."""
        late = [replace(answer, began=100, ended=101) for answer in afterwards]
        return Report(1, 5, list(faults), [*asked, *late], FixedHealth(["broker/1"], {}), calm_from=50).troubles()

    def test_99_of_100_must_be_complete_and_all_after_the_last_fault(self) -> None:
        good = Answer(("show", "x"), 0, 1, True, False, (), ())
        partial = Answer(("show", "x"), 0, 1, False, False, ("timeout",), ())
        wrong = Answer(("show", "x"), 0, 1, True, False, (), ("wrong: chart",))
        self.assertEqual(self.report([good] * 99 + [partial], [good]), [])
        self.assertIn("only 98.0%", self.report([good] * 98 + [partial] * 2, [good])[0])
        self.assertEqual(self.report([good] * 20 + [partial], [good]), [], "one is no share")
        self.assertIn("only 90.0%", self.report([good] * 18 + [partial] * 2, [good])[0])
        self.assertIn("not complete after the last fault", self.report([good], [partial])[0])
        self.assertIn("wrong: chart", self.report([good, wrong], [good])[0])
        self.assertIn("too few questions", self.report([good], [])[0])
        self.assertIn("did not come back", self.report([good], [good], Fault("broker/1", "kill -9", 0))[0])
        failed = Fault("broker/1", "restart", 0, recovered=1, trouble="ended with 69")
        self.assertIn("ended with 69", self.report([good], [good], failed)[0])


class Return(unittest.TestCase):
    """The recovery of an instance."""

    def test_a_worker_has_recovered_when_it_has_joined_and_a_broker_when_one_of_each_service_has(self) -> None:
        health = FixedHealth(["broker/1", "a/1", "a/2", "b/1"], {})
        health._joined, health._left = {"a/1": 1.0, "a/2": 1.0, "b/1": 1.0}, {}
        for hurt, joins in (("a/1", ["a/1"]), ("broker/1", ["a/2", "b/1"])):
            is_back = health.mark_unhealthy(hurt, forgets=True)
            for name in joins:
                self.assertFalse(health._is_registered(name, time.monotonic() - 1e-6, 0, True))
                health._joined[name] = time.monotonic() + 1
            self.assertTrue(is_back())

    def test_a_suspended_worker_has_recovered_unless_the_broker_removed_it(self) -> None:
        health = FixedHealth(["a/1"], {})
        for joined, left, resumed_at, is_registered in (
            (1.0, 0.0, 20, True), (1.0, 11.0, 20, False), (21.0, 11.0, 20, True), (1.0, 5.0, 20, True),
        ):
            health._joined, health._left = {"a/1": joined}, {"a/1": left}
            self.assertEqual(health._is_registered("a/1", 10, resumed_at, False), is_registered)
