"""A rule of an RFC with the check of whether a broker follows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from .dialect import BOTH, Dialect
from .scene import Scene

MUST, SHOULD = "MUST", "SHOULD"

Check = Callable[[Scene, Dialect], None]


class Pace(Enum):
    """When a rule is checked."""

    QUICK = "one after another"
    SLOW = "all at once, since each waits for the broker's own intervals"
    HARSH = "last, since a weak broker may die of it"


@dataclass(frozen=True)
class Rule:
    """One rule; `check` raises a `Deviation` when it is broken."""

    name: str
    chapter: str
    """The part of the report: an RFC's number, "mixed" or "ours"."""
    section: str
    level: str
    claim: str
    dialect: Dialect
    check: Check
    pace: Pace


RULES: list[Rule] = []


def rule(
    name: str, section: str, claim: str, level: str = MUST, *, pace: Pace = Pace.QUICK, chapter: str = "",
    dialects: tuple[Dialect, ...] = BOTH,
) -> Callable[[Check], Check]:
    """Register a check as a rule of each version; without a chapter it belongs to the version's own RFC."""

    def enter(check: Check) -> Check:
        for dialect in dialects:
            part = chapter or dialect.rfc
            tail = f".v{dialect.version.replace('.', '')}" if chapter and len(dialects) > 1 else ""
            RULES.append(Rule(f"{part}.{name}{tail}", part, section, level, claim, dialect, check, pace))
        return check

    return enter
