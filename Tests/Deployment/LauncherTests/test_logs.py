"""Following logs."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from launcher.logs import FollowedLog

from .stack_case import STACK, StackCase


class Following(StackCase):
    """`compose/stack logs -f`."""

    def following(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Follow logs."""
        process = subprocess.Popen(
            [STACK, "logs", "-f", *arguments], env=self.environment(**variables),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )
        assert process.stdout is not None
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def test_new_instances_are_followed_until_the_stack_ends(self) -> None:
        self.up()
        everything, charts = self.following(), self.following("chart-fetcher")
        for process in (everything, charts):
            assert process.stdout is not None
            while "chart-fetcher/1 begins" not in process.stdout.readline():
                pass
        self.stack("scale", "chart-fetcher=2", "detail-fetcher=3")
        self.stack("restart", "chart-fetcher/1")
        self.stack("down")
        output = everything.communicate(timeout=30)[0]
        for line in ("chart-fetcher/2 begins", "chart-fetcher/1 begins", "detail-fetcher/3 begins"):
            self.assertRegex(output, rf"(?m)^{line.split()[0]} +{line}$")
        output = charts.communicate(timeout=30)[0]
        self.assertEqual(output.split("\n"), [
            "chart-fetcher/2  chart-fetcher/2 begins", "chart-fetcher/1  chart-fetcher/1 begins", "",
        ])
        self.assertEqual((everything.returncode, charts.returncode), (0, 0))

    def test_the_number_of_lines_and_their_time_are_chosen(self) -> None:
        self.up()
        file = self.run_folder / "log" / "chart-fetcher-1.log"
        old, new = "2020-01-01T00:00:00+0000 notice old", "2199-01-01T00:00:00+0000 notice new"
        file.write_text(f"{old}\n{new}\nmore\n", encoding="utf-8")
        self.assertEqual(self.stack("logs", "chart-fetcher", "-n", "1"), "chart-fetcher/1  more\n")
        self.assertEqual(self.stack("logs", "chart-fetcher/1", "--since", "5m"),
                         f"chart-fetcher/1  {new}\nchart-fetcher/1  more\n")
        self.assertEqual(self.stack("logs", "chart-fetcher/1", "--since", "5m", "-n", "1"), "chart-fetcher/1  more\n")
        for wrong in ("5", "m", "-5m", "5w"):
            self.stack("logs", f"--since={wrong}", expect=64)

    def test_each_instance_has_its_own_colour_where_colour_is_wanted(self) -> None:
        self.up()
        plain = self.stack("logs")
        self.assertNotIn("\x1b", plain)
        painted = self.stack("logs", FORCE_COLOR="1")
        prefixes = {line.split("m", 1)[0] for line in painted.splitlines() if line.startswith("\x1b[")}
        self.assertGreater(len(prefixes), 3)
        self.assertEqual(self.stack("logs", "--no-color", FORCE_COLOR="1"), plain)
        self.assertEqual(self.stack("logs", FORCE_COLOR="1", NO_COLOR="1"), plain)

    def test_an_interrupt_and_a_closed_pipe_end_it(self) -> None:
        self.up()
        process = self.following()
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        process = self.following()
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        self.stack("restart", "chart-fetcher")  # writes a line into the closed pipe
        self.assertEqual(process.wait(timeout=30), 0)


class Files(unittest.TestCase):
    """One log, step by step."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name) / "x.log"

    def write(self, text: bytes) -> None:
        """Append to the log."""
        with open(self.path, "ab") as file:
            file.write(text)

    def test_lines_are_returned_whole_and_once(self) -> None:
        log = FollowedLog(self.path)
        self.assertEqual(log.lines(), [])
        self.write(b"one\ntw")
        self.assertEqual(log.lines(), ["one"])
        self.write(b"o\n\n\xff\n")
        self.assertEqual(log.lines(), ["two", "", "\ufffd"])
        self.write(b"rest")
        self.assertEqual((log.lines(), log.close()), ([], ["rest"]))

    def test_a_replaced_file_is_read_to_its_end_and_the_new_one_from_its_beginning(self) -> None:
        self.write(b"one\n")
        log = FollowedLog(self.path)
        self.assertEqual(log.lines(), ["one"])
        self.write(b"two\nunended")
        os.rename(self.path, self.path.with_suffix(".1"))
        self.assertEqual(log.lines(), ["two"])
        self.write(b"three\n")
        self.assertEqual(log.lines(), ["unended", "three"])
