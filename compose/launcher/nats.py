"""The bus of a stack without a broker of ours: servers of NATS, its own or others'."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import socket
from collections.abc import Iterable, Mapping, Set
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from .language import say
from .problem import Problem, usage
from .run_folder import BUS_FILE, NATS_FOLDER, RunFolder
from .services import BROKER, NATS

# The largest message as with our own broker. By the pings a server notices within 2 s that another one, or a client, is silent:
# what it sends there would be lost.
_CONFIGURATION = """\
server_name: "{name}"
listen: "127.0.0.1:{port}"
http: "127.0.0.1:{health}"
max_payload: 4MB
ping_interval: "500ms"
ping_max: 2
lame_duck_duration: "30s"
lame_duck_grace_period: "1s"
jetstream {{ store_dir: {store}, max_file_store: 256MB }}
"""
# What a server writes at most: 64 MiB of events, and the log of what the servers agree on.
STORE_BYTES = 96 * 1024 * 1024
_HEALTH_SECONDS = 1.0
_REPORT_BYTES = 4_000_000
# The servers of a group send each other something at least once a second.
_HEARD_NANOSECONDS = 3_000_000_000
_CLUSTER = """\
cluster {{ name: "boxoffice", listen: "127.0.0.1:{port}", routes: [{routes}] }}
"""


def with_value(arguments: list[str]) -> list[str]:
    """Write `--nats` as `--nats=1`: a value after a blank would be one of the services."""
    return ["--nats=1" if argument == "--nats" else argument for argument in arguments]


def count_of(value: str) -> int:
    """Read the value of --nats: one server, or three that hold the streams together."""
    if value not in ("1", "3"):
        raise usage(say(f"--nats={value}: NATS 서버는 1개나 3개입니다", f"--nats={value}: there are 1 or 3 servers of NATS"),
                    say("두 개 가운데 하나가 멈추면 과반수가 없어 이벤트도 멈춥니다.",
                        "Of two, one alone is no majority, and events would stop with either of them."))
    return int(value)


def foreign_address(environ: Mapping[str, str]) -> str:
    """Return the servers that the environment names; "" when it names none of NATS."""
    address = environ.get("BOXOFFICE_BROKER", "")
    return address if address.startswith(("nats://", "tls://")) else ""


def counts(given: Mapping[str, int], servers: int) -> dict[str, int]:
    """Return the numbers of instances of a stack on NATS, which has no broker of ours."""
    if BROKER.name in given:
        raise usage(say(f"{BROKER.name}: NATS를 쓰는 스택에는 없습니다", f"a stack on NATS has no {BROKER.name}"))
    return {BROKER.name: 0, NATS.name: servers}


def host_label() -> str:
    """Return the host's part in the names of instances, by the same rule as the programs."""
    label = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname().partition(".")[0][:32])
    return label or "host"


def executable() -> str:
    """Return the path of nats-server, or raise a problem."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"])
    if found := shutil.which(NATS.name, path=folders):
        return found
    raise Problem(say("nats-server가 설치되어 있지 않습니다", "nats-server is not installed"),
                  fix=say("Debian: apt-get install nats-server libnats3.4", "On Debian: apt-get install nats-server libnats3.4"))


def prepare_servers(folder: RunFolder, count: int) -> str:
    """Write the configurations of that many servers on loopback, and return their address."""
    executable()
    place = folder.path / NATS_FOLDER
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    return write_servers(place, count)


def write_servers(place: Path, count: int) -> str:
    """Write `1.conf` and so on into that folder, and return the address of the servers."""
    ports = free_ports(3 * count)
    routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports[count:2 * count])
    for number in range(1, count + 1):
        text = _CONFIGURATION.format(name=_name(number), port=ports[number - 1], health=ports[2 * count + number - 1],
                                     store=json.dumps(str(place / f"store-{number}")))
        if count > 1:
            text += _CLUSTER.format(port=ports[count + number - 1], routes=routes)
        (place / f"{number}.conf").write_text(text, encoding="utf-8")
    return "nats://" + ",".join(f"127.0.0.1:{port}" for port in ports[:count])


def unready_reasons(folder: RunFolder, awaited: Iterable[int], present: Iterable[int]) -> dict[int, str]:
    """Return why each of the awaited servers may lack what the others hold; "" when it lacks nothing.

    All that are present are asked what they know. One of them that is not awaited need not answer.
    """
    reasons = {number: _ill_health(folder, number) for number in awaited}
    if any(reasons.values()):
        return reasons
    found = stale_servers(reports(folder, present), {_name(number) for number in reasons})
    return {number: found.get(_name(number), "") for number in reasons}


def reports(folder: RunFolder, numbers: Iterable[int]) -> dict[str, Mapping[str, Any]]:
    """Return the groups of copies that servers report, by the server's name; without those that do not answer."""
    views: dict[str, Mapping[str, Any]] = {}
    for number in numbers:
        with suppress(OSError, http.client.HTTPException, ValueError):
            views[_name(number)] = _groups(json.loads(_ask(folder, number, "/jsz?streams=true")[1]))
    return views


