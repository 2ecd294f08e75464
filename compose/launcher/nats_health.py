"""Whether the servers of NATS that the launcher started hold what the others hold."""

from __future__ import annotations

import json
import re
import secrets
import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Set
from contextlib import ExitStack, suppress
from typing import Any

from .language import say
from .nats import PASSWORD_FILE, server_name
from .run_folder import BUS_CERTIFICATE_FILE, NATS_FOLDER, RunFolder

_HEALTH_SECONDS = 1.0
# Beyond them, a greeting and a line of the protocol are none of a NATS server.
_GREETING_BYTES = 8192
_LINE_BYTES = 65_536
# The servers of a group send each other something at least once a second.
_HEARD_NANOSECONDS = 3_000_000_000


def unready_reasons(folder: RunFolder, awaited: Iterable[int], present: Iterable[int]) -> dict[int, str]:
    """Return why each of the awaited servers may lack what the others hold; "" when it lacks nothing.

    All that are present are asked what they know. One of them that is not awaited need not answer.
    """
    reasons = {number: _ill_health(folder, number) for number in awaited}
    if any(reasons.values()):
        return reasons
    found = stale_servers(reports(folder, present), {server_name(number) for number in reasons})
    return {number: found.get(server_name(number), "") for number in reasons}


def reports(folder: RunFolder, numbers: Iterable[int]) -> dict[str, Mapping[str, Any]]:
    """Return the groups of copies that servers report, by the server's name; without those that do not answer."""
    views: dict[str, Mapping[str, Any]] = {}
    for number in numbers:
        with suppress(OSError, ValueError):
            views[server_name(number)] = _groups(_ask(folder, number, "JSZ"))
    return views


def stale_servers(views: Mapping[str, Mapping[str, Any]], awaited: Set[str]) -> dict[str, str]:
    """Return which of the awaited servers may lack something, and why, from the groups of copies that servers report.

    The health of a server is not enough: one that led a group and was suspended is healthy until it meets its successor.
    Nor is what a leader says of servers that it has not heard for a while.
    """
    reasons = dict.fromkeys(awaited - set(views), say("상태를 보고하지 않습니다", "it does not report its state"))
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
        answer = _ask(folder, number, "HEALTHZ")
    except (OSError, ValueError) as error:
        return str(error)
    return "" if answer.get("status") == "ok" else str(answer.get("error") or answer.get("status"))


def _ask(folder: RunFolder, number: int, what: str) -> Mapping[str, Any]:
    """Return a report of a server about itself, over its system account: a port for monitoring would be open to every user.

    The password is sent to nobody who lacks the key of this run's certificate.

    Raises OSError or ValueError when there is no answer, or no readable one.
    """
    place = folder.path / NATS_FOLDER
    address = re.search(r'^listen: "(.+):(\d+)"$', (place / f"{number}.conf").read_text(encoding="utf-8"), re.MULTILINE)
    assert address
    login = {"user": "launcher", "pass": (place / PASSWORD_FILE).read_text(encoding="ascii"), "verbose": False}
    question, inbox = json.dumps({"accounts": True, "streams": True}), f"_INBOX.{secrets.token_hex(8)}"
    only_ours = ssl.create_default_context(cafile=str(folder.path / BUS_CERTIFICATE_FILE))
    deadline = time.monotonic() + _HEALTH_SECONDS
    with ExitStack() as open_connections:
        clear = open_connections.enter_context(socket.create_connection((address[1], int(address[2])), timeout=_HEALTH_SECONDS))
        server = _server_id(_greeting(clear, deadline))
        clear.settimeout(max(0.001, deadline - time.monotonic()))
        connection = open_connections.enter_context(only_ours.wrap_socket(clear, server_hostname=address[1]))
        answers = connection.makefile("rb")
        connection.sendall(
            f"CONNECT {json.dumps(login)}\r\nSUB {inbox} 1\r\n"
            f"PUB $SYS.REQ.SERVER.{server}.{what} {inbox} {len(question)}\r\n{question}\r\n".encode("ascii"))
        connection.settimeout(_HEALTH_SECONDS)
        deadline = time.monotonic() + _HEALTH_SECONDS
        while (line := answers.readline(_LINE_BYTES)) and time.monotonic() < deadline:
            if line.startswith(b"MSG "):
                report: Mapping[str, Any] = json.loads(answers.read(int(line.split()[-1])))["data"]
                return report
            if line.startswith(b"PING"):
                connection.sendall(b"PONG\r\n")
            elif line.startswith(b"-ERR"):
                raise ConnectionError(line.decode("utf-8", "replace").strip())
    raise ConnectionError(say("응답이 없습니다", "no answer"))


def _greeting(connection: socket.socket, deadline: float) -> bytes:
    """Read the first line byte by byte, so that nothing behind it is read in clear text.

    The deadline is that of the whole line: an impostor may send it slowly on purpose.
    """
    line = b""
    while not line.endswith(b"\n") and len(line) < _GREETING_BYTES:
        connection.settimeout(max(0.001, deadline - time.monotonic()))
        byte = connection.recv(1)
        if not byte:
            break
        line += byte
    return line


def _server_id(greeting: bytes) -> str:
    """Return the identity of a server that is fit for a subject, or raise ConnectionError."""
    with suppress(ValueError, RecursionError):
        information = json.loads(greeting.removeprefix(b"INFO "))
        server = information.get("server_id") if isinstance(information, dict) else None
        if isinstance(server, str) and re.fullmatch("[A-Z0-9]+", server):
            return server
    raise ConnectionError(say("NATS 서버가 아닙니다", "not a NATS server"))
