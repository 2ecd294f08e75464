"""Starts instances and waits until the broker lists them."""

from __future__ import annotations

import math
import socket
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

from . import nats_health
from .broker import BrokerAnswer, query_broker
from .keeper import Keeper
from .language import say
from .logs import tail
from .problem import ExitCode, Problem
from .record import StackRecord
from .run_folder import CONFIGURATION, URL_FILE, RunFolder
from .services import BROKER, BY_NAME, DEMO_UPSTREAM, NATS, Instance, Service
from .supervisor import ProcessState, Supervisor, SupervisorUnreachable
from .supervisor_configuration import render
from .waiting import wait_until

READY_SECONDS = 15.0
CURRENT_SECONDS = 30.0
"""Servers of NATS elect a leader within 9 s, and again when their votes split."""
ASK_INTERVAL_SECONDS = 0.1
TAIL_LINES = 12
TAILS = 3


def await_supervisor(folder: RunFolder, keeper: Keeper) -> Supervisor:
    """Wait until the supervisord of a keeper answers, and return it."""
    supervisor = Supervisor(folder.supervisor_socket)
    answered = wait_until(lambda: keeper.has_ended() or supervisor.is_reachable(), READY_SECONDS)
    if keeper.has_ended() or not answered:
        raise Problem(say("supervisord가 시작하지 않았습니다", "supervisord did not start"), details=_quoted(folder.log / "supervisord.err"))
    return supervisor


def configure(folder: RunFolder, record: StackRecord, chosen: list[Instance]) -> None:
    """Write the configuration of these instances."""
    folder.write_private(CONFIGURATION, render(record, chosen))


def await_upstream(folder: RunFolder, supervisor: Supervisor) -> str:
    """Wait until the demo upstream listens, and return its base URL."""
    return _await_listening(folder, supervisor, Instance(DEMO_UPSTREAM.name, 1), folder.path / URL_FILE)


def await_current(folder: RunFolder, supervisor: Supervisor, servers: list[Instance], present: list[Instance]) -> None:
    """Wait until each of these servers of NATS holds what those that are present hold."""
    reasons: dict[int, str] = {}

    def missing() -> list[Instance]:
        reasons.update(nats_health.unready_reasons(folder, [server.number for server in servers], [server.number for server in present]))
        return [server for server in servers if reasons[server.number]]

    _await(folder, supervisor, servers, missing, _without(say("준비되지 않았습니다", "is not ready")),
           lambda: next(filter(None, reasons.values()), ""), CURRENT_SECONDS)


def await_pages(folder: RunFolder, record: StackRecord, supervisor: Supervisor) -> None:
    """Wait until all pages are served."""
    for service in BY_NAME.values():
        if service.url_file and record.counts.get(service.name):
            _await_listening(folder, supervisor, Instance(service.name, 1), folder.path / service.url_file)


def page_address(folder: RunFolder, record: StackRecord, service: Service) -> str:
    """Return the address of the pages of a service; "" when the stack has none."""
    return _read(folder.path / service.url_file) if record.counts.get(service.name) else ""


def _await_listening(folder: RunFolder, supervisor: Supervisor, instance: Instance, url_file: Path) -> str:
    _await(folder, supervisor, [instance], lambda: [] if _listens(_read(url_file)) else [instance],
           _without(say("연결을 받지 않습니다", "is not listening")))
    return _read(url_file)


