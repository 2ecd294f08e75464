"""The API keys of a stack are in their files and nowhere else."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

from launcher.problem import Problem
from launcher.run_folder import RunFolder
from launcher.secrets import for_stack

from .stack_case import STACK, StackCase, built_programs

KOBIS, KAKAO = "test0kobis0key0test0kobis0key000", "test0kakao0key0test0kakao0key000"
BY_VALUE = {"KOBIS_API_KEY": KOBIS, "KAKAO_REST_API_KEY": KAKAO}
KOBIS_FILE, KAKAO_FILE = "stack.kobis-key", "stack.kakao-key"
VARIABLES = {name for variable in BY_VALUE for name in (variable, f"{variable}_FILE")}


class KeyCase(StackCase):
    """A test of stacks with keys."""

    def real(self, *arguments: str, **variables: str) -> str:
        """Start a stack with real data."""
        return self.stack("up", "--bin", str(self.binaries), *arguments, **self.caches(), **variables)

    def caches(self) -> dict[str, str]:
        """Return the variables of a cache and an archive in this test's folder."""
        return {"XDG_CACHE_HOME": str(self.temporary / "caches"), "XDG_DATA_HOME": str(self.temporary / "data")}

    def key_files(self) -> dict[str, str]:
        """Return the contents of the key files by their names, and fail if other users can read one."""
        found = {}
        for name in (KOBIS_FILE, KAKAO_FILE):
            file = self.run_folder / name
            if file.exists():
                self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
                found[name] = file.read_text(encoding="ascii")
        return found

    def assert_keys_are_only_in_their_files(self, *also: int) -> None:
        """Search the environments and arguments of all processes of the stack, and all files that it wrote."""
        keeper = self.pid_of_keeper()
        pids = [*session_of(keeper), *also]
        self.assertIn(keeper, pids)
        self.assertIn(self.pid_of_supervisor(), pids)
        self.assertLessEqual({entry["pid"] for entry in self.processes().values()}, set(pids))
        places = [Path(f"/proc/{pid}/{name}") for pid in pids for name in ("environ", "cmdline")]
        written = [file for file in self.temporary.rglob("*") if file.is_file() and file.name not in (KOBIS_FILE, KAKAO_FILE)]
        for name in ("supervisord.conf", "stack.json", "log/supervisord.log", "log/chart-fetcher-1.log"):
            self.assertIn(self.run_folder / name, written)
        for place in places + written:
            text = place.read_bytes()
            for key in (KOBIS, KAKAO):
                self.assertNotIn(key.encode("ascii"), text, str(place))


