"""The bus of a stack on NATS: its servers, its address, and the names of instances."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from launcher import nats
from launcher.problem import Problem
from launcher.run_folder import RunFolder
from launcher.waiting import wait_until

from .stack_case import ENOUGH_SECONDS, StackCase


class Servers(unittest.TestCase):
    """What is written for the servers, and what is refused."""

    def test_one_server_or_three_are_taken_and_nothing_else(self) -> None:
        self.assertEqual([nats.count_of("1"), nats.count_of("3")], [1, 3])
        for value in ("0", "2", "4", "x", "", "detail-fetcher=2"):
            with self.assertRaises(Problem):
                nats.count_of(value)

    def test_the_option_takes_no_word_that_follows_it(self) -> None:
        self.assertEqual(nats.with_value(["--nats", "web=1", "--nats=3"]), ["--nats=1", "web=1", "--nats=3"])

    def test_servers_listen_on_loopback_only_and_three_form_a_cluster(self) -> None:
        for count in (1, 3):
            with tempfile.TemporaryDirectory() as folder:
                address = nats.write_servers(Path(folder), count)
                self.assertRegex(address, r"^nats://127\.0\.0\.1:\d+(,127\.0\.0\.1:\d+){%d}$" % (count - 1))
                texts = [(Path(folder) / f"{number}.conf").read_text() for number in range(1, count + 1)]
                for text in texts:
                    self.assertEqual({host for host in re.findall(r"([\d.]+):\d+", text)}, {"127.0.0.1"})
                    self.assertEqual(text.count("cluster"), int(count > 1))
                ports = re.findall(r":(\d+)", "".join(re.findall(r"(?:listen|http): \S+", "\n".join(texts))))
                self.assertEqual(len(set(ports)), len(ports))

    def test_the_hosts_part_of_a_name_follows_the_rule_of_the_programs(self) -> None:
        for name, label in (("box.example.org", "box"), ("a_b", "a-b"), ("x" * 40, "x" * 32), ("", "host")):
            with mock.patch("socket.gethostname", return_value=name):
                self.assertEqual(nats.host_label(), label)

    def test_a_stack_on_nats_has_no_broker(self) -> None:
        self.assertEqual(nats.counts({"web": 1}, 3), {"broker": 0, "nats-server": 3})
        with self.assertRaises(Problem):
            nats.counts({"broker": 1}, 1)

    def test_a_server_is_current_with_the_majority_only(self) -> None:
        with tempfile.TemporaryDirectory() as path, ExitStack() as stack:
            folder = RunFolder(Path(path))
            address = nats.prepare_servers(folder, 3)

            def start(number: int) -> None:
                command = [nats.executable(), "--config", folder.path / "nats" / f"{number}.conf"]
                server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
                stack.callback(server.wait)
                stack.callback(server.kill)

            self.assertIn("refused", nats.unready_reason(folder, 1))
            start(1)
            port = int(address.split(",")[0].rpartition(":")[2])
            self.assertTrue(wait_until(lambda: _accepts(port), ENOUGH_SECONDS))
            self.assertIn("JetStream", nats.unready_reason(folder, 1))
            start(2)
            self.assertTrue(wait_until(lambda: not any(nats.unready_reason(folder, number) for number in (1, 2)), ENOUGH_SECONDS))


def _accepts(port: int) -> bool:
    with socket.socket() as peer:
        return peer.connect_ex(("127.0.0.1", port)) == 0


class Stacks(StackCase):
    """Stacks of stand-ins; the servers are real."""

    def test_the_run_folder_names_the_bus_and_down_removes_it(self) -> None:
        output = self.up("--nats")
        address = (self.run_folder / "bus").read_text().strip()
        self.assertIn(f"bus     {address}", output)
        processes = self.processes()
        self.assertNotIn("broker/1", processes)
        self.assertEqual(processes["nats-server/1"]["state"], "ready")
        self.assertEqual(self.seen("detail-fetcher-1")["environment"]["BOXOFFICE_INSTANCE"], "detail-fetcher/1")
        self.assertIn("has no broker", self.stack("scale", "broker=1", expect=64))
        self.assertIn("set by compose/stack up --nats", self.stack("scale", "nats-server=3", expect=64))
        pid = processes["nats-server/1"]["pid"]
        self.assertIn("nats-server/1 replaced", self.stack("restart", "nats-server"))
        self.assertNotEqual(self.processes()["nats-server/1"]["pid"], pid)
        self.stack("down")
        self.assert_nothing_left()

    def test_no_server_is_stopped_while_another_may_lack_what_it_holds(self) -> None:
        self.up("--nats=3")
        before = {name: entry["pid"] for name, entry in self.processes().items()}
        os.kill(before["nats-server/2"], signal.SIGSTOP)
        output = self.stack("restart", "nats-server/1", expect=69)
        self.assertIn("after 30 s nats-server/2 is not ready", output)
        self.assertEqual({name: entry["pid"] for name, entry in self.processes().items()}, before)
        os.kill(before["nats-server/2"], signal.SIGCONT)
        self.assertIn("3 processes replaced", self.stack("restart", "nats-server"))
        self.stack("down")
        self.assert_nothing_left()

    def test_a_bus_of_others_is_used_and_named_in_the_instances(self) -> None:
        address = "nats://elsewhere.example:4222"
        output = self.up(BOXOFFICE_BROKER=address)
        self.assertIn(address, output)
        self.assertEqual((self.run_folder / "bus").read_text().strip(), address)
        processes = self.processes()
        self.assertFalse({"broker/1", "nats-server/1"} & set(processes))
        self.assertEqual({entry["state"] for entry in processes.values()}, {"ready"})
        self.stack("down")
        self.assert_nothing_left()

    def test_nats_and_a_broker_exclude_each_other(self) -> None:
        self.assertIn("has no broker", self.up("--nats", "broker=1", expect=64))
