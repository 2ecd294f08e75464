"""Asking the broker and its workers, through `gateway workers --json` and `gateway stats --json`."""

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
    """What the broker says of one worker; a figure it does not give is `None`."""

    in_flight: int | None
    served: int | None
    draining: bool
    registered_seconds: float | None = None


@dataclass(frozen=True)
class Figures:
    """What an instance has counted of itself since its start; a figure it does not give is `None`."""

    errors: int | None = None
    p99_microseconds: int | None = None


@dataclass(frozen=True)
class BrokerAnswer:
    """The registered workers by instance name, or why there is no answer."""

    reached: bool
    workers: dict[str, Worker] = field(default_factory=dict)
    totals: Worker = Worker(None, None, False)
    complaint: str = ""


def ask_broker(gateway: Path, folder: RunFolder, seconds: float) -> BrokerAnswer:
    """Ask once; any failure becomes an answer that was not reached."""
    try:
        result = _asked(gateway, "workers", folder, seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        return BrokerAnswer(False, complaint=str(error))
    if result.returncode != 0:
        said = result.stderr.decode("utf-8", "replace").strip().splitlines()
        return BrokerAnswer(False, complaint=said[-1] if said else f"gateway ended with {result.returncode}")
    try:
        return parse_answer(result.stdout)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return BrokerAnswer(False, complaint=f"gateway workers --json is not understood: {error!r}")


def ask_figures(gateway: Path, folder: RunFolder, seconds: float) -> dict[str, Figures]:
    """Return the figures of each instance that gives some; none at all is an answer, too."""
    try:
        return parse_figures(_asked(gateway, "stats", folder, seconds).stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError, AttributeError):
        return {}


def parse_figures(text: bytes | str) -> dict[str, Figures]:
    """Read the JSON of `gateway stats --json`."""
    answer = json.loads(text)
    told = [answer["broker"], *(instance for service in answer["services"] for instance in service["instances"])]
    return {
        stats["id"]: Figures(sum(stats["errors"].values()), stats["latency"]["p99Microseconds"])
        for stats in told if stats
    }


def _asked(gateway: Path, command: str, folder: RunFolder, seconds: float) -> subprocess.CompletedProcess[bytes]:
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
