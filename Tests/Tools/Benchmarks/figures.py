"""The printed form of figures of several runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def spread(values: Sequence[float], digits: int = 0) -> str:
    """Return median (minimum–maximum)."""
    shown = [f"{value:,.{digits}f}" for value in (statistics.median(values), min(values), max(values))]
    return f"{shown[0]} ({shown[1]}–{shown[2]})"


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Return median (minimum–maximum) of the ratios of pairs, since both sides of a pair ran one after the other."""
    return spread([our / their for our, their in zip(ours, theirs, strict=True)], 2)
