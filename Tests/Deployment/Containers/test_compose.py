"""The image of `compose/Containerfile`, and stacks of `compose/compose.yaml`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import unittest
import urllib.request
from pathlib import Path
from typing import Any

from launcher.nats import free_ports
from launcher.services import SERVICES
from launcher.waiting import wait_until
from LauncherTests.stack_case import built_programs
from nats_server import folder_of_new_servers

from .engine import ROOT, build, podman, run, tool

COMPOSE = ROOT / "compose"


class ContainersOfBuiltPrograms(unittest.TestCase):
    """Stacks in containers; `compose/test` runs it when their files have changed, and with --all."""

    staging: Path
    image: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        if not os.environ.get("BOXOFFICE_TEST_CONTAINERS"):
            raise unittest.SkipTest("BOXOFFICE_TEST_CONTAINERS is not set")
        cls.staging = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.staging)
        run(COMPOSE / "install", "--root", cls.staging, "--prefix", "/opt/boxoffice", "--strip", "--bin", built_programs())
        # The programs that are built already, in place of the stage that builds them.
        cls.image = build("boxoffice", COMPOSE / "Containerfile", "--build-context", f"build={cls.staging}")

    def setUp(self) -> None:
        self.project = f"bo{os.getpid()}"
        self.files = [COMPOSE / "compose.yaml", COMPOSE / "compose.demo.yaml"]
        ports = free_ports(2)
        self.variables = {"BOXOFFICE_WEB_PORT": str(ports[0]), "BOXOFFICE_EXPORTER_PORT": str(ports[1]), "BOXOFFICE_DETAIL_FETCHERS": "2"}
        self.addCleanup(self.compose, "--profile", "nats", "down", "--volumes", expect=None)

    def compose(self, *arguments: str, expect: int | None = 0) -> str:
        """Run podman-compose for the project of this test."""
        files = [word for file in self.files for word in ("-f", str(file))]
        return run(tool("podman-compose"), "-p", self.project, *files, *arguments, expect=expect, **self.variables)

    def up(self, *options: str) -> None:
        """Start what does not run yet."""
        self.compose(*options, "up", "-d", "--no-build")

    def containers(self, service: str = "") -> list[dict[str, Any]]:
        """Return the containers of the project, or those of a service."""
        found = json.loads(podman("ps", "--all", "--format", "json", "--filter", f"name={self.project}_{service}"))
        return list(found)

    def gateway(self, *arguments: str, expect: int | None = 0) -> str:
        """Run `boxoffice` in the broker's container."""
        return podman("exec", "--env", "BOXOFFICE_LANG=en", f"{self.project}_broker_1", "boxoffice", *arguments, expect=expect)

    def await_workers(self, service: str, count: int) -> set[str]:
        """Wait until a service has so many workers, and return their names."""
        names: set[str] = set()

        def is_there() -> bool:
            nonlocal names
            output = self.gateway("workers", "--json", expect=None)
            if output.startswith("{"):
                names = {worker["instance"] for worker in json.loads(output)["workers"] if worker["service"] == service}
            return len(names) == count

        self.assertTrue(wait_until(is_there, 30), f"{names}\n{self.report(service)}")
        return names

    def report(self, service: str) -> str:
        """Return the state of the containers of a service, and what they last wrote."""
        lines = []
        for container in self.containers(service):
            name = container["Names"][0]
            lines += [f"{name}: {container['Status']}", podman("logs", "--tail", "40", name, expect=None)]
        return "\n".join(lines)

    def metrics(self) -> str:
        """Scrape the exporter."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.variables['BOXOFFICE_EXPORTER_PORT']}/metrics", timeout=20) as answer:
            return str(answer.read(), "utf-8")

    def assert_whole_answer(self, day: str) -> None:
        """Fail unless an answer is complete."""
        answer = json.loads(self.gateway("show", day, "--top", "3", "--strict", "--json"))
        self.assertEqual(len(answer["films"]), 3)

    def is_whole(self, day: str) -> bool:
        """Ask, and return whether the answer is complete."""
        output = self.gateway("show", day, "--top", "3", "--json", expect=None)
        answer = json.loads(output.splitlines()[0]) if output.startswith("{") else {}
        return bool(answer.get("complete")) and len(answer["films"]) == 3

    def past_events(self) -> list[tuple[int, str]]:
        """Return the sequence and the time of each retained event; none while the stream cannot be read."""
        lines = podman("exec", f"{self.project}_broker_1", "tap", "--last", "10000", "--no-follow", "--json", expect=None,
                       seconds=120)
        events = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
        return [(event["sequence"], event["time"]) for event in events if "sequence" in event]

    def test_the_image_has_what_runs_and_nothing_that_builds(self) -> None:
        shown = podman("run", "--rm", "--network", "none", "--read-only", self.image, "sh", "-c",
                       "id -u; for name in swiftc clang gcc cc make git python3; do command -v $name; done; gateway --version")
        self.assertRegex(shown, r"^10001\n\d+\.\d+\.\d+\n$")
        container = podman("create", self.image).strip().splitlines()[-1]
        self.addCleanup(podman, "rm", container)
        programs = self.staging / "programs"
        podman("cp", f"{container}:/opt/boxoffice/lib/boxoffice/bin", programs)
        stripped = [path.name for path in programs.iterdir() if ".symtab" not in run("readelf", "--sections", "--wide", path)]
        self.assertLessEqual({service.name for service in SERVICES} | {"gateway", "tap"}, set(stripped))
        check = json.loads(podman("inspect", self.image))[0]["Healthcheck"]
        self.assertEqual(check["Test"], ["CMD", "gateway", "ping", "broker"])
        hints = podman("run", "--rm", "--network", "none", self.image, "boxoffice", "ping", expect=None)
        self.assertEqual([hints.count(f"podman-compose {words}up -d") for words in
                          ("", "-f compose.yaml -f compose.demo.yaml ")], [1, 1])

    def test_a_stack_answers_scales_survives_a_kill_and_ends(self) -> None:
        self.up()
        self.await_workers("detail-fetcher", 2)
        self.await_workers("poster-resolver", 2)
        self.assert_whole_answer("2022-01-05")
        podman("healthcheck", "run", f"{self.project}_detail-fetcher_1")
        page = urllib.request.urlopen(f"http://127.0.0.1:{self.variables['BOXOFFICE_WEB_PORT']}/2022-01-05", timeout=20)
        self.assertEqual(page.status, 200)
        self.assertIn('\nboxoffice_up{part="bus"} 1\n', self.metrics())
        self.variables["BOXOFFICE_DETAIL_FETCHERS"] = "4"
        self.up()
        names = self.await_workers("detail-fetcher", 4)
        # Ten films: replicas of one name would expel one another, and be fewer.
        self.gateway("show", "2022-01-06", "--strict")
        self.assertEqual(self.await_workers("detail-fetcher", 4), names)
        self.check_kill()
        self.compose("stop")
        # A container that does not end within 10 s of SIGTERM is killed.
        self.assertEqual([each["Names"] for each in self.containers() if each["ExitCode"] == 128 + signal.SIGKILL], [])
        self.compose("down", "--volumes")
        self.assertEqual(self.containers(), [])
        self.assertEqual(podman("volume", "ls", "--quiet", "--filter", f"name={self.project}"), "")

    def check_kill(self) -> None:
        """Kill a replica and the broker as the kernel does, and ask again."""
        for service in ("detail-fetcher", "broker"):
            victim = f"{self.project}_{service}_1"
            pid = podman("inspect", "--format", "{{.State.Pid}}", victim).strip()
            os.kill(int(pid), signal.SIGKILL)
            running = ["inspect", "--format", "{{.State.Running}} {{.State.Pid}}", victim]
            self.assertTrue(wait_until(lambda: (podman(*running).split() + [pid])[:2] not in (["true", pid], ["false", "0"]), 20))
            self.await_workers("detail-fetcher", 4)
            self.await_workers("chart-fetcher", 1)
            self.await_workers("cache-store", 1)
        self.assert_whole_answer("2022-01-07")

    def test_a_stack_on_three_servers_of_nats_answers(self) -> None:
        server = Path(shutil.copy(folder_of_new_servers() / "nats-server", self.staging / "nats-server"))
        file = self.staging / "NATS"
        file.write_text("FROM docker.io/library/debian:bookworm-slim\nCOPY nats-server /nats-server\n"
                        'ENTRYPOINT ["/nats-server"]\n', encoding="utf-8")
        self.variables["NATS_IMAGE"] = build("nats", file, context=server.parent)
        self.variables["BOXOFFICE_BROKER"] = "nats://nats-1:4222,nats-2:4223,nats-3:4224"
        self.up("--profile", "nats")
        self.await_workers("detail-fetcher", 2)
        self.await_workers("poster-resolver", 2)
        # Servers that elect their first leader give an exclusive name late; an answer without cache-store is complete, too.
        self.await_workers("cache-store", 1)
        self.assert_whole_answer("2022-01-05")

        def is_counted() -> bool:
            # Events arrive behind the answers, and the exporter counts those since it began to read.
            self.gateway("show", "2022-01-05", "--top", "3", "--refresh")
            metrics = self.metrics()
            return ('\nboxoffice_request_duration_seconds_count{service="detail-fetcher",kind="movie.detail",status="ok"} ' in metrics
                    and '\nboxoffice_up{part="cache"} 1\n' in metrics)

        self.assertTrue(wait_until(is_counted, 30), f"{self.metrics()}\n{self.report('')}")
        event = self.past_events()[-1]
        for number in (1, 2, 3):
            os.kill(int(podman("inspect", "--format", "{{.State.Pid}}", f"{self.project}_nats-{number}_1")), signal.SIGKILL)
        # The resolver of the containers may answer none of them for half a minute: they ask for the name of a server that is gone.
        self.assertTrue(wait_until(lambda: self.is_whole("2022-01-06"), 60), self.report("chart-fetcher"))
        self.assertTrue(wait_until(lambda: event in self.past_events(), 120), self.report("nats"))
        self.compose("--profile", "nats", "down", "--volumes")
        self.assertEqual(self.containers(), [])
        self.assertEqual(podman("volume", "ls", "--quiet", "--filter", f"name={self.project}"), "")

    def test_a_missing_secret_and_a_volume_of_another_user_are_named(self) -> None:
        self.files.pop(1)
        self.variables["KOBIS_API_KEY_FILE"] = str(self.staging / "nowhere")
        self.assertIn(str(self.staging / "nowhere"), self.compose("up", "-d", "--no-build", expect=None))
        self.assertEqual(self.containers("chart-fetcher"), [])
        foreign = self.staging / "foreign"
        foreign.mkdir(exist_ok=True)
        output = podman("run", "--rm", "--network", "none", "--volume", f"{foreign}:/run/boxoffice", self.image, "broker", expect=78)
        self.assertIn("/run/boxoffice", output)
