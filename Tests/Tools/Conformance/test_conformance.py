"""The conformance kit, against correct brokers and brokers with one flaw each."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any


KIT = Path(__file__).with_name("conformance")
PLAIN, FLAWED = (Path(__file__).with_name(name) for name in ("plain_broker.py", "flawed_broker.py"))

# The flaw, the version, and the rules that it breaks.
FLAWS: dict[str, tuple[str, set[str]]] = {
    "loses-requests": ("0.1", {"7.lost.leaves", "7.lost.expelled", "7.lost.silent", "7.lost.gone"}),
    "dies-of-one-frame": ("0.1", {"7.invalid.one_frame"}),
    "remembers-services": ("0.1", {"8.service.asked.v01", "8.service.left.v01", "8.service.silent.v01"}),
    "swaps-partial-and-final": ("0.2", {"18.client.reply", "18.client.partials"}),
    "passes-on-any-reply": ("0.2", {"18.client.one_reply", "18.client.after_final", "18.worker.unasked"}),
    "never-expires": ("0.2", {"18.heartbeat.silent", "18.lost.silent", "18.lost.gone", "8.service.silent.v02"}),
    "never-beats": ("0.1", {"7.heartbeat.broker"}),
    "hears-only-heartbeats": ("0.1", {"7.heartbeat.traffic"}),
    "hands-out-two": ("0.1", {"7.worker.one_at_a_time", "7.worker.several", "7.client.own_reply"}),
    "waits-for-nobody": ("0.2", {"18.client.queued"}),
    "forgives-a-second-ready": (
        "0.2",
        {"18.worker.ready_twice", "18.worker.two_services", "18.worker.comes_back", "18.heartbeat.expelled",
         "18.lost.expelled"},
    ),
    "opens-its-namespace": ("0.1", {"8.namespace.worker.v01"}),
    "drops-empty-frames": ("0.1", {"7.body.empty", "7.body.empty_frames", "7.body.like_a_command"}),
}
# A flaw that may break any further rule: a worker's message may be read before the client's, or after it.
BREAKS_MORE = {"waits-for-nobody"}
HEARTBEAT_SECONDS = "0.8"
LIMITS = ["--heartbeat", "0.3", "--timeout", "3", "--longest", "9"]
# Each run mostly waits; more parallel runs would delay each other on a small machine.
AT_A_TIME = 7


@contextmanager
def broker(script: Path, *options: str) -> Iterator[str]:
    """Run a broker on a socket of its own and return its endpoint."""
    folder = tempfile.mkdtemp(prefix="mdp", dir="/tmp")  # short: ipc paths are bounded
    command = [str(script), "--heartbeat", HEARTBEAT_SECONDS, *options, f"ipc://{folder}/broker.ipc"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().removeprefix("ready ").strip()
    finally:
        process.kill()
        process.communicate()
        shutil.rmtree(folder, ignore_errors=True)


def kit(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the kit to its end."""
    return subprocess.run([str(KIT), *arguments], capture_output=True, text=True, check=False, timeout=120)


class Report:
    """The kit's report on one broker."""

    def __init__(self, script: Path, version: str, *options: str, both_versions: bool = False) -> None:
        rfcs = [] if both_versions else ["--rfc", "7" if version == "0.1" else "18", "--rfc", "8"]
        with broker(script, "--version", version, *options) as endpoint:
            result = kit(endpoint, "--json", *LIMITS, *rfcs)
        self.code = result.returncode
        self.errors = result.stderr
        self.document: dict[str, Any] = json.loads(result.stdout) if result.stdout else {"rules": []}

    def names(self, status: str, chapter: str | None = None) -> set[str]:
        """Return the rules of that status."""
        return {
            rule["name"] for rule in self.document["rules"]
            if rule["status"] == status and chapter in (None, rule["chapter"])
        }

    def failures(self) -> str:
        """Return what the failed rules expected and what came."""
        return "\n".join(f"{rule['name']}: expected {rule['expected']}, came {rule['came']}"
                         for rule in self.document["rules"] if rule["status"] == "fails")


class PlainBrokers(unittest.TestCase):
    """A broker that follows one RFC passes its rules, and the other RFC does not count."""

    def test_all_rules_of_the_spoken_version_are_kept(self) -> None:
        with ThreadPoolExecutor(2) as pool:
            reports = pool.map(lambda version: Report(PLAIN, version, both_versions=True), ("0.1", "0.2"))
        for report, spoken, other in zip(reports, ("7", "18"), ("18", "7")):
            with self.subTest(spoken):
                self.assertEqual(report.names("fails"), set(), report.failures())
                self.assertEqual(report.code, 0, report.errors)
                self.assertGreater(len(report.names("ok", spoken)), 70)
                self.assertEqual(len(report.names("ok", "8")), 10)
                self.assertEqual(report.names("not spoken", spoken), set())
                for chapter in (other, "mixed"):
                    self.assertEqual(report.names("ok", chapter), set())
                    self.assertGreater(len(report.names("not spoken", chapter)), 0)
                self.assertEqual(report.names("not spoken", "ours"), set(), "extensions are not asked for")


class FlawedBrokers(unittest.TestCase):
    """Each flaw breaks exactly the rules that it must."""

    def test_each_flaw_is_found(self) -> None:
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            reports = pool.map(
                lambda item: Report(FLAWED, item[1][0], "--flaw", item[0]), FLAWS.items())
        for (flaw, (_, broken)), report in zip(FLAWS.items(), reports):
            with self.subTest(flaw):
                fails = report.names("fails")
                self.assertEqual(fails & broken if flaw in BREAKS_MORE else fails, broken, report.failures())
                self.assertEqual(report.code, 1, report.errors)
                self.assertEqual(bool(report.names("not run")), flaw == "dies-of-one-frame")


class CommandLine(unittest.TestCase):
    """What is printed, and the exit codes."""

    def test_a_broken_rule_is_printed_with_the_expected_and_the_received_frames(self) -> None:
        with broker(FLAWED, "--version", "0.1", "--flaw", "drops-empty-frames") as endpoint:
            result = kit(endpoint, "--rfc", "7", *LIMITS)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stdout,
            r"\n  fails +7\.body\.empty +MUST +a body is opaque .* \[MDP/Client\]\n +expected: \[\"\"\]\n +came: +\[\]\n")
        self.assertRegex(result.stdout, r"\n  ok +7\.client\.reply ")
        self.assertRegex(result.stdout, r"RFC 7, Majordomo 0\.1: \d+ ok, 3 fails\n$")

    def test_without_a_broker_it_ends_with_69(self) -> None:
        folder = tempfile.mkdtemp(prefix="mdp", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder)
        result = kit(f"ipc://{folder}/nobody.ipc", "--timeout", "0.2")
        self.assertEqual(result.returncode, 69)
        self.assertIn("nobody.ipc has handed a request to its worker", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_a_wrong_command_line_ends_with_64(self) -> None:
        for arguments in ([], ["nonsense"], ["ipc:///x", "--rfc", "9"], ["ipc:///x", "--timeout", "-1"], ["a", "b"]):
            with self.subTest(arguments):
                result = kit(*arguments)
                self.assertEqual(result.returncode, 64)
                self.assertTrue(result.stderr.startswith("Tests/Tools/Conformance/conformance: "), result.stderr)
                self.assertEqual(result.stdout, "")
