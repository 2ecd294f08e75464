"""The stack under test: started, used and stopped through the launcher."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from launcher.run_folder import RunFolder
from launcher.services import NATS, SERVICES
from launcher.supervisor import ProcessState, Supervisor
from nats_server import folder_of_new_servers

LAUNCHER = Path(__file__).resolve().parents[3] / "compose/stack"
NATS_SERVER = NATS.name
SERVERS = 3
COUNTS = {service.name: 2 for service in SERVICES if service.upstream}
UPSTREAM_MS = 40
"""The latency of the upstream, so that faults occur during requests."""


class StackProblem(Exception):
    """A command of the launcher failed."""


class Stack:
    """A running demo stack."""

    def __init__(self, binaries: Path, folder: Path, environment: Mapping[str, str], *, is_on_nats: bool) -> None:
        self.binaries = binaries
        self.folder = folder
        self.environment = dict(environment)
        self.is_on_nats = is_on_nats
        self.supervisor = Supervisor(RunFolder(folder).supervisor_socket)

    @classmethod
    @contextmanager
    def started(cls, binaries: Path, environment: Mapping[str, str], *, is_on_nats: bool = False) -> Iterator[Stack]:
        """Run a stack in its own folder for the duration of the block, and remove all of it."""
        folder = Path(tempfile.mkdtemp(prefix="boxoffice-chaos.", dir="/tmp"))
        own = {name: value for name, value in environment.items() if name not in ("BOXOFFICE_BROKER", "BOXOFFICE_INSTANCE")}
        own.update(BOXOFFICE_RUN=str(folder), BOXOFFICE_CONFIG=os.devnull)
        servers = []
        if is_on_nats:
            servers = [f"--nats={SERVERS}"]
            own["PATH"] = f"{folder_of_new_servers()}{os.pathsep}{own.get('PATH', os.defpath)}"
        stack = cls(binaries, folder, own, is_on_nats=is_on_nats)
        try:
            counts = [f"{name}={count}" for name, count in COUNTS.items()]
            stack.command("up", "--demo", "--bin", str(binaries), *servers, *counts)
            yield stack
        finally:
            stack.command("down", check=False)
            shutil.rmtree(folder, ignore_errors=True)

    def command(self, *arguments: str, check: bool = True) -> int:
        """Run a command of the launcher."""
        result = subprocess.run(
            [str(LAUNCHER), *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False, timeout=120,
        )
        if check and result.returncode:
            raise StackProblem(f"compose/stack {' '.join(arguments)} ended with {result.returncode}:\n{result.stdout}")
        return result.returncode

    def gateway(self, arguments: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        """Send a query; a gateway that does not end in time is killed."""
        return subprocess.run(
            [str(self.binaries / "gateway"), *arguments, "--json"], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=seconds,
        )

    def processes(self) -> dict[str, ProcessState]:
        """Return the instances that can have faults, all but the demo upstream, by their names."""
        states = self.supervisor.processes()
        return {state.instance.name: state for state in states if state.instance.service != "demo-upstream"}

    def keep_logs(self) -> Path:
        """Copy the logs of all processes to where they outlive the stack, and return that folder."""
        kept = Path(tempfile.mkdtemp(prefix="boxoffice-chaos-logs.", dir="/tmp"))
        shutil.copytree(self.folder / "log", kept, dirs_exist_ok=True)
        return kept

    def set_latency(self, milliseconds: int) -> None:
        """Set the latency of the demo upstream."""
        base = (self.folder / "demo-upstream.url").read_text(encoding="utf-8").strip()
        with urllib.request.urlopen(
            urllib.request.Request(f"{base}/_latency?ms={milliseconds}", method="POST"), timeout=10
        ):
            pass
