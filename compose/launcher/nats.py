"""The bus of a stack without a broker of ours: servers of NATS, its own or others'."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from .language import say
from .nats_certificate import make_certificate
from .problem import ExitCode, Problem, usage
from .run_folder import BUS_CERTIFICATE_FILE, BUS_FILE, BUS_KEY_FILE, NATS_FOLDER, RunFolder
from .services import BROKER, NATS

# The largest message is as with our own broker. By the pings a server notices within 2 s that another one, or a client, is
# silent: what it sends there would be lost.
_CONFIGURATION = """\
server_name: "{name}"
listen: "127.0.0.1:{port}"
max_payload: 4MB
ping_interval: "500ms"
ping_max: 2
lame_duck_duration: "30s"
lame_duck_grace_period: "1s"
jetstream {{ store_dir: {store}, max_file_store: 256MB }}
"""
# Other users of this machine reach the ports, so every connection is encrypted and needs a key, a password or a certificate:
# programs those of `users.conf`, the launcher that of the system account, servers that of the run. When a server has ended,
# another user can listen on its port, who must learn nothing either. The account of the programs has a name, since
# nats-server admits everybody to the default one when $SYS is the only account beside it.
_PROTECTION = """\
tls {{ cert_file: {certificate}, key_file: {key}, timeout: 5 }}
accounts {{
  boxoffice {{
    jetstream: enabled
    include "users.conf"
  }}
  $SYS {{ users: [ {{ user: "launcher", password: "{password}" }} ] }}
}}
"""
_USERS_FILE = "users.conf"
_TLS_KEY_FILE = "tls.key"
PASSWORD_FILE = "password"
"""The password of the launcher in the system account of the servers."""
# What a server writes at most: 64 MiB of events, and the log of what the servers agree on.
STORE_BYTES = 96 * 1024 * 1024
_KEY_SECONDS = 10.0
_CLUSTER = """\
cluster {{
  name: "boxoffice", listen: "127.0.0.1:{port}", routes: [{routes}]
  {protection}
}}
"""
_CLUSTER_PROTECTION = "tls {{ cert_file: {certificate}, key_file: {key}, ca_file: {certificate}, verify: true, timeout: 5 }}"


def with_value(arguments: list[str]) -> list[str]:
    """Write `--nats` as `--nats=1`: a value after a blank would be one of the services."""
    return ["--nats=1" if argument == "--nats" else argument for argument in arguments]


def count_of(value: str) -> int:
    """Read the value of --nats: one server, or three that hold the streams together."""
    if value not in ("1", "3"):
        raise usage(say(f"--nats={value}: 1이나 3만 쓸 수 있습니다", f"--nats={value}: must be 1 or 3"),
                    say("서버가 2개면 하나만 멈춰도 과반수를 잃습니다.",
                        "With two servers, losing either one loses the majority."))
    return int(value)


def foreign_address(environ: Mapping[str, str]) -> str:
    """Return the servers that the environment names; "" when it names none of NATS."""
    address = environ.get("BOXOFFICE_BROKER", "")
    if not address.startswith(("nats://", "tls://")):
        return ""
    if "@" in address or "?" in address:
        raise usage(
            say("BOXOFFICE_BROKER: 주소에 사용자 이름, 비밀번호, 쿼리를 쓸 수 없습니다",
                "BOXOFFICE_BROKER: the address must not contain a user, password or query"),
            say("키 파일을 BOXOFFICE_KEY_FILE에 정하세요.", "Set BOXOFFICE_KEY_FILE to a key file."))
    return address


def counts(given: Mapping[str, int], servers: int) -> dict[str, int]:
    """Return the numbers of instances of a stack on NATS, which has no broker of ours."""
    if BROKER.name in given:
        raise usage(say(f"{BROKER.name}: NATS를 쓰는 스택에는 없습니다", f"a NATS stack runs without {BROKER.name}"))
    return {BROKER.name: 0, NATS.name: servers}


def executable() -> str:
    """Return the path of nats-server, or raise a problem."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"])
    if found := shutil.which(NATS.name, path=folders):
        return found
    raise Problem(say("nats-server가 설치되어 있지 않습니다", "nats-server is not installed"),
                  fix=say("Debian: apt-get install nats-server libnats3.4", "On Debian: apt-get install nats-server libnats3.4"))


def prepare_servers(folder: RunFolder, count: int, programs: Path) -> str:
    """Write the configurations of that many servers on loopback and the key that they admit; return their address."""
    executable()
    place = folder.path / NATS_FOLDER
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    _make_key(folder, place, programs / BROKER.name)
    certificate, key, password = folder.path / BUS_CERTIFICATE_FILE, place / _TLS_KEY_FILE, secrets.token_hex(16)
    make_certificate(certificate, key)
    (place / PASSWORD_FILE).write_text(password, encoding="ascii")
    return "tls://" + _write_servers(
        place, count, certificate=json.dumps(str(certificate)), key=json.dumps(str(key)), password=password)


def prepare_open_servers(place: Path, count: int) -> str:
    """Write configurations of servers that admit everybody, for measurements; return their address."""
    return "nats://" + _write_servers(place, count)


def _make_key(folder: RunFolder, place: Path, broker: Path) -> None:
    """Make the key of this run, an operator's, and let the servers admit no other."""
    keys = place / "keys"
    _run(broker, "keygen", "--nats", "--operator", "stack", "--keys", str(keys))
    folder.write_private(BUS_KEY_FILE, (keys / "nats/operators/stack.key").read_text(encoding="ascii"))
    users = _run(broker, "nats-config", "--users", "--keys", str(keys))
    (place / _USERS_FILE).write_text(users, encoding="utf-8")
    shutil.rmtree(keys)


def _run(program: Path, *arguments: str) -> str:
    try:
        result = subprocess.run(
            [str(program), *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=_KEY_SECONDS, check=False,
            text=True)
        complaint = result.stderr.strip() if result.returncode else ""
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _no_key(str(error)) from error
    if result.returncode:
        raise _no_key(complaint or f"{program.name} {arguments[0]}: {result.returncode}")
    return result.stdout


def _no_key(why: str) -> Problem:
    return Problem(say("NATS 서버의 키를 만들 수 없습니다", "cannot create the key of the NATS servers"), details=[why], code=ExitCode.LOCAL_IO)


def _write_servers(place: Path, count: int, **protection: str) -> str:
    """Write `1.conf` and so on into that private folder, and return the hosts and ports of the servers."""
    ports = free_ports(2 * count)
    routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports[count:])
    for number in range(1, count + 1):
        text = _CONFIGURATION.format(
            name=server_name(number), port=ports[number - 1], store=json.dumps(str(place / f"store-{number}")))
        if protection:
            text += _PROTECTION.format(**protection)
        if count > 1:
            text += _CLUSTER.format(port=ports[count + number - 1], routes=routes,
                                    protection=_CLUSTER_PROTECTION.format(**protection) if protection else "")
        (place / f"{number}.conf").write_text(text, encoding="utf-8")
    return ",".join(f"127.0.0.1:{port}" for port in ports[:count])


def server_name(number: int) -> str:
    """Return the name by which a server is known to the others."""
    return f"nats-{number}"


def record_address(folder: RunFolder, address: str) -> None:
    """Name the bus in the run folder, where the programs look for it."""
    folder.write_private(BUS_FILE, f"{address}\n")


def free_ports(count: int) -> list[int]:
    """Return different ports that are free now; a restarted server uses its port again."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
