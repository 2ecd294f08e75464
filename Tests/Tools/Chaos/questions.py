"""The queries, and the true answers, which a stack without faults has given."""

from __future__ import annotations

import json
from typing import Any

from .stack import Stack

Question = tuple[str, ...]
_SHOWN = [f"20{year:02}-{month:02}-05" for year in (5, 8, 11, 14, 17, 20) for month in (3, 9)]
_CHARTED = ["2006-07-01", "2012-12-24"]
_FILMS = 2
_TRIES = 3
"""A machine suspended for seconds causes a labelled missing part; the true answers must be complete."""
QUESTIONS: tuple[Question, ...] = tuple(("show", day) for day in _SHOWN) + tuple(("chart", day) for day in _CHARTED)
Parts = dict[str, dict[str, Any]]


def parts(answer: dict[str, Any]) -> Parts:
    """Return the parts of an answer by their places in it."""
    found = {name: answer[name] for name in ("chart", "movie") if name in answer}
    for film in answer.get("films", []):
        for name in ("detail", "poster"):
            found[f"{film['code']}.{name}"] = film[name]
    return found


class References:
    """The values of all parts of the true answers."""

    def __init__(self, answers: dict[Question, Parts]) -> None:
        self._answers = answers

    @classmethod
    def fetch(cls, stack: Stack) -> References:
        """Send every query once while all instances are healthy."""
        answers: dict[Question, Parts] = {}
        for question in QUESTIONS:
            answers[question] = _ask(stack, question)
        chart = answers[QUESTIONS[0]]["chart"]["value"]
        for entry in chart["entries"][:_FILMS]:
            answers["movie", entry["code"]] = _ask(stack, ("movie", entry["code"]))
        return cls(answers)

    @property
    def questions(self) -> list[Question]:
        """Return all queries with a true answer."""
        return list(self._answers)

    def parts(self, question: Question) -> Parts:
        """Return the parts of the true answer."""
        return self._answers[question]


def _ask(stack: Stack, question: Question) -> Parts:
    for _ in range(_TRIES):
        result = stack.gateway([*question, "--timeout", "30"], 60)
        if result.returncode == 0 and (answer := json.loads(result.stdout))["complete"]:
            return parts(answer)
    raise SystemExit(
        f"Tests/Tools/Chaos/chaos: an unharmed stack did not answer {' '.join(question)} in {_TRIES} tries: "
        f"{result.stderr or result.stdout}")
