"""The judgement of one answer: whether it is in time, correct, and labels its missing parts."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .questions import Parts, Question, parts

START_AND_END_SECONDS = 2.0
"""The additional time of a process on a busy machine."""
_ENDINGS = {0, 69, 75}


@dataclass(frozen=True)
class Answer:
    """A query with its times and its result."""

    question: Question
    began: float
    ended: float
    is_complete: bool
    has_nothing: bool
    """Whether it lacks the main part of the query."""
    codes: tuple[str, ...]
    """The codes of its failures."""
    faults: tuple[str, ...]
    """The errors in it; empty for a correctly labelled one."""


def judge(
    question: Question, truth: Parts, deadline: float, began: float, ended: float, code: int | None, printed: str, errors: str
) -> Answer:
    """Compare an answer with the true one; a code of None means that the process did not end in time.

    The deadline is in seconds from `began` on.
    """
    faults = []
    if ended - began > deadline + START_AND_END_SECONDS:
        faults.append(f"late: {ended - began:.1f} s")
    try:
        answer = json.loads(printed)
        printed_parts = parts(answer)
        main = printed_parts.get("chart") or printed_parts["movie"]
        claims_complete = bool(answer["complete"])
        statuses = [part["status"] for part in printed_parts.values()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return Answer(question, began, ended, False, True, (), (*faults, f"no answer ({code}): {errors or printed[:200]}"))
    if code not in _ENDINGS:
        faults.append(f"ended with {code}: {errors}")
    has_main = main.get("value") is not None
    if has_main:
        faults += [f"not labelled: {place} is missing" for place in truth.keys() - printed_parts.keys()]
    faults += [f"not known: {place}" for place in printed_parts.keys() - truth.keys()]
    if (code == 0) != has_main:
        faults.append(f"ended with {code}, {'with' if has_main else 'without'} what was asked for")
    failures = []
    for (place, part), status in zip(printed_parts.items(), statuses, strict=True):
        value = part.get("value")
        if value is not None and value != truth.get(place, {}).get("value"):
            faults.append(f"wrong: {place}")
        if status != "ok":
            failures.append((part.get("failure") or {}).get("code", ""))
            if not failures[-1]:
                faults.append(f"not labelled: {place} is {status} without a reason")
        elif value is None:
            faults.append(f"not labelled: {place} is ok and empty")
    is_whole = printed_parts.keys() == truth.keys() and not failures
    if claims_complete != is_whole:
        faults.append(f"mislabelled: complete is {claims_complete}")
    return Answer(question, began, ended, is_whole, not has_main, tuple(failures), tuple(faults))