def await_registered(
    folder: RunFolder, record: StackRecord, supervisor: Supervisor, awaited: list[Instance], since: float = -math.inf
) -> None:
    """Wait until the broker reports all of these workers, or raise a problem with the missing ones and their logs.

    Registrations from before `since`, a moment of the monotonic clock, are those of processes that have ended.
    """
    workers = [instance for instance in awaited if BY_NAME[instance.service].registers]
    limit = CURRENT_SECONDS if any(each.service == NATS.name for each in record.bus_instances) else READY_SECONDS
    last = BrokerAnswer(False)
    deadline = time.monotonic() + limit
    patience = 1.0

    def missing() -> list[Instance]:
        nonlocal last, patience
        last = query_broker(record.gateway, folder, max(0.2, min(patience, deadline - time.monotonic())))
        if not last.reached:
            # A machine may be too busy for an answer in a second.
            patience *= 2
            return record.bus_instances or workers
        age = time.monotonic() - since
        new = {name for name, worker in last.workers.items() if (worker.registered_seconds or 0) <= age}
        return [instance for instance in workers if record.name_on_bus(instance) not in new]

    def note() -> str:
        return "" if last.reached else last.complaint

    _await(folder, supervisor, awaited, missing, _without_registration, note, limit)


def _await(
    folder: RunFolder,
    supervisor: Supervisor,
    watched: list[Instance],
    missing: Callable[[], list[Instance]],
    lack: Callable[[list[Instance]], str],
    note: Callable[[], str] = lambda: "",
    limit: float = READY_SECONDS,
) -> None:
    failed: list[ProcessState] = []
    absent: list[Instance] = []

    def is_settled() -> bool:
        nonlocal failed, absent
        try:
            states = supervisor.processes()
        except SupervisorUnreachable as error:
            raise Problem(
                say(f"supervisord를 쓸 수 없습니다: {error}", f"supervisord is not available: {error}"), details=_quoted(folder.log / "supervisord.err")) from error
        failed = [state for state in states if state.instance in watched and state.has_failed]
        absent = [] if failed else missing()
        return bool(failed) or not absent

    wait_until(is_settled, limit, ASK_INTERVAL_SECONDS)
    if failed:
        dead = [state.instance for state in failed]
        raise Problem(
            say(f"{_names(dead)}: 시작 직후 종료되었습니다", f"{_names(dead)} ended right after the start"), details=_logs(folder, dead),
            code=ExitCode.CONFIGURATION if all(state.needs_operator for state in failed) else ExitCode.UNAVAILABLE)
    if absent:
        seconds = f"{limit:g}"
        what = say(f"{seconds}초가 지나도 {lack(absent)}", f"{lack(absent)} after {seconds} s")
        details = [line for line in [note()] if line] + _logs(folder, absent)
        raise Problem(what, details=details)


def _without(lack: str) -> Callable[[list[Instance]], str]:
    return lambda absent: say(f"{_names(absent)}: {lack}", f"{_names(absent)} {lack}")


def _without_registration(absent: list[Instance]) -> str:
    if absent == [Instance(BROKER.name, 1)]:
        return say("브로커가 응답하지 않습니다", "the broker does not answer")
    if absent[0].service == NATS.name:
        return say("NATS 서버가 응답하지 않습니다", "the NATS servers do not answer")
    return _without(say("등록되지 않았습니다", "is not registered"))(absent)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip().rstrip("/")
    except FileNotFoundError:
        return ""


def _listens(url: str) -> bool:
    address = urllib.parse.urlsplit(url)
    if not address.port:
        return False
    try:
        socket.create_connection((address.hostname, address.port), timeout=1).close()
    except OSError:
        return False
    return True


def _names(chosen: list[Instance]) -> str:
    return ", ".join(instance.name for instance in chosen)


def _logs(folder: RunFolder, chosen: list[Instance]) -> list[str]:
    lines: list[str] = []
    for instance in chosen[:TAILS]:
        lines += [say(f"log/{instance.log_name}의 마지막 부분:", f"last lines of log/{instance.log_name}:"), *_quoted(folder.log / instance.log_name)]
    if len(chosen) > TAILS:
        more = len(chosen) - TAILS
        lines.append(say(f"… 외 {more}개", f"… and {more} more"))
    return lines


def _quoted(file: Path) -> list[str]:
    return [f"| {line}" for line in tail(file, TAIL_LINES)] or [say("| (내용 없음)", "| (empty)")]
