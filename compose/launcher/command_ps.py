"""`compose/stack ps`: the processes, their uptimes, and the broker's figures for them."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass

from .broker import BrokerAnswer, Figures, Worker, query_broker, query_figures
from .colour import Palette
from .given_up import GivenUp
from .problem import ExitCode
from .record import StackRecord
from .running import running_stack
from .services import BROKER, BY_NAME, Instance
from .supervisor import ProcessState
from .table import aligned

BROKER_SECONDS = 2.0
FIGURES_SECONDS = 1.0
_HEADER = ("SERVICE", "INSTANCE", "PID", "STATE", "SINCE", "IN FLIGHT", "SERVED", "ERRORS", "p99")
_RIGHT = range(5, 9)


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


def ps(options: Namespace) -> int:
    """Print the table of the running stack, or its data as JSON."""
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
        print("\n".join(aligned([_HEADER, *(_cells(row) for row in table)], _RIGHT)))
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
    return [_row(instance, known.get(instance), answer, figures) for instance in order]


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
    instance: Instance, state: ProcessState | None, answer: BrokerAnswer, figures: Mapping[str, Figures]
) -> Row:
    worker = answer.totals if instance.service == BROKER.name else answer.workers.get(instance.name)
    alive = state is not None and state.is_alive
    shown = worker if alive and worker is not None else Worker(None, None, False)
    return Row(
        instance,
        state.pid if state and alive else None,
        _word(instance, state, answer, worker),
        state.uptime_seconds if state and alive else None,
        shown.in_flight,
        shown.served,
        figures.get(instance.name, Figures()) if alive else Figures(),
    )


def _word(instance: Instance, state: ProcessState | None, answer: BrokerAnswer, worker: Worker | None) -> str:
    if state is None:
        return "missing"
    plain = {"BACKOFF": "retrying", "EXITED": "retrying", "FATAL": "failed", "STOPPED": "stopped"}
    if state.state == "STOPPING":
        return "drain"
    if state.state not in ("RUNNING", "STARTING"):
        return plain.get(state.state, state.state.lower())
    if instance.service == BROKER.name:
        return "ready" if answer.reached else "silent"
    if not BY_NAME[instance.service].registers:
        return "ready"
    if not answer.reached:
        return "unknown"
    if worker is None:
        return "starting"
    return "drain" if worker.draining else "ready"


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.instance.service,
        str(row.instance.number),
        _figure(row.pid, ""),
        row.state,
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
