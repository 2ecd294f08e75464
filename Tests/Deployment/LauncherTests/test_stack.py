"""Whole stacks: started, inspected, scaled, stopped."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import subprocess

from launcher.run_folder import try_lock

from .stack_case import STACK, StackCase


class RunningStack(StackCase):
    """A stack that starts without a problem."""

    def test_up_returns_when_all_are_registered_and_down_leaves_nothing(self) -> None:
        output = self.up()
        self.assertIn("Started the stack", output)
        processes = self.processes()
        self.assertEqual(
            list(processes),
            ["broker/1", "demo-upstream/1", "cache-store/1", "chart-fetcher/1", "detail-fetcher/1", "detail-fetcher/2",
             "poster-resolver/1", "poster-resolver/2", "archive/1"],
        )
        self.assertEqual({entry["state"] for entry in processes.values()}, {"ready"})
        self.assertIn("Stopped the stack", self.stack("down"))
        self.wait_for_end([entry["pid"] for entry in processes.values()])
        self.assert_nothing_left()
        self.assertIn("No stack is running", self.stack("down"))

    def test_ps_is_an_aligned_table(self) -> None:
        self.up("poster-resolver=0")
        lines = self.stack("ps").splitlines()
        self.assertRegex(lines[0], r"^SERVICE +INSTANCE +PID +STATE +UPTIME +IN FLIGHT +SERVED +ERRORS +p99$")
        self.assertRegex(lines[1], r"^broker +1 +\d+ +ready +\d+s +3 +8,120 +2 +108\.2 ms$")
        self.assertRegex(lines[2], r"^demo-upstream +1 +\d+ +ready +\d+s +- +- +- +-$")
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})

    def test_start_status_and_stop_are_other_names(self) -> None:
        self.stack("start", "--demo", "--bin", str(self.binaries))
        self.assertIn("ready", self.stack("status"))
        self.assertIn("Stopped the stack", self.stack("stop"))

    def test_a_suspended_worker_does_not_answer_and_restart_replaces_it(self) -> None:
        self.up()
        os.kill(self.processes()["chart-fetcher/1"]["pid"], signal.SIGSTOP)
        os.kill(self.processes()["poster-resolver/1"]["pid"], signal.SIGSTOP)
        for name in ("chart-fetcher-1", "poster-resolver-1"):
            (self.run_folder / "registered" / name).unlink()  # the broker has lost it
        self.assertEqual(self.processes()["chart-fetcher/1"]["state"], "not answering")
        self.assertIn("응답 없음", self.stack("ps", "--lang", "ko"))
        findings = self.stack("doctor", "--demo", "--bin", str(self.binaries), expect=69)
        for name in ("chart-fetcher/1", "poster-resolver/1"):
            self.assertIn(f"Restart it: compose/stack restart {name}", findings)
            self.stack("restart", name)
        self.assertEqual(self.processes()["chart-fetcher/1"]["state"], "ready")

    def test_ps_is_shown_again_and_again(self) -> None:
        self.up()
        process = subprocess.Popen(
            [STACK, "ps", "--watch"], env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            encoding="utf-8")
        assert process.stdout is not None
        heads = 0
        while heads < 2:
            heads += process.stdout.readline().startswith("SERVICE")
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, rest)
        self.stack("ps", "--watch", "--json", expect=64)

    def test_pages_are_served_by_one_process_when_they_are_asked_for(self) -> None:
        self.assertNotIn("web/1", self.up("--web", "web=0"))
        self.stack("down")
        output = self.up("--web", BOXOFFICE_WEB_PORT="0")
        address = re.search(r"^  pages   (http://127\.0\.0\.1:\d+)$", output, re.MULTILINE)
        assert address is not None, output
        self.assertEqual((self.run_folder / "web.url").read_text(encoding="ascii").strip(), address[1])
        self.assertEqual(self.processes()["web/1"]["state"], "ready")
        self.assertIn("web=2: there is at most one, which owns the port", self.stack("scale", "web=2", expect=64))
        self.stack("scale", "web=0", "exporter=1")
        self.assertEqual({"exporter/1"}, {"web/1", "exporter/1"} & set(self.processes()))
        self.stack("down")
        self.assertEqual(list(self.run_folder.glob("*.url")), [])
        metrics = r"^  metric  http://127\.0\.0\.1:\d+/metrics$"
        self.assertRegex(self.up("exporter=1"), re.compile(metrics, re.MULTILINE))

    def test_a_second_up_is_refused_with_the_process_id_of_the_keeper(self) -> None:
        self.up()
        output = self.up(expect=69)
        self.assertIn(f"is already running in {self.run_folder} (process {self.pid_of_keeper()})", output)
        self.assertEqual(len(self.processes()), 9)

    def test_two_stacks_do_not_affect_each_other(self) -> None:
        other = self.temporary / "other"
        self.up()
        self.up("detail-fetcher=1", run=other)
        before = self.processes()
        self.stack("down", run=other)
        self.assert_nothing_left(other)
        after = self.processes()
        self.assertEqual([entry["pid"] for entry in before.values()], [entry["pid"] for entry in after.values()])

    def test_a_run_folder_may_have_an_odd_name(self) -> None:
        odd = self.temporary / "실행 %d ;#'\""
        self.up(run=odd, LANG="C")
        self.assertEqual(len(self.processes(odd)), 9)
        self.stack("down", run=odd)
        self.assert_nothing_left(odd)

    def test_scale_affects_no_other_instance(self) -> None:
        self.up()
        before = self.processes()
        output = self.stack("scale", "detail-fetcher=4", "chart-fetcher=2")
        self.assertIn("detail-fetcher 2 → 4: detail-fetcher/3, detail-fetcher/4 registered", output)
        grown = self.processes()
        self.assertEqual(len(grown), 12)
        output = self.stack("scale", "detail-fetcher=1")
        self.assertIn("4 → 1: detail-fetcher/4, detail-fetcher/3, detail-fetcher/2 stopped after its last request", output)
        shrunk = self.processes()
        self.assertNotIn("detail-fetcher/2", shrunk)
        self.assertIn("detail-fetcher 1: no change", self.stack("scale", "detail-fetcher=1"))
        for name in set(before) & set(shrunk):
            self.assertEqual(before[name]["pid"], shrunk[name]["pid"], name)
        self.wait_for_end([grown[f"detail-fetcher/{number}"]["pid"] for number in (2, 3, 4)])

    def test_scaling_down_kills_an_instance_that_does_not_drain(self) -> None:
        self.up("chart-fetcher=2", FAKE_STUBBORN="chart-fetcher/2")
        stubborn = self.processes()["chart-fetcher/2"]["pid"]
        self.assertIn("chart-fetcher/2 did not finish within 8 s and was killed", self.stack("scale", "chart-fetcher=1"))
        self.wait_for_end([stubborn])
        self.assertNotIn("chart-fetcher/2", self.processes())

    def test_a_new_instance_that_fails_is_removed(self) -> None:
        self.up(FAKE_CRASHES="detail-fetcher/3")
        before = self.processes()
        output = self.stack("scale", "detail-fetcher=3", expect=78)
        self.assertIn("detail-fetcher/3 ended right after the start", output)
        self.assertIn("The stack keeps running", output)
        self.assertEqual(list(self.processes()), list(before))

    def test_restart_replaces_one_after_another_and_the_broker_last(self) -> None:
        self.up()
        supervisor, before = self.pid_of_supervisor(), self.processes()
        output = self.stack("restart", "all").splitlines()
        order = ["chart-fetcher/1", "detail-fetcher/1", "detail-fetcher/2", "poster-resolver/1", "poster-resolver/2",
                 "cache-store/1", "archive/1", "broker/1"]
        self.assertEqual([line.partition(" replaced in ")[0] for line in output[:-1]], order)
        self.assertRegex(output[-1], r"^Replaced 8 processes in \d+\.\d s\.$")
        after = self.processes()
        self.assertEqual({name for name in after if after[name]["pid"] == before[name]["pid"]}, {"demo-upstream/1"})
        self.assertEqual({entry["state"] for entry in after.values()}, {"ready"})
        self.assertEqual(self.pid_of_supervisor(), supervisor)

    def test_restart_replaces_only_the_named_instances(self) -> None:
        self.up()
        for name, replaced in {
            "detail-fetcher": {"detail-fetcher/1", "detail-fetcher/2"}, "poster-resolver/2": {"poster-resolver/2"},
            "demo-upstream": {"demo-upstream/1"},
        }.items():
            url, before = self.upstream_url(), self.processes()
            self.stack("restart", name)
            after = self.processes()
            self.assertEqual({name for name in after if after[name]["pid"] != before[name]["pid"]}, replaced)
            self.assertEqual(self.upstream_url(), url)

    def test_a_failed_restart_replaces_no_further_instance(self) -> None:
        self.up()
        before = self.processes()
        (self.binaries / "detail-fetcher").write_text("#!/bin/sh\necho broken by the build\nexit 1\n", encoding="ascii")
        output = self.stack("restart", "all", expect=69)
        self.assertIn("chart-fetcher/1 replaced in", output)
        self.assertIn("detail-fetcher/1 ended right after the start", output)
        self.assertIn("| broken by the build", output)
        self.assertIn("The following processes were not replaced", output)
        after = self.processes()
        for name in set(before) - {"chart-fetcher/1", "detail-fetcher/1"}:
            self.assertEqual(after[name]["pid"], before[name]["pid"], name)

    def test_a_stopped_service_cannot_be_restarted(self) -> None:
        self.up("cache-store=0")
        self.assertIn("no cache-store is running", self.stack("restart", "cache-store", expect=69))
        self.assertIn("Did you mean 'detail-fetcher/", self.stack("restart", "detail-fetcher/3", expect=64))
        self.assertIn("Missing argument: SERVICE|INSTANCE|all", self.stack("restart", expect=64))

    def test_a_killed_instance_is_restarted(self) -> None:
        self.up()
        before = self.processes()
        for name in ("poster-resolver/1", "demo-upstream/1"):
            os.kill(before[name]["pid"], 9)
        self.wait(lambda: all(
            self.processes()[name]["pid"] not in (None, before[name]["pid"])
            for name in ("poster-resolver/1", "demo-upstream/1")
        ))
        port = self.seen("demo-upstream-1")["arguments"][2]
        url = self.seen("chart-fetcher-1")["environment"]["KOBIS_BASE_URL"]
        self.assertEqual(url, f"http://127.0.0.1:{port}/kobisopenapi/webservice/rest/")

    def test_log_lines_begin_with_their_instance(self) -> None:
        self.up()
        self.assertIn("detail-fetcher/2  detail-fetcher/2 begins", self.stack("logs", "detail-fetcher"))
        self.assertEqual("broker/1  broker/1 begins\n", self.stack("logs", "broker-1"))
        self.assertIn("Did you mean 'detail-fetcher/", self.stack("logs", "detail-fetcher/9", expect=64))
        self.stack("down")
        self.assertIn("cache-store/1 ", self.stack("logs"))

    def test_a_stack_with_keys_has_no_demo_upstream_and_the_users_cache(self) -> None:
        self.stack(
            "up", "--bin", str(self.binaries), XDG_CACHE_HOME=str(self.temporary / "caches"),
            KOBIS_API_KEY="real-kobis", KAKAO_REST_API_KEY="real-kakao",
        )
        for program in ("broker-1", "cache-store-1", "chart-fetcher-1"):
            environment = self.seen(program)["environment"]
            self.assertEqual(environment["BOXOFFICE_CACHE_DIR"], str(self.temporary / "caches" / "boxoffice"))
        self.assertNotIn("demo-upstream/1", self.processes())
        self.assertIn("only in a demo stack", self.stack("scale", "demo-upstream=1", expect=64))

    def test_a_demo_uses_its_own_upstream_despite_the_environment(self) -> None:
        self.up(KOBIS_BASE_URL="https://real.invalid/", BOXOFFICE_BROKER="ipc:///elsewhere")
        environment = self.seen("chart-fetcher-1")["environment"]
        self.assertRegex(environment["KOBIS_BASE_URL"], r"^http://127\.0\.0\.1:\d+/kobisopenapi/webservice/rest/$")
        self.assertRegex(self.seen("poster-resolver-1")["environment"]["KAKAO_BASE_URL"], r"^http://127\.0\.0\.1:\d+/$")
        self.assertNotIn("BOXOFFICE_BROKER", environment)
        self.assertEqual(environment["BOXOFFICE_CACHE_DIR"], str(self.run_folder / "cache"))

    def test_options_and_recordings_reach_the_demo_upstream(self) -> None:
        recordings = self.temporary / "박스 오피스 ;# 100% \"it's\""
        recordings.mkdir()
        self.up("--recordings", str(recordings), "--", "--latency", "5")
        arguments = self.seen("demo-upstream-1")["arguments"][1:]
        self.assertEqual(arguments[4:], ["--recordings", str(recordings), "--latency", "5"])

    def test_a_demo_takes_its_last_port_again_since_cached_posters_contain_it(self) -> None:
        self.up()
        address = self.upstream_url()
        self.stack("down")
        self.assertNotIn("was cleared", self.up())
        self.assertEqual(self.upstream_url(), address)
        self.stack("down")
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind(("127.0.0.1", int(address.rpartition(":")[2])))
            other.listen()
            self.assertIn("was cleared", self.up())
            self.assertNotEqual(self.upstream_url(), address)

    def test_the_cache_of_a_demo_is_emptied_when_its_data_change(self) -> None:
        self.up()
        kept = self.run_folder / "cache" / "cache.sqlite"
        kept.touch()
        self.stack("down")
        self.assertNotIn("was cleared", self.up())
        self.assertTrue(kept.exists())
        self.stack("down")
        self.assertIn("was cleared", self.up("--", "--seed", "7"))
        self.assertFalse(kept.exists())

    def test_systemd_tmpfiles_skips_the_folder_of_a_running_stack(self) -> None:
        self.up()
        descriptor = os.open(self.run_folder, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        # It takes this lock on each folder that it cleans, and skips a folder where it cannot.
        self.assertFalse(try_lock(descriptor))
        self.stack("down")
        self.assertTrue(try_lock(descriptor))

    def test_the_folder_is_locked_as_soon_as_another_lock_on_it_is_released(self) -> None:
        self.run_folder.mkdir(mode=0o700)
        descriptor = os.open(self.run_folder, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        self.assertTrue(try_lock(descriptor))
        self.up()
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        probe = os.open(self.run_folder, os.O_RDONLY)
        self.addCleanup(os.close, probe)

        def is_locked() -> bool:
            if not try_lock(probe):
                return True
            fcntl.flock(probe, fcntl.LOCK_UN)
            return False

        self.wait(is_locked)

    def test_files_are_inaccessible_to_other_users(self) -> None:
        self.up()
        self.assertEqual(self.run_folder.stat().st_mode & 0o777, 0o700)
        for file in self.run_folder.iterdir():
            if file.name not in ("seen", "registered"):
                self.assertEqual(file.stat().st_mode & 0o077, 0, str(file))


class FailingStack(StackCase):
    """The output and the leftovers when a stack cannot start or is killed."""

    def tearDown(self) -> None:
        if self.run_folder.exists():
            self.stack("down")
            self.assert_nothing_left()

    def test_a_crash_at_the_start_is_reported_with_its_log(self) -> None:
        output = self.up(expect=78, FAKE_CRASHES="poster-resolver/1")
        self.assertIn("poster-resolver/1 ended right after the start", output)
        self.assertIn("| fatal: as the test wishes", output)
        self.assert_nothing_left()

    def test_a_worker_that_never_registers_is_named(self) -> None:
        output = self.up(expect=69, FAKE_MUTE="detail-fetcher/2")
        self.assertIn("detail-fetcher/2 is not registered after 15 s", output)
        self.assertIn("| detail-fetcher/2 begins", output)
        self.assert_nothing_left()

    def test_a_stubborn_instance_is_killed_after_its_grace(self) -> None:
        self.up(FAKE_STUBBORN="chart-fetcher/1")
        self.stack("down")
        self.assert_nothing_left()

    def test_an_interrupted_up_stops_what_it_started(self) -> None:
        starting = subprocess.Popen(
            [STACK, "up", "--demo", "--bin", self.binaries],
            env=self.environment(FAKE_MUTE="detail-fetcher/2"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.wait(lambda: (self.run_folder / "seen" / "detail-fetcher-2").exists())
        output = self.stack("down", expect=69)
        self.assertIn("another compose/stack command", output)
        self.assertIn(f"process {starting.pid}\n", output)
        starting.send_signal(2)
        self.assertEqual(starting.wait(timeout=30), 130)
        self.assert_nothing_left()

    def test_a_broker_that_the_launcher_did_not_start_keeps_running(self) -> None:
        self.run_folder.mkdir(mode=0o700)
        broker = subprocess.Popen([self.binaries / "broker"], env=self.environment(), stdout=subprocess.DEVNULL)
        try:
            self.wait(lambda: (self.run_folder / "events.ipc").exists())
            self.assertIn("a broker that compose/stack did not start", self.up(expect=69))
            self.stack("down")
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(self.run_folder / "broker.ipc"))
        finally:
            broker.terminate()
            broker.wait()

    def test_a_restart_names_variables_that_it_does_not_use(self) -> None:
        self.up()
        self.assertIn("BOXOFFICE_CAPACITY: the processes keep the values that up had.",
                      self.stack("restart", "cache-store", BOXOFFICE_CAPACITY="7"))
        self.assertNotIn("keep the values", self.stack("restart", "cache-store"))
        note = "The running stack was started with other values of BOXOFFICE_CAPACITY"
        self.assertIn(note, self.stack("config", BOXOFFICE_CAPACITY="7"))
        self.assertNotIn("other values", self.stack("config"))
        # What up gives to no process, or to some only, is not changed by staying as it was.
        key = self.temporary / "key"
        key.write_text("a-key\n", encoding="ascii")
        key.chmod(0o600)
        self.stack("down")
        keys = {"KOBIS_API_KEY_FILE": str(key), "KAKAO_REST_API_KEY_FILE": str(key), "BOXOFFICE_BROKER": f"ipc://{self.run_folder}/broker.ipc"}
        self.stack("up", "--bin", str(self.binaries), **keys)
        self.assertNotIn("other values", self.stack("config", **keys))
        self.assertNotIn("keep the values", self.stack("restart", "cache-store", **keys))
        self.stack("down")
        self.assertNotIn("other values", self.stack("config", BOXOFFICE_CAPACITY="7"))

    def test_missing_keys_are_reported_by_their_variables(self) -> None:
        output = self.stack("up", "--bin", str(self.binaries), expect=78, KOBIS_API_KEY="given")
        self.assertIn("API keys are not set: KAKAO_REST_API_KEY", output)
        output = self.stack("up", "--bin", str(self.binaries), expect=78, KOBIS_API_KEY="x", KAKAO_REST_API_KEY_FILE="no")
        self.assertIn("KAKAO_REST_API_KEY_FILE: cannot read", output)

    def test_a_missing_executable_is_reported_with_the_command_to_build_it(self) -> None:
        (self.binaries / "gateway").unlink()
        output = self.up(expect=69)
        self.assertRegex(output, r"programs not found in .*: gateway\n  Check --bin, or build them in .*: swift build -c release")

    def test_a_missing_folder_of_recordings_is_reported(self) -> None:
        self.assertIn("is no directory", self.up("--recordings", "nowhere", expect=64))
