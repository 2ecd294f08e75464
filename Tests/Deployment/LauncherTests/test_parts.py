"""The parts of the launcher that start no process."""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from datetime import datetime, timezone
from pathlib import Path
from unittest import mock

from launcher.broker import parse_answer
from launcher.command_ps import duration
from launcher.command_restart import restart_order
from launcher.logs import tail, written_since
from launcher.parsers import PARSERS
from launcher.problem import Problem, suggestion
from launcher.run_folder import RunFolder, locate
from launcher.services import Instance, instances, matching, parse_counts
from launcher.supervisor import Supervisor, SupervisorUnreachable
from launcher.supervisor_configuration import quoted
from launcher.terminal import aligned, columns, wrapped

from .stack_case import STACK


class Counts(unittest.TestCase):
    """SERVICE=N."""

    def test_valid_counts_are_parsed(self) -> None:
        self.assertEqual(parse_counts(["detail-fetcher=64", "cache-store=0"], False),
                         {"detail-fetcher": 64, "cache-store": 0})

    def test_invalid_counts_are_refused_with_the_reason(self) -> None:
        table = {
            "detail-fetchr=2": "unknown service 'detail-fetchr'", "detail-fetcher": "the number of instances is missing",
            "detail-fetcher=": "a whole number, 0 to 64", "detail-fetcher=-1": "a whole number, 0 to 64",
            "detail-fetcher=２": "a whole number", "detail-fetcher=2.0": "a whole number",
            "detail-fetcher=65": "0 to 64", "detail-fetcher=999999999": "0 to 64",
            "cache-store=2": "at most one", "broker=2": "always one", "broker=0": "always one",
            "demo-upstream=1": "only in a demo stack", "gateway=1": "unknown service 'gateway'",
        }
        for argument, why in table.items():
            with self.subTest(argument), self.assertRaises(Problem) as caught:
                parse_counts([argument], demo=False)
            self.assertIn(why, caught.exception.what)
            self.assertEqual(caught.exception.code, 64)

    def test_a_typo_gets_a_suggestion(self) -> None:
        with self.assertRaises(Problem) as caught:
            parse_counts(["poster-resolvr=1"], demo=True)
        self.assertEqual(caught.exception.fix, "Did you mean 'poster-resolver'?")

    def test_the_same_service_twice_is_refused(self) -> None:
        with self.assertRaises(Problem):
            parse_counts(["chart-fetcher=1", "chart-fetcher=2"], demo=True)

    def test_instances_start_in_order(self) -> None:
        made = instances({"detail-fetcher": 2, "broker": 1})
        self.assertEqual([instance.name for instance in made], ["broker/1", "detail-fetcher/1", "detail-fetcher/2"])
        self.assertEqual(Instance.of_program("detail-fetcher-12"), Instance("detail-fetcher", 12))


class Names(unittest.TestCase):
    """SERVICE|INSTANCE."""

    def test_a_name_is_an_instance_or_all_of_a_service(self) -> None:
        known = ["detail-fetcher/1", "detail-fetcher/2", "broker/1"]
        table = {"detail-fetcher": known[:2], "detail-fetcher/2": known[1:2], "detail-fetcher-2": known[1:2]}
        self.assertEqual({name: matching(name, known) for name in table}, table)
        with self.assertRaises(Problem) as caught:
            matching("detail-fetcher/3", known)
        self.assertEqual((caught.exception.code, caught.exception.fix), (64, "Did you mean 'detail-fetcher/2'?"))

    def test_a_restart_begins_with_services_without_dependants(self) -> None:
        present = instances({"broker": 1, "demo-upstream": 1, "cache-store": 1, "chart-fetcher": 2})
        self.assertEqual([instance.name for instance in restart_order("all", present)],
                         ["chart-fetcher/1", "chart-fetcher/2", "cache-store/1", "broker/1"])
        self.assertEqual(restart_order("demo-upstream", present), [Instance("demo-upstream", 1)])


