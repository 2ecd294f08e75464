"""What the kit prints: rule by rule, then a summary; or all of it as JSON."""

from __future__ import annotations

import json
from collections import Counter

from .dialect import Dialect
from .run import FAILS, NOT_RUN, NOT_SPOKEN, OK, Outcome

CHAPTERS = {
    "7": "RFC 7, Majordomo 0.1",
    "18": "RFC 18, Majordomo 0.2",
    "8": "RFC 8, Majordomo Management Interface",
    "mixed": "Both versions at one broker",
    "ours": "Extensions of this repository",
}


def as_text(outcomes: list[Outcome]) -> str:
    """Return the report as text."""
    lines: list[str] = []
    width = max(len(outcome.rule.name) for outcome in outcomes)
    for chapter, title in CHAPTERS.items():
        of_chapter = [outcome for outcome in outcomes if outcome.rule.chapter == chapter]
        if not of_chapter:
            continue
        lines += ["", title]
        if all(outcome.status == NOT_SPOKEN for outcome in of_chapter):
            lines.append(f"  {NOT_SPOKEN}")
            continue
        for outcome in of_chapter:
            rule = outcome.rule
            lines.append(f"  {outcome.status:10}  {rule.name:{width}}  {rule.level:6}  {rule.claim} [{rule.section}]")
            if outcome.status == FAILS:
                lines += [f"              expected: {outcome.expected}", f"              came:     {outcome.came}"]
    lines.append("")
    for chapter, title in CHAPTERS.items():
        counts = Counter(outcome.status for outcome in outcomes if outcome.rule.chapter == chapter)
        if counts:
            statuses = [status for status in (OK, FAILS, NOT_SPOKEN, NOT_RUN) if counts[status]]
            lines.append(f"{title}: {', '.join(f'{counts[status]} {status}' for status in statuses)}")
    return "\n".join(lines[1:])


def as_json(endpoint: str, spoken: list[Dialect], outcomes: list[Outcome]) -> str:
    """Return the report as JSON."""
    return json.dumps(
        {
            "endpoint": endpoint,
            "spoken": [dialect.version for dialect in spoken],
            "counts": Counter(outcome.status for outcome in outcomes),
            "rules": [
                {
                    "name": outcome.rule.name, "chapter": outcome.rule.chapter, "section": outcome.rule.section,
                    "level": outcome.rule.level, "claim": outcome.rule.claim, "status": outcome.status,
                    "expected": outcome.expected, "came": outcome.came, "seconds": round(outcome.seconds, 3),
                }
                for outcome in outcomes
            ],
        },
        ensure_ascii=False, indent=1)
