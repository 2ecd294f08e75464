"""The built exporter in a whole stack, read by a real Prometheus and by OpenTelemetry's own messages."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import unittest
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from launcher.nats import free_ports
from LauncherTests.stack_case import StackCase, built_programs
from virtual_environment import install

HERE = Path(__file__).resolve().parent
METRICS = HERE.parents[2] / "compose/metrics"


class AlertRules(unittest.TestCase):
    """The rules without a stack."""

    def test_each_alert_is_set_off_by_what_it_is_about(self) -> None:
        run("promtool", "check", "rules", METRICS / "alerts.yml")
        run("promtool", "check", "config", METRICS / "prometheus.yml")
        run("promtool", "test", "rules", HERE / "alerts.test.yml")

    def test_each_alert_is_explained_in_the_page_of_operators(self) -> None:
        rules = (METRICS / "alerts.yml").read_text(encoding="utf-8")
        page = (HERE.parents[2] / "compose/units/Operations.md").read_text(encoding="utf-8")
        names = {line.rpartition(" ")[2] for line in rules.splitlines() if "- alert:" in line}
        explained = {line.removeprefix("### ") for line in page.splitlines() if line.startswith("### BoxOffice")}
        self.assertEqual(names, explained)


class ExporterOfBuiltPrograms(StackCase):
    """`compose/test` runs it after the build."""

    def setUp(self) -> None:
        super().setUp()
        self.binaries = built_programs()

    def start(self, **variables: str) -> str:
        """Start a stack with an exporter, in which nothing is fetched that no test asks for; return the address of its metrics."""
        self.up("exporter=1", BOXOFFICE_EXPORTER_PORT="0", BOXOFFICE_ARCHIVE_LOOKS="0", **variables)
        return (self.run_folder / "exporter.url").read_text(encoding="ascii").strip() + "/metrics"

    def ask(self, day: str) -> str:
        """Ask for a day and return the id of the query."""
        output = run(self.binaries / "gateway", "show", day, "--top", "3", "--strict", "--json", environment=self.environment())
        self.assertEqual(len(json.loads(output)["films"]), 3)
        trace = run(self.binaries / "gateway", "trace", "--json", environment=self.environment())
        return str(json.loads(trace)["query"])

    def begin(self, command: list[str | Path]) -> subprocess.Popen[str]:
        """Start a program that ends with the test."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)  # type: ignore[union-attr]
        self.addCleanup(process.wait, 20)
        self.addCleanup(process.kill)
        return process

    def test_prometheus_reads_the_metrics(self) -> None:
        address = self.start()
        self.ask("2022-01-05")
        checked = run("promtool", "check", "metrics", text=fetch(address))
        self.assertEqual(checked, "")
        for expected in ('boxoffice_up{part="bus"} 1', 'boxoffice_up{part="quota"} 1', 'boxoffice_workers{service="detail-fetcher"} 2',
                         'boxoffice_cache_disk_available 1', 'boxoffice_archive_database_set_aside 0', "boxoffice_yesterday_chart_cached 0",
                         'boxoffice_query_duration_seconds_count{command="show",status="ok"} 1'):
            self.assertIn(f"\n{expected}\n", fetch(address))
        self.assertIn('boxoffice_upstream_breaker_state{service="chart-fetcher"', fetch(address))
        prometheus = self.prometheus(urllib.parse.urlsplit(address).netloc)
        self.wait(lambda: query(prometheus, 'boxoffice_up{part="bus"}') == ["1"])
        for panel in json.loads((METRICS / "dashboard.json").read_text(encoding="utf-8"))["panels"]:
            for target in panel["targets"]:
                query(prometheus, target["expr"].replace("$__rate_interval", "1m"))
        names = {name for name in json.loads(fetch(f"{prometheus}/api/v1/label/__name__/values"))["data"]}
        self.assertLessEqual(named_metrics() - MAY_BE_ABSENT, names)
        # The loss of the broker is a value, not a failed scrape.
        self.stack("down")
        self.assert_nothing_left()

    def prometheus(self, target: str) -> str:
        """Start a Prometheus that reads a target each second, and return its address."""
        configuration = self.temporary / "prometheus.yml"
        configuration.write_text(json.dumps({
            "global": {"scrape_interval": "1s"}, "rule_files": [str(METRICS / "alerts.yml")],
            "scrape_configs": [{"job_name": "boxoffice", "static_configs": [{"targets": [target]}]}]}), encoding="utf-8")
        (port,) = free_ports(1)
        self.begin(["prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={self.temporary}/tsdb",
                    f"--web.listen-address=127.0.0.1:{port}"])
        address = f"http://127.0.0.1:{port}"
        self.wait(lambda: answers(f"{address}/-/ready"))
        return address

    def test_a_scrape_answers_while_the_broker_is_suspended(self) -> None:
        address = self.start()
        broker = self.processes()["broker/1"]["pid"]
        os.kill(broker, signal.SIGSTOP)
        self.addCleanup(os.kill, broker, signal.SIGCONT)
        text = fetch(address)
        self.assertIn('\nboxoffice_up{part="bus"} 0\n', text)
        self.assertIn("\nboxoffice_exporter_events_total ", text)
        os.kill(broker, signal.SIGCONT)
        self.wait(lambda: '\nboxoffice_up{part="bus"} 1\n' in fetch(address))

    def test_a_taken_port_ends_a_server_with_its_setting(self) -> None:
        self.up()
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            port = str(listener.getsockname()[1])
            for program in ("web", "exporter"):
                variable = f"BOXOFFICE_{program.upper()}_PORT"
                result = subprocess.run(
                    [self.binaries / program], env=self.environment(**{variable: port}), stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", check=False, timeout=30)
                self.assertEqual(result.returncode, 69, result.stdout)
                self.assertIn(f"127.0.0.1:{port}", result.stdout)
                self.assertIn(variable, result.stdout)

    def test_traces_reach_a_receiver_that_was_away(self) -> None:
        file = self.temporary / "spans"
        python = install("otlp-venv", HERE / "requirements.txt")
        (port,) = free_ports(1)
        self.start(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{port}")
        first = self.ask("2022-01-05")
        self.begin([python, HERE / "receiver.py", str(port), file])
        self.wait(lambda: {"show"} <= {span["name"] for span in spans(file, first)})
        second = self.ask("2022-01-06")
        names = {"show", "cache.peek", "chart.daily", "movie.detail", "poster.find"}
        for asked in (first, second):
            self.wait(lambda: names <= {span["name"] for span in spans(file, asked)})
            self.check_trace(spans(file, asked), asked)
        # A broker that is lost takes its events with it, and the trace after it arrives.
        os.kill(self.processes()["broker/1"]["pid"], signal.SIGKILL)
        third = self.ask("2022-01-07")
        self.wait(lambda: "show" in {span["name"] for span in spans(file, third)})

    def check_trace(self, found: list[dict[str, Any]], asked: str) -> None:
        """Fail unless the spans of a query are one tree with the ids of its messages."""
        self.assertEqual(len({span["span"] for span in found}), len(found))
        roots = [span for span in found if not span["parent"]]
        self.assertEqual([span["span"] for span in roots], [asked])
        ids = {span["span"] for span in found}
        for span in found:
            self.assertEqual(span["trace"], asked * 2)
            self.assertLessEqual(span["start"], span["end"])
            self.assertEqual(span["resource"]["service.namespace"], "boxoffice")
            self.assertTrue(span["resource"]["service.instance.id"].startswith(span["resource"]["service.name"]))
            if span["parent"]:
                self.assertIn(span["parent"], ids)


MAY_BE_ABSENT = {
    # Without a failure, a dropped message or a receiver of traces there is no series.
    "boxoffice_errors_total", "boxoffice_broker_refusals_total", "boxoffice_broker_dropped_total",
    "boxoffice_exporter_spans_total", "boxoffice_yesterday_chart_provisional", "boxoffice_instance_missing",
}


def named_metrics() -> set[str]:
    """Return the names of metrics in the dashboard and in the alerts."""
    text = "".join((METRICS / name).read_text(encoding="utf-8") for name in ("dashboard.json", "alerts.yml"))
    words = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split()
    return {word for word in words if word.startswith("boxoffice_")}


def run(*command: str | Path, text: str = "", environment: dict[str, str] | None = None) -> str:
    """Run a command that must succeed, and return its output."""
    result = subprocess.run(command, input=text, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, encoding="utf-8", check=False, timeout=60)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]}: {result.returncode}\n{result.stdout}")
    return result.stdout


def fetch(address: str) -> str:
    """Return what an address answers."""
    with urllib.request.urlopen(address, timeout=20) as response:
        return str(response.read().decode("utf-8"))


def answers(address: str) -> bool:
    """Return whether an address answers."""
    try:
        return bool(fetch(address))
    except OSError:
        return False


def query(prometheus: str, expression: str) -> list[str]:
    """Return the values of an expression; an invalid one raises."""
    document = json.loads(fetch(f"{prometheus}/api/v1/query?{urllib.parse.urlencode({'query': expression})}"))
    return [series["value"][1] for series in document["data"]["result"]]


def spans(file: Path, asked: str) -> list[dict[str, Any]]:
    """Return the received spans of a query."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    found = [json.loads(line) for line in lines if line.endswith("\n")]
    return [span for span in found if span["trace"] == asked * 2]
