"""What one answer is worth: in time, right, and honest about what it lacks."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .questions import Parts, Question, parts

DEADLINE_SECONDS = 5.0
"""The gateway's own."""
START_AND_END_SECONDS = 2.0
"""What a process may need besides, on a machine that is busy with others."""
_ENDINGS = {0, 69, 75}


@dataclass(frozen=True)
class Answer:
    """A question that was asked, when, and what came of it."""

    question: Question
    began: float
    ended: float
    is_complete: bool
    has_nothing: bool
    """Nothing of what was asked for is in it."""
    codes: tuple[str, ...]
    """Of the failures it names."""
    faults: tuple[str, ...]
    """What is wrong with it, none for an honest one."""


def judged(
    question: Question, truth: Parts, began: float, ended: float, code: int | None, printed: str, said: str
) -> Answer:
    """Compare an answer with the truth; a code of None is one that never came."""
    faults = []
    if ended - began > DEADLINE_SECONDS + START_AND_END_SECONDS:
        faults.append(f"late: {ended - began:.1f} s")
    try:
        answer = json.loads(printed)
        told = parts(answer)
        main = told.get("chart") or told["movie"]
        is_said_complete = bool(answer["complete"])
        statuses = [part["status"] for part in told.values()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return Answer(question, began, ended, False, True, (), (*faults, f"no answer ({code}): {said or printed[:200]}"))
    if code not in _ENDINGS:
        faults.append(f"ended with {code}: {said}")
    has_main = main.get("value") is not None
    if has_main:
        faults += [f"not labelled: {place} is missing" for place in truth.keys() - told.keys()]
    faults += [f"not known: {place}" for place in told.keys() - truth.keys()]
    if (code == 0) != has_main:
        faults.append(f"ended with {code}, {'with' if has_main else 'without'} what was asked for")
    failures = []
    for (place, part), status in zip(told.items(), statuses, strict=True):
        value = part.get("value")
        if value is not None and value != truth.get(place, {}).get("value"):
            faults.append(f"wrong: {place}")
        if status != "ok":
            failures.append((part.get("failure") or {}).get("code", ""))
            if not failures[-1]:
                faults.append(f"not labelled: {place} is {status} without a reason")
        elif value is None:
            faults.append(f"not labelled: {place} is ok and empty")
    is_whole = told.keys() == truth.keys() and not failures
    if is_said_complete != is_whole:
        faults.append(f"mislabelled: complete is {is_said_complete}")
    return Answer(question, began, ended, is_whole, not has_main, tuple(failures), tuple(faults))
