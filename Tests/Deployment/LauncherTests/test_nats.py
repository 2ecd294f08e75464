"""The bus of a stack on NATS: its servers, its address, and the names of instances."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from launcher import nats, nats_health
from launcher.nats_certificate import make_certificate
from launcher.problem import Problem
from launcher.run_folder import RunFolder
from launcher.waiting import wait_until

from .stack_case import ENOUGH_SECONDS, StackCase, fake_binaries


NAMES = {"nats-1", "nats-2", "nats-3"}
_GREETING = b'INFO {"server_id":"NX","tls_required":true,"tls_verify":true,"nonce":"x","port":1}\r\n'


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
                address = nats.prepare_open_servers(Path(folder), count)
                self.assertRegex(address, r"^nats://127\.0\.0\.1:\d+(,127\.0\.0\.1:\d+){%d}$" % (count - 1))
                texts = [(Path(folder) / f"{number}.conf").read_text() for number in range(1, count + 1)]
                for text in texts:
                    self.assertEqual({host for host in re.findall(r"([\d.]+):\d+", text)}, {"127.0.0.1"})
                    self.assertEqual(text.count("cluster"), int(count > 1))
                ports = re.findall(r":(\d+)", "".join(re.findall(r"listen: \S+", "\n".join(texts))))
                self.assertEqual(len(set(ports)), len(ports))

    def test_a_server_answers_nobody_without_a_key(self) -> None:
        with Trio() as trio:
            trio.start(1)
            self.assertTrue(wait_until(lambda: "refused" not in trio.reasons(1)[1], ENOUGH_SECONDS))
            programs, servers = trio.ports(1)
            with trio.connection(programs) as connection:
                connection.sendall(b'CONNECT {"verbose":false,"name":"guest"}\r\nPING\r\n')
                self.assertIn(b"Authorization", connection.makefile("rb").read())
            # Of TLS 1.3 a client sees only at its first read that it lacks a certificate.
            with trio.connection(servers) as connection, self.assertRaises(OSError):
                connection.sendall(b'CONNECT {"verbose":false,"name":"guest"}\r\nPING\r\n')
                self.assertEqual(connection.recv(1), b"a certificate is required")

    def test_another_user_on_the_port_of_a_stopped_server_learns_no_secret(self) -> None:
        with Trio() as trio:
            programs, servers = trio.ports(2)
            with Impostor(programs) as impostor, Impostor(servers) as other:
                self.assertIn("certificate", trio.reasons(2)[2])
                trio.start(1)
                self.assertTrue(wait_until(lambda: impostor.heard and other.heard, ENOUGH_SECONDS))
                password = (trio.folder.path / "nats/password").read_bytes()
                for heard in (*impostor.heard, *other.heard):
                    # The beginning of TLS, without which nothing is said.
                    self.assertEqual(heard[:1], b"\x16")
                    self.assertNotIn(password, heard)

    def test_whoever_listens_in_place_of_a_server_neither_ends_nor_delays_the_launcher(self) -> None:
        with Trio() as trio:
            for greeting in (b"INFO {}\r\n", b"INFO []\r\n", b"INFO 1\r\n", b"[" * 8000, b"", b"INFO "):
                with Impostor(trio.ports(2)[0], greeting):
                    start = time.monotonic()
                    self.assertNotEqual(trio.reasons(2)[2], "")
                    self.assertLess(time.monotonic() - start, ENOUGH_SECONDS)

    def test_a_stack_on_nats_has_no_broker(self) -> None:
        self.assertEqual(nats.counts({"web": 1}, 3), {"broker": 0, "nats-server": 3})
        with self.assertRaises(Problem):
            nats.counts({"broker": 1}, 1)

    def test_a_server_is_current_with_the_majority_only(self) -> None:
        with Trio() as trio:
            self.assertIn("refused", trio.reasons(1)[1])
            trio.start(1)
            self.assertTrue(wait_until(lambda: "JetStream" in trio.reasons(1)[1], ENOUGH_SECONDS))
            trio.start(2)
            self.assertTrue(wait_until(lambda: trio.are_current(1, 2), ENOUGH_SECONDS))

    def test_a_leader_that_was_suspended_is_current_only_when_it_follows_its_successor(self) -> None:
        with Trio() as trio:
            for number in (1, 2, 3):
                trio.start(number)
            self.assertTrue(wait_until(lambda: trio.are_current(1, 2, 3), ENOUGH_SECONDS))
            former, *others = sorted((1, 2, 3), key=lambda number: trio.leader(1) != f"nats-{number}")
            trio.servers[former].send_signal(signal.SIGSTOP)
            elected = {f"nats-{number}" for number in others}
            self.assertTrue(wait_until(lambda: {trio.leader(number) for number in others} < elected, 2 * ENOUGH_SECONDS))
            # Only those that go on running need answer.
            others_are_current = lambda: not any(nats_health.unready_reasons(trio.folder, others, (1, 2, 3)).values())
            self.assertTrue(wait_until(others_are_current, ENOUGH_SECONDS))
            trio.servers[former].send_signal(signal.SIGCONT)
            self.assertTrue(wait_until(lambda: trio.are_current(former, *others), ENOUGH_SECONDS))
            self.assertNotEqual(trio.leader(former), f"nats-{former}")

    def test_servers_that_name_two_leaders_may_lack_what_another_holds(self) -> None:
        # As reported by three servers, the first of which led and was suspended for ten seconds.
        former = copy("nats-1", ("nats-2", True), ("nats-3", True))
        present = copy("nats-2", ("nats-1", False), ("nats-3", True))
        views = {"nats-1": {"JetStream": former}, "nats-2": {"JetStream": present}, "nats-3": {"JetStream": copy("nats-2")}}
        found = nats_health.stale_servers(views, {"nats-1", "nats-3"})
        self.assertEqual(set(found), {"nats-1", "nats-3"})
        self.assertIn("nats-1, nats-2", found["nats-3"])
        # What the one says that is to be stopped does not count when the others agree.
        self.assertEqual(nats_health.stale_servers(views, {"nats-2", "nats-3"}), {})

    def test_a_server_lacks_what_the_leader_of_one_stream_has_not_sent_it(self) -> None:
        agreed = copy("nats-1", ("nats-2", True), ("nats-3", True))
        # What a follower reports of the others is no fact about them.
        followed = copy("nats-2", ("nats-1", False), ("nats-2", False))
        views = {name: {"JetStream": agreed if name == "nats-1" else copy("nats-1"), "EVENTS": followed} for name in NAMES}
        views["nats-2"]["EVENTS"] = copy("nats-2", ("nats-1", True), ("nats-3", False))
        found = nats_health.stale_servers(views, NAMES)
        self.assertEqual(set(found), {"nats-3"})
        self.assertIn("EVENTS", found["nats-3"])

    def test_a_leader_must_have_heard_of_a_server_to_know_what_it_holds(self) -> None:
        for active, found in (({"active": 10**9}, set()), ({"active": 10**10}, {"nats-2"}), ({"name": "unknown"}, {"nats-2"})):
            group = copy("nats-1", ("nats-2", True), ("nats-3", True))
            group["replicas"][0].update(active)
            views = {name: {"JetStream": group if name == "nats-1" else copy("nats-1")} for name in NAMES}
            self.assertEqual(set(nats_health.stale_servers(views, NAMES)), found)

    def test_servers_are_not_current_without_a_leader_that_answers(self) -> None:
        for leader in ("", "nats-1"):
            views = {name: {"JetStream": copy("nats-3", ("nats-2", True)), "EVENTS": copy(leader)} for name in ("nats-2", "nats-3")}
            self.assertEqual(set(nats_health.stale_servers(views, {"nats-2", "nats-3"})), {"nats-2", "nats-3"})
        self.assertEqual(set(nats_health.stale_servers({}, {"nats-1"})), {"nats-1"})

    def test_a_server_without_a_cluster_has_nobody_to_wait_for(self) -> None:
        self.assertEqual(nats_health.stale_servers({"nats-1": {"JetStream": {}, "EVENTS": {}}}, {"nats-1"}), {})


def copy(leader: str, *replicas: tuple[str, bool]) -> dict[str, Any]:
    return {"leader": leader, "replicas": [{"name": name, "current": current} for name, current in replicas]}


class Trio:
    """The configuration of three real servers, any of which can be started."""

    def __enter__(self) -> Trio:
        self._stack = ExitStack()
        self.folder = RunFolder(Path(self._stack.enter_context(tempfile.TemporaryDirectory())))
        self.servers: dict[int, subprocess.Popen[bytes]] = {}
        nats.prepare_servers(self.folder, 3, fake_binaries(self.folder.path / "bin"))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start(self, number: int) -> None:
        command = [nats.executable(), "--config", self.folder.path / "nats" / f"{number}.conf"]
        server = self.servers[number] = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self._stack.callback(server.wait)
        self._stack.callback(server.kill)

    def ports(self, number: int) -> list[int]:
        """Return the ports of a server: that for programs, and that for the other servers."""
        text = (self.folder.path / "nats" / f"{number}.conf").read_text()
        return [int(port) for port in re.findall(r'listen: "127\.0\.0\.1:(\d+)"', text)]

    @contextmanager
    def connection(self, port: int) -> Iterator[ssl.SSLSocket]:
        """Connect to a port of a server, as another user who knows no certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", port), timeout=ENOUGH_SECONDS) as clear:
            if port == self.ports(1)[0]:
                clear.makefile("rb", buffering=0).readline()
            with context.wrap_socket(clear) as connection:
                yield connection

    def reasons(self, *numbers: int) -> dict[int, str]:
        return nats_health.unready_reasons(self.folder, numbers, numbers)

    def are_current(self, *numbers: int) -> bool:
        return not any(self.reasons(*numbers).values())

    def leader(self, number: int) -> str:
        """Return whom a server names as the leader of JetStream; "" when it names none."""
        return nats_health.reports(self.folder, [number]).get(f"nats-{number}", {}).get("JetStream", {}).get("leader", "")


