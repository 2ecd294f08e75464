"""The periods in which instances were healthy, derived from the faults and the broker's events of registrations."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .stack import Stack

BROKER = "broker/1"
AFTER_SUSPENSION_SECONDS = 1.0
"""The time in which a resumed process notices its suspension and registers again."""
SETTLING_SECONDS = 0.2
LIMIT_SECONDS = 30.0


@dataclass
class Interval:
    """A period in which an instance was not healthy."""

    instance: str
    began: float
    ended: float = float("inf")


class Health:
    """The health of the instances."""

    def __init__(self, stack: Stack) -> None:
        self._instances = list(stack.processes())
        self._intervals: list[Interval] = []
        self._joined: dict[str, float] = {}
        self._left: dict[str, float] = {}
        self._changed = threading.Condition()

    @classmethod
    @contextmanager
    def watched(cls, stack: Stack) -> Iterator[Health]:
        """Read the event stream for the duration of the block."""
        health = cls(stack)
        command = [str(stack.binaries / "tap"), "--json", "--kind", "broker.worker_*", "--last", "1"]
        with subprocess.Popen(command, env=stack.environment, stdout=subprocess.PIPE, text=True) as tap:
            assert tap.stdout is not None
            tap.stdout.readline()  # the tap has subscribed
            listener = threading.Thread(target=health._listen, args=(tap.stdout,), daemon=True)
            listener.start()
            try:
                yield health
                if tap.poll() is not None:
                    raise SystemExit("Tests/Tools/Chaos/chaos: the tap has ended, and with it what is known of the instances")
            finally:
                tap.terminate()
                listener.join()

    def mark_unhealthy(self, instance: str, *, forgets: bool) -> Callable[[], bool]:
        """Record a fault of an instance; return a function that waits for its recovery and returns whether it recovered.

        With `forgets`, a new process takes its place: it has recovered when it has registered, a broker when one worker
        of each service has.
        """
        interval = Interval(instance, time.monotonic())
        with self._changed:
            self._intervals.append(interval)
        workers = [name for name in self._instances if name != BROKER]
        services = {name.partition("/")[0] for name in workers}
        awaited = [
            [name for name in workers if name.startswith(f"{service}/")] for service in services
        ] if instance == BROKER else [[instance]]

        def is_back() -> bool:
            resumed_at = time.monotonic()
            if not forgets:
                time.sleep(AFTER_SUSPENSION_SECONDS)
            with self._changed:
                found = self._changed.wait_for(
                    lambda: all(
                        any(self._is_registered(name, interval.began, resumed_at, forgets) for name in one_of)
                        for one_of in awaited),
                    LIMIT_SECONDS)
            if found:
                interval.ended = time.monotonic() + SETTLING_SECONDS
            return found

        return is_back

    def was_served(self, began: float, ended: float) -> bool:
        """Return whether each service had a healthy instance at every moment between these two."""
        with self._changed:
            services = {name.partition("/")[0] for name in self._instances}
            return all(self._had_healthy_instance(service, began, ended) for service in services)

    def _had_healthy_instance(self, service: str, began: float, ended: float) -> bool:
        instances = [name for name in self._instances if name.startswith(f"{service}/")]
        hurt = [one for one in self._intervals if one.instance in instances and one.began < ended and one.ended > began]
        # It suffices to check the starts of faults: between two starts instances can only recover.
        moments = [began, *(one.began for one in hurt if one.began > began)]
        return not any(
            {one.instance for one in hurt if one.began <= moment < one.ended} >= set(instances) for moment in moments
        )

    def _is_registered(self, name: str, since: float, resumed_at: float, forgets: bool) -> bool:
        joined, left = self._joined.get(name, 0.0), self._left.get(name, 0.0)
        if forgets:
            return joined > since
        # The broker may not have noticed the suspension.
        return joined >= left or left < since or joined > resumed_at

    def _listen(self, lines: Iterator[str]) -> None:
        for line in lines:
            event = json.loads(line)
            if "kind" not in event:
                continue
            with self._changed:
                times = self._joined if event["kind"] == "broker.worker_joined" else self._left
                times[event["attributes"]["instance"]] = time.monotonic()
                self._changed.notify_all()
