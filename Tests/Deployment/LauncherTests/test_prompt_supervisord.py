"""The supervisord that restarts processes at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from launcher import supervisor_installation
from launcher.keeper import PROMPT_SUPERVISORD
from launcher.waiting import wait_until


# Each script begins with the module under test, as `prompt`.
_PROMPT = """
import importlib.util, sys
found = importlib.util.spec_from_file_location("prompt", sys.argv[1])
prompt = importlib.util.module_from_spec(found)
found.loader.exec_module(prompt)
"""

# The first wait ends with the child, the second one is the iteration that restarts it; nothing else ends them.
_TWO_ITERATIONS = """
import signal, subprocess
poller = prompt.PromptPoller(None)
signal.signal(signal.SIGCHLD, lambda number, frame: None)
child = subprocess.Popen([sys.executable, "-c", ""])
turns = [poller.poll(600), poller.poll(600)]
print(turns, child.wait())
"""

# No file can be opened during the rotation, as on a disk without room for another file.
_NO_ROOM = """
import resource
from supervisor import loggers
log = prompt.PatientLog(sys.argv[2], maxBytes=100, backupCount=1)
logger = loggers.Logger(handlers=[log])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
before = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
for number in range(3):
    logger.info(f"lost {number} " + "x" * 100)
resource.setrlimit(resource.RLIMIT_NOFILE, (before, hard))
logger.info("kept")
full = prompt.PatientLog("/dev/full")
loggers.Logger(handlers=[full]).info("never written")
"""

# Without the pauses between the first crashes.
_HASTY = """
from supervisor import process, supervisord
prompt.FREE_CRASHES = prompt.MOST_CRASHES
prompt.RETRY_SECONDS = float(sys.argv[3])
process.Subprocess = prompt.PatientSubprocess
sys.exit(supervisord.main(["-c", sys.argv[2]]))
"""

_CRASHES = """\
[supervisord]
nodaemon=true
silent=true
logfile=log
pidfile=pid
{user}
[program:crashes]
command=/bin/sh -c "echo >>starts; exit {status}"
startsecs={startsecs}
startretries=0
autorestart=true
"""


class PromptSupervisord(unittest.TestCase):
    """Waking up, restarting, the end of restarts, and a log that cannot be written."""

    def setUp(self) -> None:
        supervisor_installation.ensure()
        self.folder = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, script: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a script in the Python of supervisord."""
        return subprocess.Popen(
            [supervisor_installation.PYTHON, "-I", "-c", _PROMPT + script, PROMPT_SUPERVISORD, *arguments],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def output_of(self, script: str, *arguments: str) -> tuple[str, str]:
        """Run a script to its end and return its output of both streams."""
        return self.start(script, *arguments).communicate(timeout=30)

    def test_the_end_of_a_child_causes_two_iterations_at_once(self) -> None:
        self.assertEqual(self.output_of(_TWO_ITERATIONS), ("[([], []), ([], [])] 0\n", ""))

    def test_pauses_grow_up_to_a_limit(self) -> None:
        script = "print([prompt.pause_after(crashes) for crashes in range(10)])"
        self.assertEqual(self.output_of(script), ("[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]\n", ""))

    def run_crashes(self, ends: Callable[[str, int], bool], *, status: int = 1, startsecs: int = 0, retry: float = 600) -> str:
        """Run supervisord with a program that ends at once, until its log and the starts of the program are as awaited."""
        user = "user=root" if os.geteuid() == 0 else ""
        (self.folder / "conf").write_text(_CRASHES.format(user=user, status=status, startsecs=startsecs), encoding="ascii")
        (self.folder / "starts").touch()
        process = self.start(_HASTY, "conf", str(retry))
        log = self.folder / "log"
        try:
            self.assertTrue(wait_until(lambda: log.exists() and ends(log.read_text(encoding="utf-8"), self.starts()), 30))
        finally:
            process.terminate()
            output = process.communicate(timeout=30)
        self.assertEqual(output, ("", ""))
        return log.read_text(encoding="utf-8")

    def starts(self) -> int:
        """Return how often the program was started."""
        return len((self.folder / "starts").read_text(encoding="ascii").splitlines())

    def test_after_too_many_crashes_a_program_gets_a_single_attempt_at_a_time_for_ever(self) -> None:
        for startsecs in (0, 60):
            with self.subTest(startsecs=startsecs):
                log = self.run_crashes(lambda log, _: log.count("gave up") >= 3, startsecs=startsecs, retry=0.01)
                # supervisord itself gives a program up that ends before it counts as started.
                first = 10 if startsecs == 0 else 1
                expected = first + log.count("gave up") - 1
                starts = self.starts()
                for name in ("starts", "log"):
                    (self.folder / name).unlink()
                self.assertIn(starts, (expected, expected + 1), "an attempt may have begun")

    def test_a_program_that_needs_an_operator_is_not_tried_again(self) -> None:
        log = self.run_crashes(lambda log, _: "gave up" in log, status=78, retry=0)
        self.assertIn("gave up: crashes needs another setting or file", log)
        self.assertEqual(self.starts(), 1)

    def test_a_log_that_cannot_be_rotated_or_written_does_not_end_supervisord(self) -> None:
        self.assertEqual(self.output_of(_NO_ROOM, "log"), ("", ""))
        self.assertIn("kept", (self.folder / "log").read_text(encoding="utf-8"))