class Impostor:
    """Listens on a port of a server that does not run, and keeps the first bytes of each connection."""

    def __init__(self, port: int, greeting: bytes = _GREETING) -> None:
        self.heard: list[bytes] = []
        self._port = port
        self._greeting = greeting

    def __enter__(self) -> Impostor:
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = Path(folder) / "own.pem", Path(folder) / "own.key"
            make_certificate(certificate, key)
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate, key)
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection, suppress(OSError):
                    connection.settimeout(ENOUGH_SECONDS)
                    connection.sendall(self._greeting)
                    self.heard.append(connection.recv(4096, socket.MSG_PEEK))
                    with self._context.wrap_socket(connection, server_side=True) as deceived:
                        self.heard.append(deceived.recv(4096))


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
        self.assertIn("runs without broker", self.stack("scale", "broker=1", expect=64))
        self.assertIn("set the number of nats-server with compose/stack up --nats", self.stack("scale", "nats-server=3", expect=64))
        pid = processes["nats-server/1"]["pid"]
        self.assertIn("nats-server/1 replaced", self.stack("restart", "nats-server"))
        self.assertNotEqual(self.processes()["nats-server/1"]["pid"], pid)
        self.assertEqual((self.run_folder / "bus.key").stat().st_mode & 0o777, 0o600)
        password = (self.run_folder / "nats/password").read_text()
        self.assertNotIn(password, output + self.stack("logs", "nats-server") + self.stack("ps", "--json"))
        self.stack("down")
        self.assert_nothing_left()

    def test_no_server_is_stopped_while_another_may_lack_what_it_holds(self) -> None:
        self.up("--nats=3")
        before = {name: entry["pid"] for name, entry in self.processes().items()}
        os.kill(before["nats-server/2"], signal.SIGSTOP)
        output = self.stack("restart", "nats-server/1", expect=69)
        self.assertIn("nats-server/2 is not ready after 30 s", output)
        self.assertEqual({name: entry["pid"] for name, entry in self.processes().items()}, before)
        os.kill(before["nats-server/2"], signal.SIGCONT)
        self.assertIn("Replaced 3 processes", self.stack("restart", "nats-server"))
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
        self.assertIn("runs without broker", self.up("--nats", "broker=1", expect=64))