class KeysOfAStack(KeyCase):
    """With stand-ins, which write their environment into the run folder."""

    def test_keys_are_in_two_private_files_and_nowhere_else(self) -> None:
        self.real(**BY_VALUE)
        self.assertEqual(self.key_files(), {KOBIS_FILE: f"{KOBIS}\n", KAKAO_FILE: f"{KAKAO}\n"})
        self.assert_keys_are_only_in_their_files()
        self.stack("down")
        self.assert_nothing_left()

    def test_only_a_fetcher_gets_a_key_file_and_only_its_own(self) -> None:
        self.real(**BY_VALUE)
        kobis = {"KOBIS_API_KEY_FILE": str(self.run_folder / KOBIS_FILE)}
        kakao = {"KAKAO_REST_API_KEY_FILE": str(self.run_folder / KAKAO_FILE)}
        expected = {
            "broker-1": {}, "cache-store-1": {}, "chart-fetcher-1": kobis, "detail-fetcher-2": kobis, "poster-resolver-1": kakao,
            "archive-1": {},
        }
        for program, variables in expected.items():
            environment = self.seen(program)["environment"]
            self.assertEqual({name: environment[name] for name in VARIABLES & set(environment)}, variables, program)

    def test_instances_that_are_added_or_replaced_read_the_same_file(self) -> None:
        self.real(**BY_VALUE)
        self.stack("scale", "poster-resolver=3")
        self.stack("restart", "chart-fetcher/1")
        self.assertEqual(self.seen("poster-resolver-3")["environment"]["KAKAO_REST_API_KEY_FILE"],
                         str(self.run_folder / KAKAO_FILE))
        self.assertEqual(self.seen("chart-fetcher-1")["environment"]["KOBIS_API_KEY_FILE"], str(self.run_folder / KOBIS_FILE))
        self.assert_keys_are_only_in_their_files()

    def test_a_users_own_file_is_referenced_and_not_copied(self) -> None:
        own = self.temporary / "my %k \"y' ;#"
        own.write_text(f"{KOBIS}\n", encoding="ascii")
        self.real(KOBIS_API_KEY_FILE=str(own), KAKAO_REST_API_KEY=KAKAO)
        for program in ("chart-fetcher-1", "detail-fetcher-1"):
            self.assertEqual(self.seen(program)["environment"]["KOBIS_API_KEY_FILE"], str(own))
        self.assertEqual(self.key_files(), {KAKAO_FILE: f"{KAKAO}\n"})
        holders = [file for file in self.temporary.rglob("*") if file.is_file() and KOBIS.encode("ascii") in file.read_bytes()]
        self.assertEqual(holders, [own])
        self.stack("down")
        self.assertEqual(own.read_text(encoding="ascii"), f"{KOBIS}\n")

    def test_the_keys_of_a_demo_are_generated_and_in_files_as_well(self) -> None:
        self.up(**BY_VALUE)
        for text in self.key_files().values():
            self.assertRegex(text, r"^demo[a-z0-9]{28}\n$")
        self.assertEqual(set(self.key_files()), {KOBIS_FILE, KAKAO_FILE})
        self.assert_keys_are_only_in_their_files()
        self.stack("down")
        self.assert_nothing_left()

    def test_a_foreground_erases_its_own_environment_too(self) -> None:
        launcher = subprocess.Popen(
            [STACK, "up", "--foreground", "--bin", self.binaries], env=self.environment(**self.caches(), **BY_VALUE),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )
        assert launcher.stdout is not None
        self.addCleanup(launcher.stdout.close)
        self.addCleanup(launcher.kill)
        while "Started the stack" not in (line := launcher.stdout.readline()):
            self.assertTrue(line, "the launcher has ended")
        self.assert_keys_are_only_in_their_files(launcher.pid)
        launcher.send_signal(signal.SIGINT)
        self.assertEqual(launcher.wait(timeout=30), 130)
        self.assert_nothing_left()

    def test_the_keeper_removes_the_files_when_supervisord_dies(self) -> None:
        self.real(**BY_VALUE)
        os.kill(self.pid_of_supervisor(), signal.SIGKILL)
        self.wait_until_cleaned_up()

    def test_up_replaces_the_files_of_a_stack_that_was_killed(self) -> None:
        self.real(**BY_VALUE)
        keeper, supervisor = self.pid_of_keeper(), self.pid_of_supervisor()
        processes = session_of(keeper)
        for number in (signal.SIGSTOP, signal.SIGKILL):  # suspended first, so that neither cleans up after the other
            for pid in (supervisor, keeper):
                os.kill(pid, number)
        self.wait_for_end(processes)
        self.assertEqual(set(self.key_files()), {KOBIS_FILE, KAKAO_FILE})
        other = KOBIS.replace("test", "next")
        self.assertIn("Cleaned up a killed stack", self.real(KOBIS_API_KEY=other, KAKAO_REST_API_KEY=KAKAO))
        self.assertEqual(self.key_files(), {KOBIS_FILE: f"{other}\n", KAKAO_FILE: f"{KAKAO}\n"})
        self.stack("down")
        self.assert_nothing_left()

    def test_a_stack_that_does_not_start_leaves_no_key(self) -> None:
        self.assertIn("control characters", self.up("--", "--seed\n7", expect=64))
        self.assert_nothing_left()
        self.up(expect=78, FAKE_CRASHES="poster-resolver/1")
        self.assert_nothing_left()


