"""The question before packages are installed, at a real terminal."""

from __future__ import annotations

import os
import pty
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class PrerequisitesTests(unittest.TestCase):
    """A system that lacks one package, which is a folder of links to all programs but one."""

    def setUp(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root is asked: other users get a list of packages")
        temporary = tempfile.TemporaryDirectory(prefix="bo", dir="/tmp")
        self.addCleanup(temporary.cleanup)
        self.programs = Path(temporary.name)
        for folder in reversed(os.environ["PATH"].split(os.pathsep)):
            for program in Path(folder).glob("*") if folder else []:
                if program.name != "chafa":
                    link = self.programs / program.name
                    link.unlink(missing_ok=True)
                    link.symlink_to(program)

    def test_a_person_who_declines_gets_the_command_and_nothing_is_installed(self) -> None:
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(ROOT / "compose/prerequisites", ["prerequisites", "ask"], {"PATH": str(self.programs), "HOME": "/", "LANG": "en_US.UTF-8"})
        shown = self.read(terminal, until="[Y/n] ")
        self.assertIn("Install with apt-get: chafa", shown)
        os.write(terminal, b"n\n")
        shown = self.read(terminal)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 69)
        self.assertIn("Nothing was installed", shown)
        self.assertIn("apt-get install --no-install-recommends chafa", shown)

    def read(self, terminal: int, until: str = "\0") -> str:
        """Return what the terminal shows, up to a text or to the end of the program."""
        shown = ""
        while until not in shown:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # how Linux reports that the program has closed the terminal
                break
            if not piece:
                break
            shown += piece.decode("utf-8")
        return shown
