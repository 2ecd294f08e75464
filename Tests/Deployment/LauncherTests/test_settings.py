"""The settings: the user's file, the environment, the defaults, and the checks of `doctor`."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

from launcher.binaries import ROOT
from launcher.problem import Problem
from launcher.secrets import ALL_VARIABLES
from launcher.services import SERVICES, usual_counts
from launcher.settings import FILE_VARIABLE, Setting, defaults, apply_user_file, read

from .stack_case import StackCase

_OF_ONE_PROCESS = {"BOXOFFICE_INSTANCE", "BOXOFFICE_SUPERVISED"}


class Settings(StackCase):
    """The sources of values."""

    def file(self, text: str) -> Path:
        """Write a file of settings."""
        path = self.temporary / "own.conf"
        path.write_text(text, encoding="utf-8")
        return path

    def test_the_environment_overrides_the_file_and_the_file_overrides_the_defaults(self) -> None:
        file = self.file("# mine\nBOXOFFICE_CAPACITY=8\nBOXOFFICE_LOG = debug \n")
        environ = {FILE_VARIABLE: str(file), "BOXOFFICE_LOG": "error", "KOBIS_DAILY_LIMIT": ""}
        settings = {setting.name: setting for setting in apply_user_file(environ)}
        self.assertEqual(settings["BOXOFFICE_CAPACITY"], Setting("BOXOFFICE_CAPACITY", "8", f"{file}:2"))
        self.assertEqual(settings["BOXOFFICE_LOG"], Setting("BOXOFFICE_LOG", "error", "environment"))
        self.assertEqual(settings["KOBIS_DAILY_LIMIT"], Setting("KOBIS_DAILY_LIMIT", "3000", "default"))
        self.assertEqual(environ["BOXOFFICE_CAPACITY"], "8")
        self.assertNotIn("BOXOFFICE_CHART_FETCHERS", environ)

    def test_an_invalid_line_is_reported_by_its_number(self) -> None:
        table = {
            "x": "line 1, is no NAME=VALUE", "\nBOXOFFICE_CAPACTY=1": "line 2, unknown setting BOXOFFICE_CAPACTY",
            "BOXOFFICE_LOG=a\nBOXOFFICE_LOG=b": "line 2, sets BOXOFFICE_LOG a second time",
            "KOBIS_API_KEY=secret": "name a file that holds it: KOBIS_API_KEY_FILE=",
        }
        for text, why in table.items():
            with self.subTest(text), self.assertRaises(Problem) as caught:
                read(self.file(text))
            self.assertIn(why, caught.exception.what)
            self.assertNotIn("secret", caught.exception.text())
            self.assertEqual(caught.exception.code, 78)

    def test_a_file_without_an_end_is_refused_at_once(self) -> None:
        pipe = self.temporary / "pipe"
        os.mkfifo(pipe)
        for file in (pipe, Path("/dev/zero")):
            self.assertIn("no regular file", self.stack("config", expect=78, BOXOFFICE_CONFIG=str(file)))

    def test_every_variable_that_a_program_reads_is_shown(self) -> None:
        named: set[str] = set()
        for folder in ("Services", "Shared"):
            for file in (ROOT / folder).rglob("*.swift"):
                named |= set(re.findall(r'"((?:BOXOFFICE|KOBIS|KAKAO)_[A-Z_]+)"', file.read_text(encoding="utf-8")))
        named |= {service.count_variable for service in SERVICES if service.count_variable}
        self.assertEqual(named - set(defaults()) - set(ALL_VARIABLES) - _OF_ONE_PROCESS - {FILE_VARIABLE}, set())
        self.assertGreater(len(named), 20)

    def test_invalid_counts_are_reported_with_the_name_of_their_setting(self) -> None:
        for value, why in {"2": "at most one", "many": "a whole number, 0 to 1"}.items():
            with self.assertRaises(Problem) as caught:
                usual_counts(True, {**defaults(), "BOXOFFICE_CACHE_STORES": value})
            self.assertIn("BOXOFFICE_CACHE_STORES: cache-store", caught.exception.what)
            self.assertIn(why, caught.exception.what)
            self.assertEqual(caught.exception.code, 78)

    def test_a_stack_and_its_processes_use_the_settings_of_the_file(self) -> None:
        file = self.file("BOXOFFICE_DETAIL_FETCHERS=3\nBOXOFFICE_CAPACITY=5\nBOXOFFICE_POSTER_RESOLVERS=0\n")
        self.up("chart-fetcher=2", BOXOFFICE_CONFIG=str(file), BOXOFFICE_POSTER_RESOLVERS="1")
        services = [entry["service"] for entry in self.processes().values()]
        counts = {name: services.count(name) for name in ("chart-fetcher", "detail-fetcher", "poster-resolver")}
        self.assertEqual(counts, {"chart-fetcher": 2, "detail-fetcher": 3, "poster-resolver": 1})
        environment = self.seen("detail-fetcher-3")["environment"]
        self.assertEqual((environment["BOXOFFICE_CAPACITY"], environment[FILE_VARIABLE]), ("5", os.devnull))
        self.stack("down")

    def test_config_shows_values_with_their_origins_and_no_key(self) -> None:
        file = self.file("BOXOFFICE_LOG=debug\n")
        settings = json.loads(self.stack("config", "--json", BOXOFFICE_CONFIG=str(file), KOBIS_API_KEY="topsecret"))
        by_name = {entry["name"]: entry for entry in settings}
        self.assertEqual(by_name["BOXOFFICE_LOG"]["origin"], f"{file}:1")
        self.assertEqual(by_name["KOBIS_API_KEY"], {"name": "KOBIS_API_KEY", "value": "set", "origin": "environment"})
        self.assertEqual(by_name["KAKAO_REST_API_KEY"]["value"], "not set")
        text = self.stack("config", KOBIS_API_KEY="topsecret")
        self.assertNotIn("topsecret", text)
        self.assertRegex(text, r"(?m)^BOXOFFICE_RUN +\S+ +environment$")
        self.assertIn("cannot be read: No such file", self.stack("config", expect=78, BOXOFFICE_CONFIG="/nowhere"))


class Doctor(StackCase):
    """`compose/stack doctor`: each check, with a problem of its kind."""

    def diagnose(self, *arguments: str, expect: int = 0, **variables: str) -> dict[str, dict[str, str]]:
        """Return the findings by their checks."""
        findings = self.stack("doctor", "--bin", str(self.binaries), "--json", *arguments, expect=expect, **variables)
        return {finding["check"]: finding for finding in json.loads(findings)}

    def expect_problem(self, check: str, what: str, fix: str, expect: int, *arguments: str, **variables: str) -> None:
        """Fail unless the checks find this problem and no other."""
        findings = self.diagnose(*arguments, expect=expect, **variables)
        self.assertEqual([name for name, finding in findings.items() if not finding["ok"]], [check])
        self.assertIn(what, findings[check]["what"])
        self.assertIn(fix, findings[check]["fix"])

    def test_no_problem_is_found_before_a_stack_runs_and_while_it_runs(self) -> None:
        self.assertEqual(self.diagnose("--demo")["stack"]["what"], "none runs")
        self.up()
        self.assertEqual(self.diagnose()["stack"]["what"], "9 processes, all registered")
        self.assertIn("All 8 checks passed.", self.stack("doctor", "--bin", str(self.binaries)))
        self.stack("down")

    def test_a_problem_is_reported_with_its_fix(self) -> None:
        self.expect_problem("settings", "no program reads BOXOFFICE_CAPACTY", "Did you mean BOXOFFICE_CAPACITY?", 78, "--demo",
                  BOXOFFICE_CAPACTY="1")
        self.expect_problem("keys", "KOBIS_API_KEY and KAKAO_REST_API_KEY not set", "up --demo", 78)
        bare = self.temporary / "path"
        bare.mkdir()
        (bare / "python3").symlink_to(sys.executable)
        self.expect_problem("launcher", "setpriv is missing", "apt-get install util-linux", 69, "--demo", PATH=str(bare))
        (self.binaries / "tap").unlink()
        (self.binaries / "gateway").unlink()
        self.expect_problem("programs", "missing in", "swift build", 69, "--demo")

    def test_a_key_file_that_others_can_read_is_a_warning(self) -> None:
        file = self.temporary / "key"
        file.write_text("a-key\n", encoding="ascii")
        for variable in ("KOBIS_API_KEY_FILE", "KAKAO_REST_API_KEY_FILE", "BOXOFFICE_KEY_FILE"):
            for mode in (0o640, 0o604):
                file.chmod(mode)
                given = {"KOBIS_API_KEY": "x", "KAKAO_REST_API_KEY": "x", variable: str(file)}
                findings = json.loads(self.stack("doctor", "--bin", str(self.binaries), "--json", **given))
                [warning] = [finding for finding in findings if finding["warning"]]
                self.assertEqual((warning["check"], warning["ok"]), ("keys", True))
                self.assertIn(f"{variable} names {file}, which other users can read or change (mode {mode:04o})", warning["what"])
                self.assertEqual(warning["fix"], f"Close it: chmod 600 {file}")
        text = self.stack("doctor", "--demo", "--bin", str(self.binaries), BOXOFFICE_KEY_FILE=str(file))
        self.assertRegex(text, r"(?m)^warn  keys +BOXOFFICE_KEY_FILE names .*\n +The programs refuse it.*\n +→ Close it: chmod 600")
        self.assertRegex(text, r"1 of \d+ is a warning; a stack works all the same\.\n$")
        file.chmod(0o600)
        self.assertFalse(self.diagnose("--demo", BOXOFFICE_KEY_FILE=str(file))["keys"]["warning"])

    def test_an_unusable_folder_is_reported(self) -> None:
        self.run_folder.mkdir(mode=0o755)
        self.expect_problem("folder", "other users can reach into it", "chmod 700", 78, "--demo")
        self.run_folder.chmod(0o700)
        (self.run_folder / "sv.sock").touch()
        self.expect_problem("folder", "what a killed stack has left behind", "compose/stack down", 69, "--demo")

    def test_an_instance_that_is_no_longer_restarted_is_reported(self) -> None:
        self.up()
        (self.binaries / "chart-fetcher").write_text("#!/bin/sh\necho broken\nexit 1\n", encoding="ascii")
        os.kill(self.processes()["chart-fetcher/1"]["pid"], 9)
        self.wait(lambda: self.processes()["chart-fetcher/1"]["state"] == "failed")
        self.expect_problem("stack", "chart-fetcher/1 has crashed too often", "compose/stack restart chart-fetcher/1", 69)
        self.stack("down")
