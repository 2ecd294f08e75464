"""Queries the broker and its workers through `gateway workers --json` and `gateway stats --json`."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .environment import for_gateway
from .run_folder import RunFolder


@dataclass(frozen=True)
class Worker:
    """The broker's figures for one worker; a missing figure is `None`."""

    in_flight: int | None
    served: int | None
    draining: bool
    registered_seconds: float | None = None


@dataclass(frozen=True)
class Figures:
    """An instance's own figures since its start; a missing figure is `None`."""

    errors: int | None = None
    p99_microseconds: int | None = None


@dataclass(frozen=True)
class BrokerAnswer:
    """The registered workers by instance name, or the reason for a missing answer."""

    reached: bool
    workers: dict[str, Worker] = field(default_factory=dict)
    totals: Worker = Worker(None, None, False)
    complaint: str = ""


def query_broker(gateway: Path, folder: RunFolder, seconds: float) -> BrokerAnswer:
    """Query the broker once; after any failure `reached` is false."""
    try:
        result = _query(gateway, "workers", folder, seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        return BrokerAnswer(False, complaint=str(error))
    if result.returncode != 0:
        lines = result.stderr.decode("utf-8", "replace").strip().splitlines()
        return BrokerAnswer(False, complaint=lines[-1] if lines else f"gateway ended with {result.returncode}")
    try:
        return parse_answer(result.stdout)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return BrokerAnswer(False, complaint=f"gateway workers --json is not understood: {error!r}")


def query_figures(gateway: Path, folder: RunFolder, seconds: float) -> dict[str, Figures]:
    """Return the figures of each instance that reports some; empty after a failure."""
    try:
        return parse_figures(_query(gateway, "stats", folder, seconds).stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError, AttributeError):
        return {}


def parse_figures(text: bytes | str) -> dict[str, Figures]:
    """Read the JSON of `gateway stats --json`."""
    answer = json.loads(text)
    entries = [answer["broker"], *(instance for service in answer["services"] for instance in service["instances"])]
    return {
        stats["id"]: Figures(sum(stats["errors"].values()), stats["latency"]["p99Microseconds"])
        for stats in entries if stats
    }


def _query(gateway: Path, command: str, folder: RunFolder, seconds: float) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(gateway), command, "--json", "--timeout", f"{seconds:g}"], env=for_gateway(os.environ, folder),
        stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds + 2, check=False,
    )


def parse_answer(text: bytes | str) -> BrokerAnswer:
    """Read the JSON of `gateway workers --json`."""
    answer = json.loads(text)
    workers = {_name(entry): _worker(entry) for entry in answer["workers"]}
    return BrokerAnswer(True, workers, _worker(answer.get("broker") or {}))


def _name(entry: dict[str, Any]) -> str:
    instance = str(entry["instance"])
    return instance if "/" in instance else f"{entry['service']}/{instance}"


def _worker(entry: dict[str, Any]) -> Worker:
    return Worker(
        entry.get("inFlight"), entry.get("served", entry.get("answered")), bool(entry.get("draining", False)),
        entry.get("registeredSeconds"),
    )