class Folder(unittest.TestCase):
    """The run folder."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="bo", dir="/tmp")
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name)

    def test_its_path_follows_the_common_rule(self) -> None:
        self.assertEqual(locate({"BOXOFFICE_RUN": "/a/b", "XDG_RUNTIME_DIR": "/r"}), Path("/a/b"))
        with tempfile.TemporaryDirectory() as own:
            self.assertEqual(locate({"BOXOFFICE_RUN": "", "XDG_RUNTIME_DIR": own}), Path(own) / "boxoffice")
        for foreign in ("/nowhere", "relative", "/dev/null"):
            self.assertEqual(locate({"XDG_RUNTIME_DIR": foreign}), Path(f"/tmp/boxoffice-{os.geteuid()}"))
        self.assertEqual(locate({}), Path(f"/tmp/boxoffice-{os.geteuid()}"))

    def test_it_is_created_for_its_owner_only(self) -> None:
        made = RunFolder.create(self.path / "deep" / "run")
        self.assertEqual(made.path.stat().st_mode & 0o777, 0o700)

    def test_a_folder_that_other_users_can_enter_is_refused(self) -> None:
        self.path.chmod(0o750)
        self._expect_refusal(self.path, "other users can access it (mode 0750)")

    def test_a_folder_of_another_user_is_refused(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        os.chown(self.path, 65534, 65534)
        self._expect_refusal(self.path, "it belongs to user 65534")

    def test_a_link_or_a_file_in_its_place_is_refused(self) -> None:
        (self.path / "link").symlink_to(self.path, target_is_directory=True)
        (self.path / "file").touch()
        self._expect_refusal(self.path / "link", "not a directory")
        self._expect_refusal(self.path / "file", "not a directory")

    def test_the_longest_ipc_path_has_103_bytes(self) -> None:
        fits = "x" * (103 - len(f"{self.path}//events-in.ipc"))
        RunFolder.create(self.path / fits)
        self._expect_refusal(self.path / f"{fits}x", "events-in.ipc is too long: 104 bytes, at most 103")
        self._expect_refusal(Path("/tmp") / ("가" * 40), "bytes, at most 103")

    def _expect_refusal(self, path: Path, why: str) -> None:
        with self.assertRaises(Problem) as caught:
            RunFolder.create(path)
        self.assertIn(why, caught.exception.what)
        self.assertEqual(caught.exception.code, 78)


class Supervisors(unittest.TestCase):
    """Whether a supervisord runs."""

    def test_one_that_does_not_answer_in_time_runs(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder)
        supervisor = Supervisor(folder / "socket")
        self.assertFalse(supervisor.is_reachable())
        with socket.socket(socket.AF_UNIX) as silent, mock.patch("launcher.supervisor.ANSWER_SECONDS", 0.05):
            silent.bind(str(folder / "socket"))
            self.assertFalse(supervisor.is_reachable())
            silent.listen()
            self.assertTrue(supervisor.is_reachable())
            with self.assertRaisesRegex(SupervisorUnreachable, "timed out"):
                supervisor.processes()


class Texts(unittest.TestCase):
    """Quoting, tables, answers, tails."""

    def test_supervisord_reads_back_what_was_quoted(self) -> None:
        for argument in ("plain", "two words", "a ;b #c", "100 % s", "it's \"so\"", "", " ;", "박스", "\\", "a  ;; #"):
            parser = configparser.RawConfigParser(inline_comment_prefixes=(";", "#"))
            parser.read_string(f"[program:x]\ncommand=first {quoted(argument)} last\n")
            expanded = parser.get("program:x", "command") % {}
            self.assertEqual(shlex.split(expanded), ["first", argument, "last"])

    def test_a_line_break_cannot_be_passed_on(self) -> None:
        with self.assertRaises(Problem):
            quoted("a\n[program:evil]")

    def test_a_duration_has_two_units(self) -> None:
        table = {0: "0s", 59: "59s", 60: "1m 0s", 131: "2m 11s", 3_600: "1h 0m", 90_061: "1d 1h"}
        self.assertEqual({seconds: duration(seconds) for seconds in table}, table)

    def test_figures_are_aligned_right_and_words_left(self) -> None:
        lines = aligned([("S", "I", "PID", "STATE", "SINCE", "IN FLIGHT", "SERVED"),
                         ("broker", "1", "7", "ready", "1s", "3", "8,120")], right=(5, 6))
        self.assertEqual(lines[1], "broker  1  7    ready  1s             3   8,120")

    def test_an_answer_may_lack_figures(self) -> None:
        answer = parse_answer('{"workers":[{"service":"chart-fetcher","instance":"1"}],"broker":{"served":2}}')
        self.assertIsNone(answer.workers["chart-fetcher/1"].served)
        self.assertEqual(answer.totals.served, 2)

    def test_the_tail_of_a_log_survives_bad_bytes(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"one\ntwo \xff\nthree\n")
            file.flush()
            self.assertEqual(tail(Path(file.name), 2), ["two \ufffd", "three"])
        self.assertEqual(tail(Path(file.name), 2), [])

    def test_text_is_broken_at_blanks_within_its_terminal(self) -> None:
        self.assertEqual(wrapped("  가나 다라\n짧음", 8), "  가나\n    다라\n짧음")
        self.assertEqual(wrapped("  up    start a stack", 14), "  up    start\n    a stack")
        self.assertEqual(wrapped("a-word-that-is-too-long b", 8), "a-word-that-is-too-long\n  b")
        self.assertEqual(wrapped("anything at all", None), "anything at all")

    def test_a_table_leaves_out_columns_by_priority_until_it_fits(self) -> None:
        table = [("서비스", "PID", "p99"), ("broker", "4711", "0.2 ms")]
        whole = aligned(table, right=[1, 2], priorities={1: 1, 2: 2}, limit=20)
        self.assertEqual(whole, ["서비스   PID     p99", "broker  4711  0.2 ms"])
        self.assertEqual([columns(line) for line in whole], [20, 20])
        self.assertEqual(aligned(table, [1, 2], {1: 1, 2: 2}, 19), ["서비스     p99", "broker  0.2 ms"])
        self.assertEqual(aligned(table, [1, 2], {1: 1, 2: 2}, 3), ["서비스", "broker"])

    def test_lines_of_a_log_are_chosen_by_their_time(self) -> None:
        lines = [
            "begins", "2026-11-24T07:00:00+0000 notice broker: a", "2026-11-24T16:30:00+0900 notice broker: b", "  more",
            "2026-11-24 08:00:00,123 INFO c",
        ]
        def since(hour: int, minute: int) -> list[str]:
            return written_since(lines, datetime(2026, 11, 24, hour, minute, tzinfo=timezone.utc))
        self.assertEqual(since(7, 0), lines[1:])
        self.assertEqual(since(7, 15), lines[2:])
        self.assertEqual(since(7, 31)[:1], [] if time.timezone else lines[4:])
        self.assertEqual(since(23, 59), [])
        self.assertEqual(written_since(lines, None), lines)


class Interruption(unittest.TestCase):
    """A signal that arrives while a finalizer runs, whose exceptions Python loses."""

    SCRIPT = """
