"""Processes to measure: started in a run folder of their own, with the CPU time that they have used."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

READY_SECONDS = 15
Command = Sequence[object]


@contextmanager
def run_folder() -> Iterator[Path]:
    """A private folder, so that a stack that runs is not measured along."""
    folder = tempfile.mkdtemp(prefix="boxoffice-bench.")
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(command: Command, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours for as long as the block runs."""
    process = subprocess.Popen([str(word) for word in command], env=environment, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=8)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def output(command: Command, environment: dict[str, str]) -> tuple[bytes, float]:
    """What a command prints, and the CPU seconds that it took."""
    process = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"Tests/Benchmarks/benchmarks: {' '.join(map(str, command))} ended with {process.returncode}")
    return printed, usage.ru_utime + usage.ru_stime


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """User and system time of a running process of ours."""
    return cpu_seconds_of(process.pid)


def cpu_seconds_of(pid: int) -> float:
    """User and system time of a running process, all its threads together, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def wait_for_service(binaries: Path, environment: dict[str, str], service: str) -> None:
    """Asks the broker until it lists the service; gives up after 15 s."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        asked = subprocess.run(
            [str(binaries / "gateway"), "workers", "--json"], env=environment, check=False, capture_output=True)
        if asked.returncode == 0 and any(w["service"] == service for w in json.loads(asked.stdout)["workers"]):
            return
    raise SystemExit(f"Tests/Benchmarks/benchmarks: {service} did not register within {READY_SECONDS} s")