class KeysOfBuiltPrograms(KeyCase):
    """With the built executables, which read the files.

    `compose/test` runs the other tests during the build, and these after it.
    """

    def setUp(self) -> None:
        super().setUp()
        self.binaries = built_programs()

    def test_fetchers_use_the_keys_and_no_process_or_log_contains_them(self) -> None:
        url = self.demo_upstream()
        base = {"KOBIS_BASE_URL": f"{url}/kobisopenapi/webservice/rest/", "KAKAO_BASE_URL": f"{url}/"}
        self.real(BOXOFFICE_LOG="trace", **BY_VALUE, **base)
        gateway = subprocess.run(
            [self.binaries / "gateway", "show", "2019-03-15", "--top", "3", "--strict"], env=self.environment(),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", timeout=30, check=False,
        )
        self.assertEqual(gateway.returncode, 0, gateway.stdout)
        self.assertEqual(set(self.key_files()), {KOBIS_FILE, KAKAO_FILE})
        self.assert_keys_are_only_in_their_files()
        self.stack("down")
        self.assert_nothing_left()

    def test_no_output_shows_what_an_address_in_a_setting_keeps_secret(self) -> None:
        mark = "s3cretpw"
        forms = ("nats://u:{0}@host:1", "nats://a:1,nats://{0}@b:1", "http://u:{0}@host", "ftp://u:{0}@host/", "{0}@host",
                 "http://host/?key={0}")
        readers = {
            "BOXOFFICE_BROKER": ("gateway ping", "gateway config", "gateway doctor", "tap --last 1", "stack config", "stack up --demo",
                                 "stack doctor", "cache-store"),
            "KOBIS_BASE_URL": ("chart-fetcher", "stack config"), "KAKAO_BASE_URL": ("poster-resolver", "stack config"),
            "BOXOFFICE_WEB_URL": ("web", "stack config"), "BOXOFFICE_WEB_HOST": ("web",), "BOXOFFICE_WEB_PROXY": ("web",),
            "BOXOFFICE_EXPORTER_HOST": ("exporter",), "OTEL_EXPORTER_OTLP_ENDPOINT": ("exporter", "stack config"),
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": ("exporter", "stack config"),
        }
        keys = {"KOBIS_API_KEY": KOBIS, "KAKAO_REST_API_KEY": KAKAO}
        for name, commands in readers.items():
            for form in forms:
                for command in commands:
                    with self.subTest(command, **{name: form}):
                        program, *arguments = command.split()
                        path = STACK if program == "stack" else self.binaries / program
                        bin_option = ["--bin", str(self.binaries)] if arguments[:1] == ["up"] else []
                        try:
                            result = subprocess.run(
                                [path, *arguments, *bin_option], env={**self.environment(), **keys, name: form.format(mark)},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", timeout=3, check=False)
                            output = result.stdout
                        except subprocess.TimeoutExpired as running:
                            # A service that takes the address runs until it is stopped.
                            output = (running.stdout or b"").decode()
                        self.assertNotIn(mark, output)
        logs = [path.read_text(errors="replace") for path in self.run_folder.rglob("*.log")]
        self.assertNotIn(mark, "".join(logs))

    def demo_upstream(self) -> str:
        """Start an upstream that accepts any key, and return its URL."""
        file = self.temporary / "url"
        process = subprocess.Popen(
            [self.binaries / "demo-upstream", "--port", "0", "--url-file", file],
            env=self.environment(self.temporary / "elsewhere"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.addCleanup(process.wait, 10)
        self.addCleanup(process.kill)
        self.wait(file.exists)
        return file.read_text(encoding="ascii").strip()


class KeyFiles(unittest.TestCase):
    """The file itself."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="bo", dir="/tmp")
        self.addCleanup(temporary.cleanup)
        self.folder = RunFolder(Path(temporary.name))

    def test_it_is_private_with_any_umask(self) -> None:
        for mask in (0o000, 0o777):
            old = os.umask(mask)
            try:
                file = self.folder.write_key_file("KOBIS_API_KEY", KOBIS)
            finally:
                os.umask(old)
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
            self.assertEqual(file.read_text(encoding="ascii"), f"{KOBIS}\n")
            file.unlink()

    def test_an_existing_file_is_not_written_to(self) -> None:
        victim = self.folder.path / "victim"
        victim.touch()
        place = self.folder.path / KOBIS_FILE
        for put in (lambda: place.symlink_to(victim), place.touch):
            put()
            with self.assertRaises(FileExistsError):
                self.folder.write_key_file("KOBIS_API_KEY", KOBIS)
            place.unlink()
        self.assertEqual(victim.read_bytes(), b"")

    def test_a_users_file_at_the_path_of_the_generated_file_is_refused(self) -> None:
        own = self.folder.path / KOBIS_FILE
        own.write_text(KOBIS, encoding="ascii")
        with self.assertRaises(Problem) as caught:
            for_stack({"KOBIS_API_KEY_FILE": str(own), "KAKAO_REST_API_KEY": KAKAO}, self.folder, demo=False)
        self.assertIn("compose/stack writes and removes", caught.exception.what)
        self.assertEqual(caught.exception.code, 78)


def session_of(leader: int) -> list[int]:
    """Return all processes of a session."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(entry.name)) == leader:
                found.append(int(entry.name))
        except ProcessLookupError:
            pass
    return found
