"""The configuration of supervisord: one section per instance, without secrets and ports."""

from __future__ import annotations

import os
import shlex
import shutil

from . import nats
from .language import say
from .problem import usage
from .record import StackRecord
from .run_folder import NATS_FOLDER, SUPERVISOR_SOCKET, URL_FILE
from .services import BY_NAME, DEMO_UPSTREAM, KEY_VARIABLES, NATS, Instance, Service, base_url

STOP_WAIT_SECONDS = 8
"""Longer than the 6 s that a service takes at most to drain."""

_HEAD = f"""\
; Written by compose/stack, which overwrites it. Paths are relative to the run folder, where supervisord works.
[supervisord]
logfile=log/supervisord.log
logfile_maxbytes=1MB
logfile_backups=1
pidfile=supervisord.pid
nodaemon=true
silent=true
nocleanup=true
umask=077
identifier=boxoffice
{{user}}
[unix_http_server]
file={SUPERVISOR_SOCKET}
chmod=0600

[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
"""

_PROGRAM = f"""\

[program:{{program}}]
command={{command}}
environment={{environment}}
priority={{priority}}
autostart=true
autorestart=true
startsecs=1
startretries=3
stopsignal=TERM
stopwaitsecs={STOP_WAIT_SECONDS}
stopasgroup=true
killasgroup=true
redirect_stderr=true
stdout_logfile=log/{{program}}.log
stdout_logfile_maxbytes=2MB
stdout_logfile_backups=1
"""

_DEMO_PATHS = {"KOBIS": "kobisopenapi/webservice/rest/"}
"""Where demo-upstream answers as an API, if not at its root."""

# After a crash the demo upstream uses the same port again, since the fetchers are configured with it.
_DEMO_UPSTREAM_SCRIPT = (
    f'url=$(cat {URL_FILE} 2>/dev/null); port=${{url##*:}}; '
    f'exec "$0" --port "${{port:-0}}" --url-file {URL_FILE} "$@"'
)


def render(record: StackRecord, chosen: list[Instance]) -> str:
    """Return the configuration for these instances of the stack."""
    user = "user=root\n" if os.geteuid() == 0 else ""  # else supervisord prints a warning
    return _HEAD.format(user=user) + "".join(_program(record, instance) for instance in chosen)


def quoted(argument: str) -> str:
    """Quote one argument for a `command=` line, which supervisord reads three times over.

    First as an ini value (a blank before `;` or `#` begins a comment), then as a %-format, then as shell words.
    """
    if any(ord(character) < 32 or ord(character) == 127 for character in argument):
        raise usage(say(f"제어 문자는 전달할 수 없습니다: {argument!r}", f"control characters are not allowed: {argument!r}"))
    words = shlex.quote(argument).replace(" ;", " '';").replace(" #", " ''#")
    return words.replace("%", "%%")


def _program(record: StackRecord, instance: Instance) -> str:
    service = BY_NAME[instance.service]
    command = [*_guard(), *_key_file(record, service), *_command(record, instance, service)]
    return _PROGRAM.format(
        program=instance.program,
        command=" ".join(quoted(word) for word in command),
        environment=",".join(f'{name}="{value}"' for name, value in _environment(record, instance, service).items()),
        priority=10 * (1 + list(BY_NAME).index(service.name)),
    )


def _guard() -> list[str]:
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []


def _key_file(record: StackRecord, service: Service) -> list[str]:
    """Return the words that set the variable of a fetcher's key file.

    They are part of the command, since supervisord's `environment=` has no escape for a path with both kinds of quotes.
    """
    variable = f"{KEY_VARIABLES.get(service.upstream)}_FILE"
    if variable not in record.key_files:
        return []
    return [shutil.which("env") or "/usr/bin/env", f"{variable}={record.key_files[variable]}"]


def _command(record: StackRecord, instance: Instance, service: Service) -> list[str]:
    if service is NATS:
        return [nats.executable(), "--config", f"{NATS_FOLDER}/{instance.number}.conf"]
    binary = f"{record.binaries}/{service.name}"
    if service.url_file:
        return [binary, "--url-file", service.url_file]
    if service is not DEMO_UPSTREAM:
        return [binary]
    recordings = ["--recordings", record.recordings] if record.recordings else []
    return ["/bin/sh", "-c", _DEMO_UPSTREAM_SCRIPT, binary, *recordings, *record.demo_options]


def _environment(record: StackRecord, instance: Instance, service: Service) -> dict[str, str]:
    environment = {"BOXOFFICE_INSTANCE": record.name_on_bus(instance)}
    if record.upstream_url and service.upstream:
        environment[base_url(service.upstream)] = f"{record.upstream_url}/{_DEMO_PATHS.get(service.upstream, '')}"
    return environment
