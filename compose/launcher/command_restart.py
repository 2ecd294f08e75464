"""`compose/stack restart`: replaces processes one after another, so that the stack continues to serve."""

from __future__ import annotations

import math
import os
import sys
import time
from argparse import Namespace

from .language import say
from .problem import ExitCode, Problem
from .processes import wait_for_exit
from .record import StackRecord
from .run_folder import RunFolder
from .running import changed_variables, running_stack
from .services import BY_NAME, DEMO_UPSTREAM, NATS, Instance, matching
from .starting import await_current, await_registered, await_upstream
from .stopping import GRACE_SECONDS, ignored_signals
from .supervisor import Supervisor
from .waiting import wait_until

EVERYTHING = "all"


def restart(options: Namespace) -> int:
    """Replace the named instances; each is stopped only when the preceding one serves again."""
    with running_stack(os.environ, changing=True) as (folder, record, supervisor):
        chosen = restart_order(options.which, record.instances)
        _note_changed_variables(folder, record.demo)
        began = time.monotonic()
        for instance in chosen:
            seconds = _replace(folder, record, supervisor, instance)
            print(say(f"{instance.name}: 교체 완료({seconds:.1f}초)", f"{instance.name} replaced in {seconds:.1f} s"), flush=True)
    if len(chosen) > 1:
        seconds = time.monotonic() - began
        print(say(f"프로세스 {len(chosen)}개를 {seconds:.1f}초 만에 교체했습니다.",
                  f"Replaced {len(chosen)} processes in {seconds:.1f} s."))
    return ExitCode.OK


def _note_changed_variables(folder: RunFolder, demo: bool) -> None:
    if changed := changed_variables(folder, os.environ, demo):
        names = ", ".join(changed)
        print(say(f"{names}: up을 실행할 때의 값을 그대로 씁니다. 바꾸려면 설정 파일에 쓰거나 down 후 up을 실행하세요.",
                  f"{names}: the processes keep the values that up had. To change them, write them to the settings file, or run down and up."),
              file=sys.stderr)


def restart_order(which: str, present: list[Instance]) -> list[Instance]:
    """Return the chosen instances, those first on which no other service depends.

    The demo upstream is restarted only by its name: it represents external hosts, and calls fail without it.
    """
    if which == EVERYTHING:
        chosen = [instance for instance in present if instance.service != DEMO_UPSTREAM.name]
    else:
        if which in BY_NAME and not any(instance.service == which for instance in present):
            raise Problem(
                say(f"실행 중인 {which} 인스턴스가 없습니다", f"no {which} is running"),
                fix=say(f"시작하세요: compose/stack scale {which}=1", f"Start it: compose/stack scale {which}=1"))
        names = matching(which, [instance.name for instance in present])
        chosen = [instance for instance in present if instance.name in names]
    return sorted(chosen, key=lambda instance: BY_NAME[instance.service].stop_stage)


def _replace(folder: RunFolder, record: StackRecord, supervisor: Supervisor, instance: Instance) -> float:
    began = time.monotonic()
    try:
        servers = _live_servers(supervisor) if instance.service == NATS.name else []
        # Those that are left without a majority elect no leader, and none of them becomes ready.
        is_majority = 2 * len(servers) > record.counts.get(NATS.name, 0)
        if is_majority:
            await_current(folder, supervisor, [server for server in servers if server != instance], servers)
        with ignored_signals():  # an interrupt between its end and its start would leave it stopped
            ended = _stop(supervisor, instance)
            supervisor.start(instance)
        if instance.service == DEMO_UPSTREAM.name:
            await_upstream(folder, supervisor)
        else:
            awaited = record.instances if instance in record.bus_instances else [instance]
            # On NATS the workers keep their registrations over the restart of a server.
            since = -math.inf if instance.service == NATS.name else ended
            await_registered(folder, record, supervisor, awaited, since=since)
            if is_majority:
                await_current(folder, supervisor, [instance], _live_servers(supervisor))
    except Problem as problem:
        problem.fix = say("이후 프로세스는 교체하지 않았습니다. 스택은 계속 실행됩니다.",
                          "The following processes were not replaced. The stack keeps running.")
        raise
    return time.monotonic() - began


def _live_servers(supervisor: Supervisor) -> list[Instance]:
    return [state.instance for state in supervisor.processes() if state.instance.service == NATS.name and state.is_alive]


def _stop(supervisor: Supervisor, instance: Instance) -> float:
    """Stop an instance after it has finished its requests; return the time of its end."""
    supervisor.stop(instance)
    wait_for_exit(_pids(supervisor, instance), GRACE_SECONDS)
    ended = time.monotonic()
    # supervisord cannot start a process before it has noticed its end
    if not wait_until(lambda: not _pids(supervisor, instance), GRACE_SECONDS):
        raise Problem(say(f"{instance.name}: 종료되지 않습니다", f"{instance.name} does not stop"))
    return ended


def _pids(supervisor: Supervisor, instance: Instance) -> list[int]:
    return [state.pid for state in supervisor.processes() if state.instance == instance and state.is_alive]
