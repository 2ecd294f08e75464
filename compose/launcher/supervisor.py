"""The client of supervisord: XML-RPC over the socket in the run folder."""

from __future__ import annotations

import http.client
import socket
import xmlrpc.client
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .problem import ExitCode
from .services import Instance

ANSWER_SECONDS = 30.0
_SPAWN_ERROR = 50
_ALREADY_SO = (10, 60, 70, 90)  # BAD_NAME, ALREADY_STARTED, NOT_RUNNING, ALREADY_ADDED


class SupervisorUnreachable(Exception):
    """No supervisord answers on the socket of this run folder."""


@dataclass(frozen=True)
class ProcessState:
    """The state of one instance in supervisord."""

    instance: Instance
    state: str
    """One of STARTING, RUNNING, BACKOFF, STOPPING, STOPPED, EXITED, FATAL."""
    pid: int
    uptime_seconds: int
    problem: str
    was_killed: bool
    """Whether a signal has ended it, such as KILL after the grace."""
    needs_operator: bool = False
    """Whether it ended because a setting, a key or a file must be changed (exit code 78)."""

    @property
    def is_alive(self) -> bool:
        """Return whether its process exists."""
        return self.pid > 0

    @property
    def is_given_up(self) -> bool:
        """Return whether it is not restarted at once: it crashed too often, or an operator must change something."""
        return self.state == "FATAL"

    @property
    def has_failed(self) -> bool:
        """Return whether it ended without a request."""
        return self.state in ("BACKOFF", "FATAL", "EXITED")


class Supervisor:
    """The supervisord of one run folder."""

    def __init__(self, socket_path: Path) -> None:
        self._proxy = xmlrpc.client.ServerProxy("http://supervisor", transport=_UnixTransport(socket_path))

    def is_reachable(self) -> bool:
        """Return whether it answers, or listens without an answer in time: then it runs, and the next call says so."""
        try:
            self._call("getState")
        except SupervisorUnreachable as error:
            return isinstance(error.__cause__, TimeoutError)
        return True

    def pid(self) -> int:
        """Return supervisord's own process id."""
        return int(self._call("getPID"))

    def processes(self) -> list[ProcessState]:
        """Return the state of every instance."""
        return [_state(entry) for entry in self._call("getAllProcessInfo")]

    def reload(self) -> None:
        """Make supervisord read its configuration again; this starts and stops nothing."""
        self._call("reloadConfig")

    def add(self, instance: Instance) -> None:
        """Start an instance that is new in the configuration."""
        self._call("addProcessGroup", instance.program)

    def start(self, instance: Instance) -> None:
        """Start a stopped instance without waiting; its state shows an immediate failure."""
        try:
            self._call("startProcess", f"{instance.program}:{instance.program}", False)
        except xmlrpc.client.Fault as fault:
            if fault.faultCode != _SPAWN_ERROR:
                raise

    def stop(self, instance: Instance) -> None:
        """Send TERM, and KILL after the grace, without waiting for the end."""
        self._call("stopProcess", f"{instance.program}:{instance.program}", False)

    def remove(self, instance: Instance) -> bool:
        """Remove a stopped instance; return whether it had stopped."""
        try:
            self._call("removeProcessGroup", instance.program)
        except xmlrpc.client.Fault:
            return False
        return True

    def shut_down(self) -> None:
        """Make supervisord end."""
        self._call("shutdown")

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self._proxy.supervisor, method)(*arguments)
        except xmlrpc.client.Fault as fault:
            if fault.faultCode == 6:  # SHUTDOWN_STATE
                raise SupervisorUnreachable("it is shutting down") from fault
            if fault.faultCode in _ALREADY_SO:
                return True
            raise
        except (OSError, http.client.HTTPException, xmlrpc.client.ProtocolError) as error:
            raise SupervisorUnreachable(str(error)) from error


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, socket_path: Path) -> None:
        super().__init__("localhost", timeout=ANSWER_SECONDS)
        self._socket_path = socket_path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._socket_path))


class _UnixTransport(xmlrpc.client.Transport):
    def __init__(self, socket_path: Path) -> None:
        super().__init__()
        self._socket_path = socket_path

    def make_connection(self, host: Any) -> http.client.HTTPConnection:
        if self._connection and host == self._connection[0] and self._connection[1] is not None:
            return self._connection[1]
        self._connection = host, _UnixConnection(self._socket_path)
        return self._connection[1]


def _state(entry: dict[str, Any]) -> ProcessState:
    alive = int(entry["pid"]) > 0
    return ProcessState(
        instance=Instance.of_program(entry["name"]),
        state=entry["statename"],
        pid=int(entry["pid"]),
        uptime_seconds=max(0, int(entry["now"]) - int(entry["start"])) if alive else 0,
        problem=entry["spawnerr"],
        was_killed=not alive and int(entry["exitstatus"]) < 0,
        needs_operator=not alive and entry["spawnerr"] == f"exit status {ExitCode.CONFIGURATION:d}",
    )
