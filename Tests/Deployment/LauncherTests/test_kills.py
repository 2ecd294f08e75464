"""Launchers, keepers and supervisors that are killed, and programs that crash repeatedly."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
from datetime import datetime
from pathlib import Path

from .stack_case import STACK, StackCase


class Kills(StackCase):
    """A killed process leaves no process without supervision."""

    def tearDown(self) -> None:
        if self.run_folder.exists():
            self.stack("down")
            self.assert_nothing_left()

    def starting(self, *options: str, **variables: str) -> subprocess.Popen[str]:
        """Start a stack and return the launcher."""
        process = subprocess.Popen(
            [STACK, "up", "--demo", "--bin", self.binaries, *options], env=self.environment(**variables),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )
        assert process.stdout is not None
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def in_the_foreground(self, **variables: str) -> subprocess.Popen[str]:
        """Start a stack in the foreground and return the launcher once all are registered."""
        process = self.starting("--foreground", **variables)
        assert process.stdout is not None
        while "Started the stack" not in (line := process.stdout.readline()):
            self.assertTrue(line, "the launcher has ended")
        return process

    def remaining_output(self, process: subprocess.Popen[str]) -> str:
        """Wait for the end of a launcher and return the rest of its output."""
        assert process.stdout is not None
        rest = process.stdout.read()
        process.wait(timeout=30)
        return rest

    def test_a_killed_supervisor_leaves_nothing(self) -> None:
        self.up()
        pids = [entry["pid"] for entry in self.processes().values()]
        os.kill(self.pid_of_supervisor(), signal.SIGKILL)
        self.wait_for_end(pids)
        self.wait_until_cleaned_up()
        self.assertIn("no stack is running", self.stack("ps", expect=69))
        self.assertIn("No stack is running", self.stack("down"))

    def test_a_killed_keeper_ends_the_stack(self) -> None:
        self.up()
        pids = [self.pid_of_supervisor(), *(entry["pid"] for entry in self.processes().values())]
        os.kill(self.pid_of_keeper(), signal.SIGKILL)
        self.wait_for_end(pids)
        self.assertEqual(sockets(self.run_folder), [])
        self.assertIn("Cleaned up a killed stack", self.stack("down"))
        self.assert_nothing_left()

    def test_a_stack_whose_run_folder_was_deleted_stops_and_the_next_commands_report_the_reason(self) -> None:
        self.up()
        pids = self.all_pids()
        shutil.rmtree(self.run_folder)
        self.wait_for_end(pids)
        why = f"the run directory {self.run_folder} was deleted, moved or replaced: its stack was stopped"
        self.assertEqual(self.stack("ps", expect=69).count(why), 1)
        self.assertIn(why, self.up())
        self.stack("down")
        self.assertNotIn(why, self.stack("down"))
        self.assertEqual(list(self.temporary.glob("*.stopped")), [])

    def test_a_foreground_reports_that_its_run_folder_was_deleted(self) -> None:
        for replace in (lambda: None, self.run_folder.touch):
            launcher = self.in_the_foreground()
            pids = self.all_pids()
            shutil.rmtree(self.run_folder)
            replace()
            self.wait_for_end([*pids, launcher.pid])
            output = self.remaining_output(launcher)
            self.assertIn(f"the run directory {self.run_folder} was deleted, moved or replaced: its stack was stopped", output)
            self.assertIn("Start it again: compose/stack up", output)
            self.assertEqual(launcher.returncode, 69)
            self.assertEqual(list(self.temporary.glob("*.stopped")), [])
        self.run_folder.unlink()

    def test_a_stack_whose_run_folder_was_moved_stops_and_the_next_one_at_its_place_runs_on(self) -> None:
        self.up()
        old, moved = self.all_pids(), self.temporary / "moved"
        self.run_folder.rename(moved)
        self.up()
        new = self.all_pids()
        self.wait_for_end(old)
        self.assertEqual(self.all_pids(), new)
        self.assertEqual({entry.name for entry in moved.iterdir()}, {"log", "cache", "seen", "registered"})

    def all_pids(self) -> list[int]:
        """Return the processes of the stack: its keeper, supervisord and the services."""
        return [self.pid_of_keeper(), self.pid_of_supervisor(), *(entry["pid"] for entry in self.processes().values())]

    def test_the_next_up_removes_what_both_left_behind(self) -> None:
        self.up(FAKE_STUBBORN="broker/1")
        broker = self.processes()["broker/1"]["pid"]
        for pid in (self.pid_of_supervisor(), self.pid_of_keeper()):
            os.kill(pid, signal.SIGSTOP)
        for pid in (supervisor := self.pid_of(self.pid_of_keeper()), self.pid_of_keeper()):
            os.kill(pid, signal.SIGKILL)
        self.wait_for_end([supervisor])
        self.assertNotEqual(sockets(self.run_folder), [])
        self.assertIn("Cleaned up a killed stack", self.up())
        self.wait_for_end([broker])
        self.assertEqual(len(self.processes()), 9)

    def pid_of(self, parent: int) -> int:
        """Return the one child of a process."""
        return int(Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii"))

    def test_up_waits_until_a_killed_stack_is_cleaned_up(self) -> None:
        self.up(FAKE_STUBBORN="cache-store/1")
        stubborn = self.processes()["cache-store/1"]["pid"]
        os.kill(self.pid_of_supervisor(), signal.SIGKILL)
        self.assertIn("Waiting for the cleanup of a killed stack", self.up())
        self.wait_for_end([stubborn])
        self.assertEqual(len(self.processes()), 9)

    def test_a_launcher_killed_during_the_start_leaves_nothing(self) -> None:
        launcher = self.starting(FAKE_MUTE="detail-fetcher/2")
        self.wait(lambda: (self.run_folder / "seen" / "detail-fetcher-2").exists())
        launcher.kill()
        launcher.wait()
        self.wait_until_cleaned_up()

    def test_a_foreground_that_is_killed_leaves_nothing(self) -> None:
        launcher = self.in_the_foreground()
        pids = [entry["pid"] for entry in self.processes().values()]
        launcher.kill()
        launcher.wait()
        self.wait_until_cleaned_up()
        self.wait_for_end(pids)

    def test_a_foreground_shows_the_logs_and_ends_with_its_signal(self) -> None:
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            launcher = self.in_the_foreground()
            assert launcher.stdout is not None
            while not launcher.stdout.readline().startswith("broker/1           broker/1 begins"):
                pass
            launcher.send_signal(number)
            self.assertIn("Stopped the stack in", self.remaining_output(launcher))
            self.assertEqual(launcher.returncode, code)
            self.assert_nothing_left()

    def test_a_stack_in_the_foreground_can_be_scaled_and_stopped_from_elsewhere(self) -> None:
        launcher = self.in_the_foreground()
        self.stack("scale", "chart-fetcher=2")
        self.stack("down")
        output = self.remaining_output(launcher)
        self.assertRegex(output, r"(?m)^chart-fetcher/2 +chart-fetcher/2 begins$")
        self.assertIn("was stopped", output)
        self.assertEqual(launcher.returncode, 0)

    def test_a_program_that_crashes_repeatedly_is_no_longer_restarted_and_its_log_is_shown(self) -> None:
        launcher = self.in_the_foreground()
        before = self.processes()
        (self.binaries / "chart-fetcher").write_text("#!/bin/sh\necho broken by the build\nexit 1\n", encoding="ascii")
        os.kill(before["chart-fetcher/1"]["pid"], signal.SIGKILL)
        self.wait(lambda: self.processes()["chart-fetcher/1"]["state"] == "failed")
        output = self.stack("ps")
        for expected in ("chart-fetcher/1 has crashed too often", "  | broken by the build", "restart chart-fetcher/1"):
            self.assertIn(expected, output)
        after = self.processes()
        for name in set(before) - {"chart-fetcher/1"}:
            self.assertEqual(after[name]["pid"], before[name]["pid"], name)
        assert launcher.stdout is not None
        while "chart-fetcher/1 has crashed too often" not in (line := launcher.stdout.readline()):
            self.assertTrue(line, "the launcher has ended")
        self.stack("down")

    def test_a_program_that_needs_another_file_is_not_restarted(self) -> None:
        self.up()
        before = self.processes()
        script = "#!/bin/sh\necho x >> seen/starts\necho the file is of a later version\nexit 78\n"
        (self.binaries / "cache-store").write_text(script, encoding="ascii")
        os.kill(before["cache-store/1"]["pid"], signal.SIGKILL)
        self.wait(lambda: self.processes()["cache-store/1"]["state"] == "failed")
        shown = self.stack("ps")
        for words in ("cache-store/1 is not restarted: a setting or file is wrong", "  | the file is of a later version", "restart cache-store/1"):
            self.assertIn(words, shown)
        self.assertEqual((self.run_folder / "seen" / "starts").read_text(encoding="ascii"), "x\n")
        self.stack("down")
        output = self.stack("up", "--demo", "--bin", self.binaries, expect=78)
        self.assertIn("cache-store/1 ended right after the start", output)
        self.assertIn("the file is of a later version", output)

    def test_a_program_that_runs_briefly_each_time_is_restarted_after_growing_pauses(self) -> None:
        self.up()
        pids = set()
        for _ in range(5):
            self.wait(lambda: self.processes()["chart-fetcher/1"]["pid"] not in {None, *pids})
            self.wait(lambda: self.running("chart-fetcher-1"))
            pids.add(pid := self.processes()["chart-fetcher/1"]["pid"])
            os.kill(pid, signal.SIGKILL)
        self.wait(lambda: self.processes()["chart-fetcher/1"]["pid"] not in {None, *pids})
        pauses = self.pauses("chart-fetcher-1")
        self.assertEqual([pause >= least for pause, least in zip(pauses, (0, 0, 0, 0.9, 1.9), strict=True)], [True] * 5, pauses)
        self.assertLess(max(pauses[:3]), pauses[4])

    def pauses(self, program: str) -> list[float]:
        """Return the seconds between each end of a program and its next start, by supervisord's log."""
        log = (self.run_folder / "log" / "supervisord.log").read_text(encoding="utf-8")
        found = re.findall(rf"(?m)^(\S+ \S+) \w+ (exited|spawned): '?{program}", log)
        moments = [(datetime.strptime(moment, "%Y-%m-%d %H:%M:%S,%f"), word) for moment, word in found]
        return [
            (start - end).total_seconds() for (end, one), (start, other) in zip(moments, moments[1:])
            if (one, other) == ("exited", "spawned")
        ]

    def running(self, program: str) -> bool:
        """Return whether supervisord considers it running, not just started."""
        log = (self.run_folder / "log" / "supervisord.log").read_text(encoding="utf-8")
        return log.rfind(f"success: {program} entered RUNNING") > log.rfind(f"spawned: '{program}'")


def sockets(folder: Path) -> list[str]:
    """Return the names of the sockets in a folder."""
    return [entry.name for entry in folder.iterdir() if stat.S_ISSOCK(entry.stat().st_mode)]
