"""Finding, awaiting and ending processes, safe against reused process ids."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from .waiting import wait_until

MARK = "BOXOFFICE_SUPERVISED"
"""The variable, set to the run folder, that every process of a stack carries in its environment."""


def marked_processes(run: Path, session: int | None = None) -> list[int]:
    """Return the processes that a launcher started for this run folder (Linux; nothing elsewhere).

    With a session, only processes of that session: another stack may run at the same path.
    """
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        pid = int(entry.name)
        if pid != os.getpid() and is_marked(pid, run, session):
            found.append(pid)
    return sorted(found)


def is_marked(pid: int, run: Path, session: int | None = None) -> bool:
    """Return whether this process was started by a launcher for this run folder (in this session)."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        if session is not None and os.getsid(pid) != session:
            return False
    except OSError:
        return False
    return os.fsencode(f"{MARK}={run}") in environment.split(b"\0")


def wait_for_exit(pids: Iterable[int], seconds: float) -> list[int]:
    """Wait until these processes have ended and return those that have not."""
    if not hasattr(os, "pidfd_open"):
        left = set(pids)

        def all_ended() -> bool:
            left.difference_update([pid for pid in left if not _exists(pid)])
            return not left

        wait_until(all_ended, seconds)
        return sorted(left)
    deadline = time.monotonic() + seconds
    with ExitStack() as stack:
        alive: dict[int, int] = {}
        poll = select.poll()
        for pid in pids:
            try:
                descriptor = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            stack.callback(os.close, descriptor)
            alive[descriptor] = pid
            poll.register(descriptor, select.POLLIN)
        while alive:
            left_ms = int((deadline - time.monotonic()) * 1000)
            if left_ms < 0:
                break
            for descriptor, _ in poll.poll(left_ms):
                poll.unregister(descriptor)
                del alive[descriptor]
        return sorted(alive.values())


def lock_holder(path: Path) -> int | None:
    """Return the process that holds the lock on this file (Linux; nothing elsewhere)."""
    try:
        facts = os.stat(path)
        file = f"{os.major(facts.st_dev):02x}:{os.minor(facts.st_dev):02x}:{facts.st_ino}"
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    # 1: FLOCK  ADVISORY  WRITE 4711 fe:00:123456 0 EOF; waiting processes follow their holder as "1: -> FLOCK …"
    holders = [fields[4] for line in locks if (fields := line.split())[1] == "FLOCK" and fields[5] == file]
    return next((int(pid) for pid in holders if int(pid) > 0), None)


def end_marked(run: Path, grace: float, session: int | None = None) -> int:
    """End the processes of this run folder (in this session) with TERM, then KILL; return their number."""
    found = marked_processes(run, session)
    _send(found, run, signal.SIGTERM)
    stubborn = wait_for_exit(found, grace)
    _send(stubborn, run, signal.SIGKILL)
    wait_for_exit(stubborn, 2)
    return len(found)


def _send(pids: Iterable[int], run: Path, number: signal.Signals) -> None:
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            if is_marked(pid, run):  # checked again with the descriptor open: the id may have been reused
                signal.pidfd_send_signal(descriptor, number)
        except ProcessLookupError:
            pass
        finally:
            os.close(descriptor)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def is_suspended(pid: int) -> bool:
    """Return whether a process is stopped by a signal such as SIGSTOP (Linux; false elsewhere)."""
    try:
        # The name, which may contain blanks and brackets, ends at the last bracket.
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in ("T", "t")
