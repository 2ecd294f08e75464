"""Processes to measure: started in their own run folder, with their CPU time."""

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
    """Create a private folder, so that a stack of the user is not measured."""
    folder = tempfile.mkdtemp(prefix="boxoffice-bench.")
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(command: Command, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process for the duration of the block."""
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
    """Return the output of a command and its CPU seconds."""
    process = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: {' '.join(map(str, command))} ended with {process.returncode}")
    return printed, usage.ru_utime + usage.ru_stime


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """Return user and system time of a running child process."""
    return cpu_seconds_of(process.pid)


def cpu_seconds_of(pid: int) -> float:
    """Return user and system time of a running process, the sum of its threads, in seconds."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def wait_for_service(binaries: Path, environment: dict[str, str], service: str) -> None:
    """Wait until the broker lists the service; fail after 15 s."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        result = subprocess.run(
            [str(binaries / "gateway"), "workers", "--json"], env=environment, check=False, capture_output=True)
        if result.returncode == 0 and any(w["service"] == service for w in json.loads(result.stdout)["workers"]):
            return
    raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: {service} did not register within {READY_SECONDS} s")
