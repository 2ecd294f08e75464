"""A disk that is full before a stack starts, and one that becomes full while it runs."""

from __future__ import annotations

import os
import shutil
import subprocess

from launcher.processes import end_marked

from .stack_case import StackCase


class FullDisk(StackCase):
    """On a small disk of its own."""

    def setUp(self) -> None:
        super().setUp()
        self.disk = self.temporary / "disk"
        self.disk.mkdir()
        mount = [shutil.which("mount") or "mount", "-t", "tmpfs", "-o", "size=20m,mode=700", "tmpfs", self.disk]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            self.skipTest("only root can mount a disk")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.disk], check=True)
        self.run_folder = self.disk / "run"
        self.addCleanup(lambda: end_marked(self.run_folder, 1))

    def fill(self, leave: int = 0) -> None:
        """Fill the disk except for some bytes."""
        free = os.statvfs(self.disk).f_bavail * os.statvfs(self.disk).f_frsize
        (self.disk / "filling").write_bytes(b"x" * (free - leave))

    def test_a_stack_does_not_start_without_room_and_reports_it(self) -> None:
        for leave in (1 << 20, 0):
            self.fill(leave)
            output = self.up(expect=74)
            self.assertRegex(output, r"free|No space left")
            self.assertRegex(output, "(?i)free space|free some space")
            self.assertRegex(self.stack("doctor", "--demo", "--bin", str(self.binaries), expect=74), "(?i)free space|free some space")
            (self.disk / "filling").unlink()
        # A server of NATS writes the events to its files.
        self.assertIn("117 MB needed", self.up("--nats", expect=74))
        self.up()
        self.stack("down")

    def test_a_running_stack_survives_a_full_disk(self) -> None:
        self.up(FAKE_TALKS="chart-fetcher/1")
        before, supervisor = self.processes(), self.pid_of_supervisor()
        self.fill()
        # Its end adds a line to the log of supervisord, and its start one to its own log.
        os.kill(before["chart-fetcher/1"]["pid"], 9)
        self.wait(lambda: self.processes()["chart-fetcher/1"]["pid"] not in (None, before["chart-fetcher/1"]["pid"]))
        (self.disk / "filling").unlink()
        self.stack("restart", "chart-fetcher/1")
        after = self.processes()
        for name in set(before) - {"chart-fetcher/1"}:
            self.assertEqual(after[name]["pid"], before[name]["pid"], name)
        self.assertEqual(self.pid_of_supervisor(), supervisor)
        self.stack("down")
        self.assert_nothing_left()
