"""`compose/stack up`: starts a stack and returns when every worker is registered."""

from __future__ import annotations

import os
import shlex
import sys
import time
from argparse import Namespace
from pathlib import Path

from . import binaries, keeper, nats, secrets, stop_note, supervisor_installation
from .demo_world import prepare_cache, remember_address
from .disk import LEAST_FREE_BYTES, check_room
from .binaries import GATEWAY
from .environment import CACHE, DATA, cache_folder, for_stack
from .foreground import run_in_foreground
from .gateway import ask, warn_of_unknown_settings
from .installation import PROGRAMS
from .language import say
from .problem import ExitCode, Problem, usage
from .processes import end_marked
from .record import StackRecord
from .run_folder import RUN, RunFolder, locate
from .service_manager import notify
from .services import BY_NAME, EXPORTER, NATS, WEB, parse_counts, usual_counts
from .settings import effective
from .starting import await_pages, await_registered, await_supervisor, await_upstream, configure, page_address
from .stopping import GRACE_SECONDS, await_keeper, deferred_signals, ignored_signals
from .supervisor import Supervisor


def up(options: Namespace) -> int:
    """Start a stack in the run folder."""
    began = time.monotonic()
    environ = dict(os.environ)
    secrets.erase_from_environment()
    record = _record(options)
    folder = RunFolder.create(locate(os.environ))
    with folder.command_lock():
        lock = _lock(folder)
        try:
            if why := stop_note.take(folder.path):
                print(why, file=sys.stderr)
            binaries.check(Path(record.binaries), record.demo)
            needed = LEAST_FREE_BYTES + nats.STORE_BYTES * record.counts.get(NATS.name, 0)
            check_room(say("실행 디렉터리", "run directory"), folder.path, RUN, needed)
            if not record.demo:
                check_room(say("캐시", "cache"), cache_folder(os.environ, folder, demo=False), CACHE)
            warn_of_unknown_settings(record.gateway, options.environ)
            keys = secrets.for_stack(environ, folder, record.demo)
            environment = for_stack(environ, folder, record.demo)
            supervisor_installation.ensure()
            _clear(folder)
            _prepare(folder, record)
            record = _with_bus(folder, record)
            holder = _start(folder, record, environment, keys, lock)
        except BaseException:
            if folder.holder() is None:  # else it belongs to the keeper, which removes it at its end
                folder.remove_stack_lock()
            raise
        finally:
            os.close(lock)
    if not options.foreground:
        holder.detach()  # before the summary: the stack stays even if the output is closed
    print(_summary(folder, record, time.monotonic() - began), flush=True)
    notify("READY=1")
    return run_in_foreground(folder, holder) if options.foreground else ExitCode.OK


def _record(options: Namespace) -> StackRecord:
    page = {WEB.name: 1} if options.web else {}
    given = parse_counts(options.services, options.demo)
    counts = {**usual_counts(options.demo, effective(os.environ)), **page, **given}
    servers = nats.count_of(options.nats) if options.nats else 0
    bus = "" if servers else nats.foreign_address(os.environ)
    if servers or bus:
        counts |= nats.counts(given, servers)
    if not options.demo and (options.recordings or options.demo_options):
        raise usage(say("--recordings와 -- 뒤의 옵션은 --demo와 함께 써야 합니다",
                        "--recordings and options after -- require --demo"))
    recordings = None
    if options.recordings:
        recordings = os.path.abspath(options.recordings)
        if not os.path.isdir(recordings):
            raise usage(say(f"--recordings: {recordings} 디렉터리가 없습니다", f"--recordings: {recordings} is no directory"))
    folder = os.path.abspath(options.bin or PROGRAMS)
    # On a bus that other hosts share, an instance is named as the programs name it.
    host = str(ask(Path(folder) / GATEWAY, options.environ, "config")[0]["host"]) if bus else ""
    return StackRecord(folder, options.demo, counts, recordings, options.demo_options, bus=bus, host=host)


def _lock(folder: RunFolder) -> int:
    lock = folder.take_stack_lock()
    if lock is None and not Supervisor(folder.supervisor_socket).is_reachable():
        print(say("강제 종료된 스택의 정리를 기다리는 중 …", "Waiting for the cleanup of a killed stack …"),
              file=sys.stderr, flush=True)
        await_keeper(folder)
        lock = folder.take_stack_lock()
    if lock is None:
        raise Problem(
            say(f"{folder.path}에서 이미 스택이 실행 중입니다(프로세스 {folder.holder()})",
                f"a stack is already running in {folder.path} (process {folder.holder()})"),
            fix=say("확인: compose/stack ps. 종료: compose/stack down.\n"
                    "하나 더 실행하려면 BOXOFFICE_RUN을 다른 디렉터리로 설정하세요.",
                    "See it: compose/stack ps. Stop it: compose/stack down.\n"
                    "To run a second stack, set BOXOFFICE_RUN to another directory."),
        )
    os.ftruncate(lock, 0)  # an earlier holder may have left its process id
    return lock


