"""`compose/stack ps`: the processes, their uptimes, and the broker's figures for them."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass

from . import interruption
from .broker import BrokerAnswer, Figures, Worker, query_broker, query_figures
from .given_up import GivenUp
from .language import say
from .problem import ExitCode, usage
from .processes import is_suspended
from .record import StackRecord
from .running import running_stack
from .services import BROKER, BY_NAME, NATS, Instance
from .starting import READY_SECONDS
from .supervisor import ProcessState
from .terminal import Palette, aligned, terminal_columns

BROKER_SECONDS = 2.0
FIGURES_SECONDS = 1.0


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    instance: Instance
    pid: int | None
    state: str
    uptime_seconds: int | None
    in_flight: int | None
    served: int | None
    figures: Figures


WATCH_SECONDS = 2.0
# Of columns: PID, since, in flight, served, errors, p99; service, instance and state stay.
_PRIORITIES = {2: 1, 4: 3, 5: 4, 6: 2, 7: 5, 8: 2}
_RIGHT = range(5, 9)


def ps(options: Namespace) -> int:
    """Print the table of the running stack, or its data as JSON; with --watch again and again."""
    if options.watch and options.json:
        raise usage(say("--watch와 --json은 함께 쓸 수 없습니다", "--watch and --json cannot be used together"))
    code = _print_once(options)
    while options.watch:
        interruption.check()
        time.sleep(WATCH_SECONDS)
        if sys.stdout.isatty():
            print("\x1b[H\x1b[2J", end="")
        else:
            print()
        code = _print_once(options)
    return code


def _print_once(options: Namespace) -> int:
    with running_stack(os.environ) as (folder, record, supervisor):
        answer = query_broker(record.gateway, folder, BROKER_SECONDS)
        figures = query_figures(record.gateway, folder, FIGURES_SECONDS) if answer.reached else {}
        states = supervisor.processes()
        table = rows(record, states, answer, figures)
        pid = supervisor.pid()
    if options.json:
        head = {
            "run": str(folder.path), "demo": record.demo, "keeper": folder.holder(), "supervisor": pid,
            "brokerReached": answer.reached,
        }
        print(json.dumps({**head, "processes": [_object(row, str(folder.log)) for row in table]}, indent=2))
    else:
        lines = [_header(), *(_cells(row) for row in table)]
        print("\n".join(aligned(lines, _RIGHT, _PRIORITIES, terminal_columns())), flush=True)
        palette = Palette.of_output()
        for state in states:
            if state.is_given_up:
                print("\n" + palette.red(GivenUp(folder, state).text()))
    return ExitCode.OK


def rows(
    record: StackRecord, states: list[ProcessState], answer: BrokerAnswer, figures: Mapping[str, Figures]
) -> list[Row]:
    """Join the data of supervisord and the broker, in the order in which instances start."""
    known = {state.instance: state for state in states}
    order = record.instances + [instance for instance in known if instance not in record.instances]
    return [_row(instance, record.name_on_bus(instance), known.get(instance), answer, figures) for instance in order]


def state_text(state: str) -> str:
    """Return the state of a process in the language of the output."""
    korean = {
        "ready": "준비됨", "starting": "시작 중", "not answering": "응답 없음", "drain": "종료 중", "retrying": "재시도 중",
        "failed": "실패", "stopped": "멈춤", "missing": "없음", "silent": "응답 없음", "unknown": "알 수 없음",
    }
    return say(korean.get(state, state), state)


def _header() -> tuple[str, ...]:
    return (
        say("서비스", "SERVICE"), say("인스턴스", "INSTANCE"), "PID", say("상태", "STATE"), say("가동 시간", "UPTIME"),
        say("처리 중", "IN FLIGHT"), say("응답", "SERVED"), say("오류", "ERRORS"), "p99",
    )


def duration(seconds: int) -> str:
    """Return a duration in its two largest units, as in `2m 11s`."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    if days:
        return f"{days}d {hour}h"
    if hours:
        return f"{hour}h {minute}m"
    return f"{minute}m {second}s" if minutes else f"{second}s"


def _row(
    instance: Instance, name: str, state: ProcessState | None, answer: BrokerAnswer, figures: Mapping[str, Figures]
) -> Row:
    worker = answer.totals if instance.service == BROKER.name else answer.workers.get(name)
    alive = state is not None and state.is_alive
    shown = worker if alive and worker is not None else Worker(None, None, False)
    return Row(
        instance,
        state.pid if state and alive else None,
        _word(instance, state, answer, worker),
        state.uptime_seconds if state and alive else None,
        shown.in_flight,
        shown.served,
        figures.get(name, Figures()) if alive else Figures(),
    )


def _word(instance: Instance, state: ProcessState | None, answer: BrokerAnswer, worker: Worker | None) -> str:
    if state is None:
        return "missing"
    plain = {"BACKOFF": "retrying", "EXITED": "retrying", "FATAL": "failed", "STOPPED": "stopped"}
    if state.state == "STOPPING":
        return "drain"
    if state.state not in ("RUNNING", "STARTING"):
        return plain.get(state.state, state.state.lower())
    if instance.service in (BROKER.name, NATS.name):
        return "ready" if answer.reached else "silent"
    if not BY_NAME[instance.service].registers:
        return "ready"
    if not answer.reached:
        return "unknown"
    if worker is None:
        return "not answering" if is_silent(state) else "starting"
    return "drain" if worker.draining else "ready"


def is_silent(state: ProcessState) -> bool:
    """Return whether a process that is not registered will not register by itself: it is suspended, or late."""
    if state.uptime_seconds is not None and state.uptime_seconds > READY_SECONDS:
        return True
    return state.pid is not None and is_suspended(state.pid)


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.instance.service,
        str(row.instance.number),
        _figure(row.pid, ""),
        state_text(row.state),
        "-" if row.uptime_seconds is None else duration(row.uptime_seconds),
        _figure(row.in_flight),
        _figure(row.served),
        _figure(row.figures.errors),
        _milliseconds(row.figures.p99_microseconds),
    )


def _figure(value: int | None, grouping: str = ",") -> str:
    return "-" if value is None else format(value, grouping)


def _milliseconds(microseconds: int | None) -> str:
    return "-" if microseconds is None else f"{microseconds / 1000:,.1f} ms"


def _object(row: Row, log: str) -> dict[str, object]:
    return {
        "service": row.instance.service,
        "instance": row.instance.name,
        "pid": row.pid,
        "state": row.state,
        "uptimeSeconds": row.uptime_seconds,
        "inFlight": row.in_flight,
        "served": row.served,
        "errors": row.figures.errors,
        "p99Microseconds": row.figures.p99_microseconds,
        "log": f"{log}/{row.instance.log_name}",
    }
