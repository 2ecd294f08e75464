"""Users that send one query after another."""

from __future__ import annotations

import random
import subprocess
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

from .judgement import Answer, judge
from .questions import Question, References
from .stack import Stack

LIMIT_FACTOR = 3
"""A gateway without an answer after so many times its deadline is ended."""
REFRESHED = 0.5
"""The share of queries with a refresh from the upstream; else the cache would soon answer all of them."""


class Askers:
    """A number of users that send queries until they are stopped."""

    def __init__(self, stack: Stack, references: References, count: int, deadline: float, seed: int) -> None:
        self._stack = stack
        self._deadline = deadline
        self._references = references
        self._answers: list[Answer] = []
        self._troubles: list[Exception] = []
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(random.Random(f"{seed}/{number}"),), daemon=True)
                         for number in range(count)]

    def __enter__(self) -> Askers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def stop(self) -> list[Answer]:
        """Wait for the end of the current queries, and return all answers."""
        self._is_over.set()
        for thread in self._threads:
            thread.join()
        if self._troubles:
            raise self._troubles[0]
        return self._answers

    def _ask(self, chance: random.Random) -> None:
        try:
            self._ask_repeatedly(chance)
        except Exception as error:  # `stop` raises it, since the exception of a thread is not reported
            self._troubles.append(error)

    def _ask_repeatedly(self, chance: random.Random) -> None:
        questions = self._references.questions
        while not self._is_over.is_set():
            question = chance.choice(questions)
            refresh = ["--refresh"] if chance.random() < REFRESHED else []
            self._answers.append(ask(self._stack, self._references, question, self._deadline, refresh))


def ask(
    stack: Stack, references: References, question: Question, deadline: float, options: Sequence[str] = ()
) -> Answer:
    """Send one query with a deadline in seconds and judge the answer."""
    began = time.monotonic()
    limit = LIMIT_FACTOR * deadline
    try:
        result = stack.gateway([*question, "--timeout", f"{deadline:g}", *options], limit)
        result_parts = (result.returncode, result.stdout, result.stderr.strip())
    except subprocess.TimeoutExpired:
        result_parts = (None, "", f"nothing for {limit:g} s")
    return judge(question, references.parts(question), deadline, began, time.monotonic(), *result_parts)


def ask_all(
    stack: Stack, references: References, questions: Sequence[Question], at_once: int, deadline: float
) -> list[Answer]:
    """Send each of these queries with a refresh, some at once."""
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda question: ask(stack, references, question, deadline, ["--refresh"]), questions))
