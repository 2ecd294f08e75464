"""The supervisord that restarts processes at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
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

# The pauses are a hundredth of the real ones.
_HASTY = """
from supervisor import process, supervisord
usual = prompt.pause_after
prompt.pause_after = lambda crashes: usual(crashes) / 100
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
command=/bin/sh -c "echo >>starts; exit 1"
startsecs=0
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

    def test_a_program_that_crashes_ten_times_is_no_longer_restarted(self) -> None:
        user = "user=root" if os.geteuid() == 0 else ""
        (self.folder / "conf").write_text(_CRASHES.format(user=user), encoding="ascii")
        process = self.start(_HASTY, "conf")
        log = self.folder / "log"
        try:
            self.assertTrue(wait_until(lambda: log.exists() and "gave up" in log.read_text(encoding="utf-8"), 30))
        finally:
            process.terminate()
            output = process.communicate(timeout=30)
        self.assertEqual(output, ("", ""))
        self.assertIn("gave up: crashes crashed 10 times lately", log.read_text(encoding="utf-8"))
        self.assertEqual(len((self.folder / "starts").read_text(encoding="ascii").splitlines()), 10)

    def test_a_log_that_cannot_be_rotated_or_written_does_not_end_supervisord(self) -> None:
        self.assertEqual(self.output_of(_NO_ROOM, "log"), ("", ""))
        self.assertIn("kept", (self.folder / "log").read_text(encoding="utf-8"))