import io, signal, sys, time
from launcher import command_line, interruption

class Connection(io.IOBase):
    def close(self):
        signal.raise_signal(signal.SIGINT)

def run(arguments):
    Connection()
    interruption.check()
    return 0

command_line._run = run
sys.exit(command_line.main([]))
"""

    def test_it_is_raised_by_the_next_check(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(STACK.parent)}
        result = subprocess.run(
            [sys.executable, "-c", self.SCRIPT], env=environment, capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual((result.returncode, result.stderr), (130, "compose/stack: cancelled\n"))


class Words(unittest.TestCase):
    """Suggestions and languages."""

    def test_only_close_words_are_suggested(self) -> None:
        known = ["restart", "scale", "ps", "doctor"]
        table = {
            "restrat": "restart", "sacle": "scale", "scalle": "scale", "doctro": "doctor", "x": None, "": None, "frobnicate": None,
            "RESTART": "restart",
        }
        with mock.patch.dict(os.environ, {"BOXOFFICE_LANG": "en"}):
            for word, name in table.items():
                self.assertEqual(suggestion(word, known), f"Did you mean '{name}'?" if name else "", word)
            self.assertEqual(suggestion("ps", []), "")

    def test_the_language_is_the_options_else_the_settings_else_the_locales(self) -> None:
        table = [
            (["ps"], {}, "ko"), (["ps"], {"LANG": "C.UTF-8"}, "ko"), (["ps"], {"LANG": "POSIX"}, "ko"),
            (["ps"], {"LANG": "ko_KR.UTF-8"}, "ko"), (["ps"], {"LANG": "en_GB.UTF-8"}, "en"),
            (["ps"], {"LC_ALL": "de_DE", "LANG": "ko_KR"}, "en"), (["ps"], {"BOXOFFICE_LANG": "en"}, "en"),
            (["ps", "--lang", "en"], {"BOXOFFICE_LANG": "ko"}, "en"), (["--lang=ko", "ps"], {"BOXOFFICE_LANG": "en"}, "ko"),
        ]
        for arguments, variables, language in table:
            with self.subTest(f"{arguments} {variables}"):
                result = subprocess.run(
                    [STACK, *arguments], env={"PATH": os.environ["PATH"], "BOXOFFICE_RUN": "/nonexistent/run",
                                              "BOXOFFICE_CONFIG": os.devnull, **variables},
                    capture_output=True, text=True, encoding="utf-8", check=False)
                self.assertEqual("실행 중인 스택이 없습니다" in result.stderr, language == "ko", result.stderr)
                self.assertEqual(result.returncode, 69)
        for wrong in (["ps", "--lang", "fr"], ["--lang"]):
            result = subprocess.run([STACK, *wrong], capture_output=True, text=True, encoding="utf-8", check=False)
            self.assertEqual((result.returncode, "--lang must be ko or en" in result.stderr), (64, True), result.stderr)

    def test_every_command_has_help_in_both_languages_and_every_alias_its_own(self) -> None:
        commands = ["up", "down", "ps", "scale", "restart", "logs", "config", "doctor", "status", "start", "stop"]
        for command in commands:
            korean, english = (
                subprocess.run([STACK, command, "--help", "--lang", language], capture_output=True, text=True,
                               encoding="utf-8", check=True).stdout
                for language in ("ko", "en"))
            self.assertTrue(korean.startswith("사용법: compose/stack") and english.startswith("usage: compose/stack"))
            self.assertRegex(korean, "[가-힣]+니다\\.")
            self.assertNotRegex(english, "[가-힣]")

    def test_help_fits_80_columns_in_both_languages(self) -> None:
        for command in ("", *PARSERS):
            for language in ("ko", "en"):
                text = subprocess.run([STACK, *command.split(), "--help", "--lang", language], env={**os.environ, "COLUMNS": "80"},
                                      capture_output=True, text=True, encoding="utf-8", check=True).stdout
                for line in text.splitlines():
                    self.assertLessEqual(columns(line), 80, line)
