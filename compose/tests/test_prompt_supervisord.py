"""The supervisord that loses no time."""

from __future__ import annotations

import subprocess
import unittest

from launcher import supervisor_installation
from launcher.keeper import PROMPT_SUPERVISORD

# The first wait ends with the child, the second one is the turn that starts it again; nothing else would end them.
_TWO_TURNS = """
import runpy, signal, subprocess, sys
poller = runpy.run_path(sys.argv[1])["PromptPoller"](None)
signal.signal(signal.SIGCHLD, lambda number, frame: None)
child = subprocess.Popen([sys.executable, "-c", ""])
turns = [poller.poll(600), poller.poll(600)]
print(turns, child.wait())
"""


class PromptSupervisord(unittest.TestCase):
    """Waking up."""

    def test_the_end_of_a_child_is_followed_by_two_turns_at_once(self) -> None:
        supervisor_installation.ensure()
        result = subprocess.run(
            [supervisor_installation.PYTHON, "-I", "-c", _TWO_TURNS, PROMPT_SUPERVISORD],
            capture_output=True, text=True, timeout=30, check=False,
        )
        self.assertEqual((result.stdout, result.stderr), ("[([], []), ([], [])] 0\n", ""))