def stale_servers(views: Mapping[str, Mapping[str, Any]], awaited: Set[str]) -> dict[str, str]:
    """Return which of the awaited servers may lack something, and why, from the groups of copies that servers report.

    The health of a server is not enough: one that led a group and was suspended is healthy until it meets its successor.
    Nor is what a leader says of servers that it has not heard for a while.
    """
    reasons = dict.fromkeys(awaited - set(views), say("상태를 알려 주지 않습니다", "it does not report its state"))
    for group in sorted({group for view in views.values() for group, copy in view.items() if copy}):
        leaders = sorted({views[name][group].get("leader", "") for name in awaited & set(views) if views[name].get(group)})
        if not all(leader in views for leader in leaders):
            found = dict.fromkeys(awaited, say(f"{group}: 리더가 없거나 답하지 않습니다", f"{group}: no leader answers"))
        elif len(leaders) > 1:
            found = dict.fromkeys(awaited, say(f"{group}: 서버마다 다른 리더를 말합니다({', '.join(leaders)})",
                                               f"{group}: the servers name different leaders ({', '.join(leaders)})"))
        else:
            found = {name: say(f"{group}: {leader}의 내용이 다 있는지 알 수 없습니다", f"{group}: it may lack what {leader} holds")
                     for leader in leaders for name in awaited - {leader} if not _is_current(name, views[leader].get(group) or {})}
        reasons = {**found, **reasons}
    return reasons


def _is_current(name: str, led: Mapping[str, Any]) -> bool:
    """Whether the leader of a group knows that a server has all of its entries; a group of one copy has no others."""
    replicas = led.get("replicas") or []
    return not replicas or any(
        each["name"] == name and each.get("current") and each.get("active", 0) <= _HEARD_NANOSECONDS for each in replicas)


def _groups(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return each group of copies in a server's report: of what the servers agree on, and of each stream."""
    streams = {stream["name"]: stream.get("cluster") or {}
               for account in report.get("account_details") or [] for stream in account.get("stream_detail") or []}
    return {"JetStream": report.get("meta_cluster") or {}, **streams}


def _ill_health(folder: RunFolder, number: int) -> str:
    try:
        status, body = _ask(folder, number, "/healthz")
    except (OSError, http.client.HTTPException) as error:
        return str(error)
    return "" if status == http.client.OK else body.strip()


def _ask(folder: RunFolder, number: int, path: str) -> tuple[int, str]:
    configuration = (folder.path / NATS_FOLDER / f"{number}.conf").read_text(encoding="utf-8")
    address = re.search(r'^http: "(.+)"$', configuration, re.MULTILINE)
    assert address
    connection = http.client.HTTPConnection(address[1], timeout=_HEALTH_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read(_REPORT_BYTES).decode(errors="replace")
    finally:
        connection.close()


def _name(number: int) -> str:
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
