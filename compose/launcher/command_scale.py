"""`compose/stack scale`: changes the number of instances, without effect on the others."""

from __future__ import annotations

import os
from argparse import Namespace

from . import nats
from .language import say
from .problem import ExitCode, Problem
from .record import StackRecord
from .run_folder import RunFolder
from .running import running_stack
from .services import Instance, parse_counts
from .starting import await_registered, configure
from .stopping import GRACE_SECONDS, ignored_signals
from .supervisor import Supervisor
from .supervisor_configuration import STOP_WAIT_SECONDS
from .waiting import wait_until


def scale(options: Namespace) -> int:
    """Start missing instances, drain surplus ones."""
    counts = parse_counts(options.services, demo=True)
    with running_stack(os.environ, changing=True) as (folder, before, supervisor):
        parse_counts(options.services, before.demo)
        if before.bus:
            nats.counts(counts, 0)
        after = before.with_counts(counts)
        present = [state.instance for state in supervisor.processes()]
        gained = [instance for instance in after.instances if instance not in present]
        lost = [instance for instance in reversed(present) if instance not in after.instances]
        # The new instances start first: if they fail, nothing has changed.
        _apply(folder, after.with_counts({name: max(count, before.counts.get(name, 0)) for name, count in counts.items()}),
               supervisor)
        try:
            for instance in gained:
                supervisor.add(instance)
            await_registered(folder, after, supervisor, gained)
            killed = _end(supervisor, lost)
            _apply(folder, after, supervisor)
        except BaseException as error:
            with ignored_signals():
                _end(supervisor, gained)
                left = [state.instance for state in supervisor.processes()]
                _apply(folder, after.with_counts({name: _count(left, name) for name in counts}), supervisor)
            if isinstance(error, Problem):
                error.fix = say("새 인스턴스를 다시 종료했습니다. 스택은 계속 실행됩니다.",
                                "The new instances were stopped again. The stack keeps running.")
            raise
    for name, count in counts.items():
        print(_change_text(name, _count(present, name), count, gained, lost, killed))
    return ExitCode.OK


def _end(supervisor: Supervisor, chosen: list[Instance]) -> list[Instance]:
    """End these instances and return those which did not drain within their grace."""
    left = [state.instance for state in supervisor.processes() if state.instance in chosen]
    killed: list[Instance] = []
    for instance in left:
        supervisor.stop(instance)

    def all_removed() -> bool:
        # The kind of end is known once supervisord has noticed it, some time after the process ended.
        for state in supervisor.processes():
            if state.instance in left and not state.is_alive and supervisor.remove(state.instance):
                left.remove(state.instance)
                # An instance that had crashed before was not running, and no drain was awaited.
                if state.was_killed and state.state == "STOPPED":
                    killed.append(state.instance)
        return not left

    if not wait_until(all_removed, 2 * GRACE_SECONDS):
        names = ", ".join(instance.name for instance in left)
        raise Problem(say(f"{names}: 종료되지 않습니다", f"{names} does not stop"))
    return killed


def _apply(folder: RunFolder, record: StackRecord, supervisor: Supervisor) -> None:
    record.save(folder)
    configure(folder, record, record.instances)
    supervisor.reload()


def _count(present: list[Instance], name: str) -> int:
    return len([instance for instance in present if instance.service == name])


def _change_text(
    name: str, before: int, count: int, gained: list[Instance], lost: list[Instance], killed: list[Instance]
) -> str:
    started = [instance.name for instance in gained if instance.service == name]
    ended = [instance.name for instance in lost if instance.service == name and instance not in killed]
    late = [instance.name for instance in killed if instance.service == name]
    if started:
        return f"{name} {before} → {count}: {', '.join(started)} {say('등록됨', 'registered')}"
    if ended or late:
        parts = [f"{', '.join(ended)} {say('요청 처리 후 종료됨', 'stopped after its last request')}"] if ended else []
        seconds = f"{STOP_WAIT_SECONDS:g}"
        killed_text = say(f"{seconds}초 안에 종료되지 않아 강제 종료함", f"did not finish within {seconds} s and was killed")
        parts += [f"{', '.join(late)} {killed_text}"] if late else []
        return f"{name} {before} → {count}: {'; '.join(parts)}"
    return f"{name} {count}: {say('변경 없음', 'no change')}"
