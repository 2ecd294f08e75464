"""Who was healthy when: told by the faults, and by the broker's own events of who has registered."""

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
AFTER_STANDSTILL_SECONDS = 1.0
"""A process that was stopped notices that when it goes on, and registers anew."""
SETTLING_SECONDS = 0.2
PATIENCE_SECONDS = 30.0


@dataclass
class Interval:
    """When an instance was not healthy."""

    instance: str
    began: float
    ended: float = float("inf")


class Health:
    """What is known of the instances' health."""

    def __init__(self, stack: Stack) -> None:
        self._instances = list(stack.processes())
        self._intervals: list[Interval] = []
        self._joined: dict[str, float] = {}
        self._left: dict[str, float] = {}
        self._changed = threading.Condition()

    @classmethod
    @contextmanager
    def watched(cls, stack: Stack) -> Iterator[Health]:
        """Listen to the event stream for as long as the block runs."""
        health = cls(stack)
        command = [str(stack.binaries / "tap"), "--json", "--kind", "broker.worker_*", "--last", "1"]
        with subprocess.Popen(command, env=stack.environment, stdout=subprocess.PIPE, text=True) as tap:
            assert tap.stdout is not None
            tap.stdout.readline()  # it is on the stream
            listener = threading.Thread(target=health._listen, args=(tap.stdout,), daemon=True)
            listener.start()
            try:
                yield health
                if tap.poll() is not None:
                    raise SystemExit("Tests/Chaos/chaos: the tap has ended, and with it what is known of the instances")
            finally:
                tap.terminate()
                listener.join()

    def hurt(self, instance: str, *, forgets: bool) -> Callable[[], bool]:
        """Take note that an instance is harmed; what is returned waits until it is healthy again, and tells whether it is.

        Whoever forgets, since it is another process, is back when it has registered; of a broker, when one of each
        service has.
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
            went_on = time.monotonic()
            if not forgets:
                time.sleep(AFTER_STANDSTILL_SECONDS)
            with self._changed:
                found = self._changed.wait_for(
                    lambda: all(
                        any(self._is_registered(name, interval.began, went_on, forgets) for name in one_of)
                        for one_of in awaited),
                    PATIENCE_SECONDS)
            if found:
                interval.ended = time.monotonic() + SETTLING_SECONDS
            return found

        return is_back

    def was_served(self, began: float, ended: float) -> bool:
        """Return whether each service had a healthy instance at every moment between these two."""
        with self._changed:
            services = {name.partition("/")[0] for name in self._instances}
            return all(self._had_one(service, began, ended) for service in services)

    def _had_one(self, service: str, began: float, ended: float) -> bool:
        instances = [name for name in self._instances if name.startswith(f"{service}/")]
        hurt = [one for one in self._intervals if one.instance in instances and one.began < ended and one.ended > began]
        # It suffices to look at the moments at which somebody was hurt: between two of them matters only get better.
        moments = [began, *(one.began for one in hurt if one.began > began)]
        return not any(
            {one.instance for one in hurt if one.began <= moment < one.ended} >= set(instances) for moment in moments
        )

    def _is_registered(self, name: str, since: float, went_on: float, forgets: bool) -> bool:
        joined, left = self._joined.get(name, 0.0), self._left.get(name, 0.0)
        if forgets:
            return joined > since
        # After a standstill it may never have been missed.
        return joined >= left or left < since or joined > went_on

    def _listen(self, lines: Iterator[str]) -> None:
        for line in lines:
            event = json.loads(line)
            if "kind" not in event:
                continue
            with self._changed:
                times = self._joined if event["kind"] == "broker.worker_joined" else self._left
                times[event["attributes"]["instance"]] = time.monotonic()
                self._changed.notify_all()