def _clear(folder: RunFolder) -> None:
    """Clean up after a stack that was killed; a broker that the launcher did not start keeps running."""
    ended = end_marked(folder.path, GRACE_SECONDS)
    if folder.is_broker_lock_held():
        raise Problem(
            say(f"compose/stack이 시작하지 않은 브로커가 {folder.path}에서 실행 중입니다",
                f"a broker that compose/stack did not start is running in {folder.path}"),
            fix=say("그 브로커를 종료하거나 BOXOFFICE_RUN을 다른 디렉터리로 설정하세요.",
                    "Stop that broker, or set BOXOFFICE_RUN to another directory."),
        )
    if ended or folder.has_leftovers():
        print(say(f"강제 종료된 스택을 정리했습니다(남은 프로세스 {ended}개 종료).",
                  f"Cleaned up a killed stack: stopped {ended} leftover processes."), file=sys.stderr)
        folder.remove_files(and_stack_lock=False)


def _prepare(folder: RunFolder, record: StackRecord) -> None:
    if os.environ.get("BOXOFFICE_BROKER") and not record.bus:
        print(say("BOXOFFICE_BROKER: 이 스택은 자체 브로커를 사용합니다. gateway와 tap에는 이 설정이 적용됩니다.",
                  "BOXOFFICE_BROKER is ignored: this stack has its own broker. gateway and tap still use it."),
              file=sys.stderr)
    try:
        folder.begin_logs()
        if record.demo:
            for variable in (CACHE, DATA):
                if os.environ.get(variable):
                    print(say(f"{variable}: 데모에서는 사용하지 않습니다. 데모 데이터는 실행 디렉터리에 저장합니다.",
                              f"{variable} is ignored: demo data stays in the run directory."), file=sys.stderr)
            if os.environ.get("BOXOFFICE_RECORD"):
                print(say("BOXOFFICE_RECORD: 데모 데이터를 기록합니다.",
                          "BOXOFFICE_RECORD: this stack records demo data."), file=sys.stderr)
            if prepare_cache(record, folder):
                print(say("데모 데이터가 바뀌어 캐시를 비웠습니다.",
                          "The demo data has changed: its cache was cleared."), file=sys.stderr)
        else:
            cache_folder(os.environ, folder, demo=False).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(
            say(f"{error.filename}: 준비할 수 없습니다: {error.strerror}",
                f"cannot prepare {error.filename}: {error.strerror}"), code=ExitCode.LOCAL_IO
        ) from error


def _with_bus(folder: RunFolder, record: StackRecord) -> StackRecord:
    if servers := record.counts.get(NATS.name, 0):
        record = record.with_bus(nats.prepare_servers(folder, servers, Path(record.binaries)))
    if record.bus:
        nats.record_address(folder, record.bus)
    return record


def _start(
    folder: RunFolder, record: StackRecord, environment: dict[str, str], keys: dict[str, str], lock: int
) -> keeper.Keeper:
    first = [instance for instance in record.instances if not BY_NAME[instance.service].upstream]
    holder: keeper.Keeper | None = None
    try:
        record = record.with_key_files(secrets.write_files(keys, folder))
        configure(folder, record, first)
        record.save(folder)
        with deferred_signals():  # else a signal could arrive between the fork and the assignment
            holder = keeper.start(folder, environment, lock)
        supervisor = await_supervisor(folder, holder)
        if record.demo:
            record = record.with_upstream(await_upstream(folder, supervisor))
            remember_address(folder, record.upstream_url or "")
            record.save(folder)
        configure(folder, record, record.instances)
        supervisor.reload()
        for instance in record.instances:
            if instance not in first:
                supervisor.add(instance)
        await_registered(folder, record, supervisor, record.instances)
        await_pages(folder, record, supervisor)
    except BaseException as error:
        if holder:
            with ignored_signals():
                holder.abandon()
            if holder.has_lost_folder:
                raise keeper.lost_folder(folder.path) from error
        else:
            folder.remove_files(and_stack_lock=False)
        if isinstance(error, Problem):
            stopped = say(f"시작한 프로세스를 모두 다시 종료했습니다. 로그: {folder.log}",
                          f"All started processes were stopped again. Logs: {folder.log}")
            error.fix = f"{error.fix}\n{stopped}" if error.fix else stopped
        raise
    return holder


def _summary(folder: RunFolder, record: StackRecord, seconds: float) -> str:
    kind = say("데모 데이터, 키 없음", "demo data, no keys") if record.demo else say("실제 데이터", "real data")
    count = len(record.instances)
    running = " · ".join(f"{name} {count}" for name, count in record.counts.items() if count)
    prefix = f"{RUN}={shlex.quote(str(folder.path))} " if os.environ.get(RUN) else ""
    page = page_address(folder, record, WEB)
    metrics = page_address(folder, record, EXPORTER)
    lines = [
        say(f"스택을 {seconds:.1f}초 만에 시작했습니다(프로세스 {count}개, {kind}).",
            f"Started the stack in {seconds:.1f} s: {count} processes ({kind})."),
        f"  {say('실행  ', 'runs  ')}  {running}",
        f"  {say('폴더  ', 'folder')}  {folder.path}",
        *([f"  {say('버스  ', 'bus   ')}  {record.bus}"] if record.bus else []),
        f"  {say('조회  ', 'query ')}  {prefix}{_short(record.gateway)} show",
        *([f"  {say('페이지', 'pages ')}  {page}"] if page else []),
        *([f"  {say('메트릭', 'metric')}  {metrics}/metrics"] if metrics else []),
        f"  {say('이벤트', 'events')}  {prefix}{_short(record.gateway.with_name('tap'))} --match",
        f"  {say('종료  ', 'stop  ')}  {prefix}compose/stack down",
    ]
    return "\n".join(lines)


def _short(path: Path) -> str:
    relative = os.path.relpath(path)
    return shlex.quote(str(path) if relative.startswith("..") else relative)
