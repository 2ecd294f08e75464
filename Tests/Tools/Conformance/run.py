"""Detects the protocol versions of a broker and checks their rules."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import zmq

from . import rules_management, rules_options
from .deviation import Deviation, NotSpoken
from .dialect import BOTH, V02, Dialect
from .limits import Limits
from .rule import Pace, Rule
from .scene import BrokerUnavailable, Endpoints, Scene

OK, FAILS, NOT_SPOKEN, NOT_RUN = "ok", "fails", "not spoken", "not run"


@dataclass(frozen=True)
class Outcome:
    """The result of checking one rule."""

    rule: Rule
    status: str
    expected: str = ""
    came: str = ""
    seconds: float = 0.0


@dataclass
class Run:
    """One run of the kit against one broker."""

    endpoints: Endpoints
    limits: Limits
    context: zmq.Context[zmq.Socket[bytes]] = field(default_factory=zmq.Context)
    unavailable_at: float | None = None

    def detect_versions(self, dialects: Iterable[Dialect] = BOTH) -> list[Dialect]:
        """Return the versions in which the broker dispatches a request to a worker."""
        with self._scene() as scene:
            services = {dialect: scene.service() for dialect in dialects}
            workers = {dialect: scene.worker(dialect, service) for dialect, service in services.items()}
            for dialect, service in services.items():
                scene.client(dialect).ask(service, b"does anybody hear this?")
            detected: list[Dialect] = []
            end = scene.now() + 2 * self.limits.answer
            while len(detected) < len(workers) and scene.now() < end:
                for dialect, worker in workers.items():
                    if dialect in detected:
                        continue
                    if self._is_dispatched(scene, worker.receive(self.limits.settle), dialect):
                        detected.append(dialect)
                        end = min(end, scene.now() + self.limits.other)
            return [dialect for dialect in workers if dialect in detected]

    @staticmethod
    def _is_dispatched(scene: Scene, frames: list[bytes] | None, dialect: Dialect) -> bool:
        if frames is None:
            return False
        try:
            return dialect.read_command(frames).name == "REQUEST"
        except Deviation:
            return False

    def detect_management(self, dialects: Iterable[Dialect]) -> list[Dialect]:
        """Return the versions in which the management interface answers."""
        with self._scene() as scene:
            return [each for each in dialects if rules_management.is_there(scene, each, self.limits.other)]

    def detect_extensions(self) -> bool:
        """Return whether the broker accepts the options of this repository's workers."""
        with self._scene() as scene:
            return rules_options.is_agreed(scene, V02)

    def check(self, rules: list[Rule], spoken: list[Dialect]) -> list[Outcome]:
        """Check all rules and return the outcomes in the order of the rules."""
        managed = self.detect_management(spoken) if any(rule.chapter == "8" for rule in rules) else []
        is_ours = V02 in spoken and any(rule.chapter == "ours" for rule in rules) and self.detect_extensions()
        outcomes: dict[str, Outcome] = {}

        def record(outcome: Outcome) -> None:
            outcomes[outcome.rule.name] = outcome

        due: list[Rule] = []
        for rule in rules:
            if self._is_spoken(rule, spoken, managed, is_ours):
                due.append(rule)
            else:
                record(Outcome(rule, NOT_SPOKEN))
        slow = [rule for rule in due if rule.pace is Pace.SLOW]
        with ThreadPoolExecutor(max_workers=max(1, len(slow))) as pool:
            started = [pool.submit(self._outcome, rule) for rule in slow]
            for rule in due:
                if rule.pace is Pace.QUICK:
                    record(self._outcome(rule))
            for future in started:
                record(future.result())
        for rule in due:
            if rule.pace is Pace.HARSH:
                record(self._outcome(rule))
        return [outcomes[rule.name] for rule in rules]

    @staticmethod
    def _is_spoken(rule: Rule, spoken: list[Dialect], managed: list[Dialect], is_ours: bool) -> bool:
        match rule.chapter:
            case "8":
                return rule.dialect in managed
            case "mixed":
                return len(spoken) == len(BOTH)
            case "ours":
                return is_ours
            case _:
                return rule.dialect in spoken

    def _outcome(self, rule: Rule) -> Outcome:
        if self.unavailable_at is not None:
            return Outcome(rule, NOT_RUN)
        start = time.monotonic()
        try:
            with self._scene() as scene:
                rule.check(scene, rule.dialect)
            return Outcome(rule, OK, seconds=time.monotonic() - start)
        except NotSpoken:
            return Outcome(rule, NOT_SPOKEN, seconds=time.monotonic() - start)
        except Deviation as deviation:
            if self.unavailable_at is not None and self.unavailable_at > start:
                # Another rule ended the broker during this check.
                return Outcome(rule, NOT_RUN)
            if self._is_unavailable(rule.dialect, deviation):
                self.unavailable_at = time.monotonic()
            return Outcome(rule, FAILS, deviation.expected, deviation.came, time.monotonic() - start)

    def _is_unavailable(self, dialect: Dialect, deviation: Deviation) -> bool:
        # A supervised broker may have been restarted: the rule has failed, but the next ones can be checked.
        for _ in range(2 if isinstance(deviation, BrokerUnavailable) else 1):
            try:
                with self._scene() as scene:
                    scene.expect_broker_alive(dialect)
                return False
            except BrokerUnavailable:
                continue
        return True

    def _scene(self) -> Scene:
        return Scene(self.context, self.endpoints, self.limits)
