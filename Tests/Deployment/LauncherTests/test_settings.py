"""The settings: the user's file, the environment, the defaults, and the checks of `doctor`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from launcher.binaries import ROOT
from launcher.problem import Problem
from launcher.secrets import ALL_VARIABLES
from launcher.services import SERVICES, usual_counts
from launcher.settings import FILE_VARIABLE, apply_user_file, defaults, effective, read

from .stack_case import StackCase, built_programs

_OF_ONE_PROCESS = {"BOXOFFICE_INSTANCE", "BOXOFFICE_SUPERVISED", "BOXOFFICE_TEST_"}


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
        apply_user_file(environ)
        settings = effective(environ)
        names = ("BOXOFFICE_CAPACITY", "BOXOFFICE_LOG", "KOBIS_DAILY_LIMIT")
        self.assertEqual([settings[name] for name in names], ["8", "error", "3000"])
        self.assertNotIn("BOXOFFICE_CHART_FETCHERS", environ)

    def test_an_invalid_line_is_reported_by_its_number(self) -> None:
        table = {
            "x": "line 1: not NAME=VALUE", "\nBOXOFFICE_CAPACTY=1": "line 2: unknown setting BOXOFFICE_CAPACTY",
            "BOXOFFICE_LOG=a\nBOXOFFICE_LOG=b": "line 2: BOXOFFICE_LOG is set twice",
            "KOBIS_API_KEY=secret": "Set the path of a key file: KOBIS_API_KEY_FILE=",
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
            self.assertIn("not a regular file", self.stack("ps", expect=78, BOXOFFICE_CONFIG=str(file)))

    def test_every_variable_that_a_program_reads_is_shown(self) -> None:
        named: set[str] = set()
        for folder in ("Services", "Shared"):
            for file in (ROOT / folder).rglob("*.swift"):
                named |= set(re.findall(r'"((?:BOXOFFICE|KOBIS|KAKAO)_[A-Z_]+)"', file.read_text(encoding="utf-8")))
        self.assertEqual(named - set(defaults()) - set(ALL_VARIABLES) - _OF_ONE_PROCESS - {FILE_VARIABLE}, set())
        self.assertGreater(len(named), 20)

    def test_the_counts_of_the_settings_are_those_of_the_list_of_services(self) -> None:
        counts = {service.count_variable: str(service.count) for service in SERVICES if service.count_variable}
        fetches = {f"{service.name.upper().replace('-', '_')}_CONCURRENCY": str(service.concurrency)
                   for service in SERVICES if service.concurrency}
        self.assertLessEqual((counts | fetches).items(), defaults().items())

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


class Doctor(StackCase):
    """`compose/stack doctor`: each check, with a problem of its kind."""

    def diagnose(self, *arguments: str, expect: int = 0, **variables: str) -> dict[str, dict[str, Any]]:
        """Return the findings by their checks."""
        report = json.loads(self.stack("doctor", "--bin", str(self.binaries), "--json", *arguments, expect=expect, **variables))
        self.assertEqual(report["ok"], not expect)
        return {finding["check"]: finding for finding in report["findings"]}

    def expect_problem(self, check: str, what: str, fix: str, expect: int, *arguments: str, **variables: str) -> None:
        """Fail unless the checks find this problem and no other."""
        findings = self.diagnose(*arguments, expect=expect, **variables)
        self.assertEqual([name for name, finding in findings.items() if not finding["ok"]], [check])
        self.assertIn(what, findings[check]["what"]["en"])
        self.assertIn(fix, findings[check]["fix"]["en"])

    def test_no_problem_is_found_before_a_stack_runs_and_while_it_runs(self) -> None:
        self.assertEqual(self.diagnose("--demo")["processes"]["what"]["ko"], "실행 중인 스택이 없습니다.")
        self.up()
        self.assertEqual(self.diagnose()["processes"]["what"]["en"], "9 processes are running.")
        self.stack("down")

    def test_a_problem_is_reported_with_its_fix(self) -> None:
        self.expect_problem("counts", "BOXOFFICE_WEBS: web=2: there is at most one", "Change BOXOFFICE_WEBS.", 78, "--demo", BOXOFFICE_WEBS="2")
        self.expect_problem("api-keys", "API keys are not set: KOBIS_API_KEY, KAKAO_REST_API_KEY", "up --demo", 78)
        bare = self.temporary / "path"
        bare.mkdir()
        (bare / "python3").symlink_to(sys.executable)
        self.expect_problem("launcher", "setpriv is missing", "apt-get install util-linux", 69, "--demo", PATH=str(bare))
        (self.binaries / "tap").unlink()
        (self.binaries / "gateway").unlink()
        self.expect_problem("programs", "programs not found in", "swift build", 69, "--demo")
        self.assertIn("values", self.diagnose("--demo", expect=69))
        for program in self.binaries.iterdir():
            program.unlink()
        self.assertNotIn("values", self.diagnose("--demo", expect=69), "none was asked for its settings")

    def test_a_wrong_setting_stands_once_without_the_name_of_an_installed_program(self) -> None:
        (self.binaries / "web").write_text("#!/bin/sh\necho 'boxoffice web: BOXOFFICE_WEB_CALLS=abc: no number' >&2\nexit 78\n", encoding="ascii")
        findings = self.diagnose("--demo", expect=78, BOXOFFICE_WEBS="1")
        self.assertEqual([finding["what"]["en"] for finding in findings.values() if not finding["ok"]], ["BOXOFFICE_WEB_CALLS=abc: no number"])

    def test_an_unusable_folder_is_reported(self) -> None:
        self.run_folder.mkdir(mode=0o755)
        self.expect_problem("folder", "other users can access it", "chmod 700", 78, "--demo")
        self.run_folder.chmod(0o700)
        (self.run_folder / "sv.sock").touch()
        self.expect_problem("folder", "contains files of a stack that was killed", "compose/stack down", 69, "--demo")

    def test_an_instance_that_is_no_longer_restarted_is_reported(self) -> None:
        self.up()
        (self.binaries / "chart-fetcher").write_text("#!/bin/sh\n[ \"$1\" = --check ] && exit\necho broken\nexit 1\n", encoding="ascii")
        os.kill(self.processes()["chart-fetcher/1"]["pid"], 9)
        self.wait(lambda: self.processes()["chart-fetcher/1"]["state"] == "failed")
        self.expect_problem("processes", "chart-fetcher/1 has crashed too often", "compose/stack restart chart-fetcher/1", 69)
        self.stack("down")


class SettingsOfBuiltPrograms(StackCase):
    """What the launcher asks the gateway for."""

    def setUp(self) -> None:
        super().setUp()
        self.gateway = built_programs() / "gateway"

    def both(self, command: str, *arguments: str, expect: int = 0, **variables: str) -> str:
        """Return the output of a command, which must be the same from the gateway."""
        shown = self.stack(command, *arguments, expect=expect, **variables)
        result = subprocess.run([self.gateway, command, *arguments], env=self.environment(**variables), capture_output=True, text=True,
                                encoding="utf-8", check=False, timeout=60)
        self.assertEqual((shown, expect), (result.stdout, result.returncode))
        return shown

    def test_config_is_that_of_the_gateway_and_shows_no_key(self) -> None:
        file = self.temporary / "own.conf"
        file.write_text("BOXOFFICE_LOG=debug\n", encoding="utf-8")
        report = json.loads(self.both("config", "--json", BOXOFFICE_CONFIG=str(file), KOBIS_API_KEY="topsecret", BOXOFFICE_LOGG="x"))
        by_name = {entry["name"]: entry for entry in report["settings"]}
        self.assertLessEqual(set(defaults()), set(by_name))
        self.assertEqual(by_name["BOXOFFICE_LOG"], {"name": "BOXOFFICE_LOG", "value": "debug", "origin": f"{file}:1"})
        self.assertEqual(by_name["KOBIS_API_KEY"], {"name": "KOBIS_API_KEY", "value": "set", "origin": "environment"})
        self.assertEqual(by_name["BOXOFFICE_DETAIL_FETCHERS"]["value"], "2")
        self.assertEqual(report["unknown"], [{"name": "BOXOFFICE_LOGG", "suggestion": "BOXOFFICE_LOG"}])
        text = self.both("config", KOBIS_API_KEY="topsecret", BOXOFFICE_LOGG="secret, too")
        self.assertNotIn("secret", text)
        self.assertRegex(text, r"(?m)^BOXOFFICE_RUN +\S+ +environment$")
        self.assertIn("BOXOFFICE_LOGG: Unknown setting. Did you mean BOXOFFICE_LOG?", text)
        self.assertIn("No such file", self.stack("config", expect=78, BOXOFFICE_CONFIG="/nowhere"))

    def test_doctor_contains_the_findings_of_the_gateway(self) -> None:
        programs = str(self.gateway.parent)
        key = self.temporary / "key"
        key.write_text("a-key\n", encoding="ascii")
        key.chmod(0o644)
        variables = {"BOXOFFICE_LOGG": "debug", "KOBIS_API_KEY_FILE": str(key)}
        report = json.loads(self.stack("doctor", "--demo", "--bin", programs, "--json", expect=78, **variables))
        own = json.loads(subprocess.run([self.gateway, "doctor", "--local", "--json"], env=self.environment(**variables),
                                        capture_output=True, check=False, timeout=60).stdout)["findings"]
        self.assertEqual([finding for finding in report["findings"] if finding in own], own)
        self.assertEqual([finding["fix"]["en"] for finding in own if finding["fix"]],
                         ["Unknown setting. Did you mean BOXOFFICE_LOG?", f"chmod 600 '{key}'"])
        text = self.stack("doctor", "--demo", "--bin", programs, expect=78, **variables)
        self.assertRegex(text, r"(?m)^✗ settings +Environment variable BOXOFFICE_LOGG\n +Unknown setting\.")
        self.assertRegex(text, r"(?m)^! keys +Others can read .*\n +chmod 600")
        self.assertRegex(text, r"(?m)^✓ programs +All programs are in")

    def test_doctor_lets_each_program_read_its_settings(self) -> None:
        report = json.loads(self.stack("doctor", "--demo", "--bin", str(self.gateway.parent), "--json", expect=78,
                                       BOXOFFICE_WEB_CALLS="abc", BOXOFFICE_CAPACITY="0"))
        wrong = [finding["what"]["en"].splitlines() for finding in report["findings"] if not finding["ok"]]
        self.assertEqual([[line.split()[0] for line in lines] for lines in wrong], [["BOXOFFICE_CAPACITY=0", "BOXOFFICE_WEB_CALLS=abc"]])

    def test_the_version_is_that_of_the_gateway(self) -> None:
        version = subprocess.run([self.gateway, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.stack("--version"), version)
