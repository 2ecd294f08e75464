"""The base of tests of whole stacks: a run folder, stand-ins, and a check that nothing is left behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from launcher import binaries, supervisor_installation
from launcher.problem import Problem
from launcher.processes import end_marked, marked_processes, wait_for_exit
from launcher.services import SERVICES
from launcher.waiting import wait_until


STACK = Path(__file__).resolve().parents[3] / "compose/stack"
FAKE = Path(__file__).with_name("fake.py")
NAMES = (*(service.name for service in SERVICES), "gateway", "tap")
ENOUGH_SECONDS = 20.0


class StackCase(unittest.TestCase):
    """A test that starts stacks of stand-ins."""

    def setUp(self) -> None:
        self.temporary = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))  # short: ipc paths are bounded
        self.addCleanup(shutil.rmtree, self.temporary, ignore_errors=True)
        self.run_folder = self.temporary / "run"
        self.binaries = fake_binaries(self.temporary / "bin % ;#")  # a name that requires quoting
        self.addCleanup(end_marked, self.run_folder, 1)

    def stack(self, *arguments: str, expect: int = 0, run: Path | None = None, **variables: str) -> str:
        """Run one command of the launcher and return its output of both streams."""
        result = subprocess.run(
            [STACK, *arguments], env=self.environment(run, **variables), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, encoding="utf-8", check=False, timeout=60,
        )
        self.assertEqual(result.returncode, expect, result.stdout)
        return result.stdout

    def environment(self, run: Path | None = None, **variables: str) -> dict[str, str]:
        """Return an environment with the run folder of this test and without keys."""
        keep = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        own = {
            "LANG": "C.UTF-8", "BOXOFFICE_LANG": "en", "BOXOFFICE_RUN": str(run or self.run_folder),
            "BOXOFFICE_CONFIG": os.devnull,
        }
        return {**keep, **own, **variables}

    def up(self, *arguments: str, **options: Any) -> str:
        """Start a demo stack of stand-ins."""
        return self.stack("up", "--demo", "--bin", str(self.binaries), *arguments, **options)

    def processes(self, run: Path | None = None) -> dict[str, dict[str, Any]]:
        """Return `ps --json` by instance."""
        document = json.loads(self.stack("ps", "--json", run=run))
        return {entry["instance"]: entry for entry in document["processes"]}

    def seen(self, program: str) -> Any:
        """Return the environment and arguments an instance started with."""
        return json.loads((self.run_folder / "seen" / program).read_text(encoding="utf-8"))

    def upstream_url(self) -> str:
        """Return the URL of the demo upstream."""
        return (self.run_folder / "demo-upstream.url").read_text(encoding="ascii")

    def pid_of_supervisor(self) -> int:
        """Return supervisord's process id."""
        return int(json.loads(self.stack("ps", "--json"))["supervisor"])

    def pid_of_keeper(self) -> int:
        """Return the process id in the stack's lock."""
        return int((self.run_folder / "stack.lock").read_text(encoding="ascii"))

    def assert_nothing_left(self, run: Path | None = None) -> None:
        """Fail if a process, a socket, a lock or a record is left."""
        folder = run or self.run_folder
        self.assertEqual(marked_processes(folder), [])
        kept = {"log", "log.previous", "data", "cache", "seen", "registered"}
        self.assertLessEqual({entry.name for entry in folder.iterdir()}, kept)

    def wait_until_cleaned_up(self) -> None:
        """Wait until the keeper has cleaned up, and fail if anything is left after it."""
        self.wait(lambda: not (self.run_folder / "stack.lock").exists())
        self.assert_nothing_left()

    def wait(self, condition: Any) -> None:
        """Fail unless a condition becomes true in time."""
        # A condition may be a command of the launcher, which is a tenth of a second of work.
        self.assertTrue(wait_until(condition, ENOUGH_SECONDS, 0.2))

    def wait_for_end(self, pids: list[int]) -> None:
        """Wait for processes that must end by themselves."""
        self.assertEqual(wait_for_exit(pids, ENOUGH_SECONDS), [])


def built_programs() -> Path:
    """Return the folder of the built executables; a test that needs them is skipped while they are being built."""
    if "BOXOFFICE_TEST_PROGRAMS" not in os.environ:
        raise unittest.SkipTest("BOXOFFICE_TEST_PROGRAMS is not set")
    for kind in ("debug", "release"):
        try:
            binaries.check(supervisor_installation.BUILD / kind, demo=True)
            return supervisor_installation.BUILD / kind
        except Problem:
            pass
    raise AssertionError("the executables are not built")


def fake_binaries(folder: Path) -> Path:
    """Fill a folder with stand-ins for all executables."""
    folder.mkdir()
    script = f"#!{sys.executable} -IS\n" + FAKE.read_text(encoding="utf-8")
    for name in NAMES:
        (folder / name).write_text(script, encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder
