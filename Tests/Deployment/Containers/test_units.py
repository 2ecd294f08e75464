"""The systemd units under systemd as the first process of a container, and the page of operators typed there."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from launcher.waiting import wait_until
from LauncherTests.stack_case import built_programs

from .engine import DEBIAN, ROOT, build, podman, run, tool

_IMAGE = f"""\
FROM {DEBIAN}
RUN apt-get update && apt-get install --yes --no-install-recommends \\
    systemd systemd-sysv dbus curl ca-certificates libnats3.4 libsodium23 libsqlite3-0 libzmq5 python3 sqlite3 zlib1g
COPY usr/local /usr/local
CMD ["/lib/systemd/systemd"]
"""
_INSTALL = "compose/install --prefix /usr/local"
_KEY = "demo0demo0demo0demo0demo0demo000"


class UnitsOfBuiltPrograms(unittest.TestCase):
    """Units in a container; `compose/test` runs it when their files have changed, and with --all."""

    image: str
    staging: Path
    aliases = ""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        if not os.environ.get("BOXOFFICE_TEST_CONTAINERS"):
            raise unittest.SkipTest("BOXOFFICE_TEST_CONTAINERS is not set")
        staging = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))
        cls.addClassCleanup(shutil.rmtree, staging)
        cls.staging = staging
        cls.install(_INSTALL)
        file = staging / "Containerfile"
        file.write_text(_IMAGE, encoding="utf-8")
        cls.image = build("systemd", file, context=staging)

    @classmethod
    def install(cls, command: str) -> None:
        """Type a command of the clone, for the files of the image and with the programs that are built."""
        built = [] if "--uninstall" in command else ["--bin", built_programs()]
        run(ROOT / "compose/install", *command.split()[1:], "--root", cls.staging, *built)

    def setUp(self) -> None:
        self.name = f"bo{os.getpid()}-systemd"
        self.addCleanup(podman, "rm", "--force", "--time", "5", self.name, expect=None)
        podman("run", "--detach", "--name", self.name, "--systemd=always", "--tmpfs", "/tmp", self.image)
        self.assertTrue(wait_until(lambda: self.type("systemctl is-system-running", expect=None) == "running\n", 30))
        self.type(f"for name in kobis kakao kobis-new; do echo {_KEY} > /root/$name.key; done")

    def type(self, command: str, expect: int | None = 0) -> str:
        """Type a command as root, and return its output."""
        shell = f"shopt -s expand_aliases\n{self.aliases}\nset -e\n{command}"
        return podman("exec", "--env", "LANG=C.UTF-8", self.name, "bash", "-c", shell, expect=expect, seconds=120)

    def test_each_command_of_the_page_does_what_it_says(self) -> None:
        page = (ROOT / "compose/units/Operations.md").read_text(encoding="utf-8")
        blocks = [(kind, block.strip()) for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)]
        self.assertIn(("clone", _INSTALL), blocks)
        typed = "\n".join(block for kind, block in blocks if not kind)
        self.aliases = "\n".join(re.findall(r"^alias .*$", typed, re.MULTILINE))
        for kind, block in blocks:
            if kind not in ("", "clone"):
                continue  # an example of a file
            if kind == "clone":
                # What is typed before the image is made need not be typed again to upgrade.
                if block != _INSTALL:
                    self.install(block)
                continue
            with self.subTest(block.splitlines()[0]):
                output = self.type(block)
                # What systemd prints about a unit that cannot be enabled.
                self.assertNotIn("no installation config", output)
            if block.endswith("enable --now boxoffice.target"):
                self.check_verified()
                # Each command has waited until its instances were registered.
                self.assertEqual(self.type("boxoffice ping").count(" ms"), 9)
                self.await_answer("2022-01-05")
            elif "sqlite3" in block and "backup" in block:
                self.type("boxoffice poster pin '#1' 1 --date 2022-01-05")
            elif "rm -f /var/lib/boxoffice/cache.sqlite" in block:
                self.assertEqual(self.type("ls /var/lib/boxoffice | grep -c '^cache.sqlite$'"), "1\n")
            elif "start boxoffice-cache-store" in block:
                # The state before the pin.
                self.assertEqual(self.type("sqlite3 /var/lib/boxoffice/state.sqlite 'select count(*) from pin'"), "0\n")
            elif "start boxoffice-archive" in block:
                self.assertEqual(self.type("sqlite3 /var/lib/boxoffice/archive.sqlite 'select count(*) > 0 from chart'"), "1\n")
            elif "--since -1h" in block:
                self.check_broker_is_back()
        self.assertEqual(self.type("systemctl list-units 'boxoffice-*' --state=running --no-legend"), "")
        self.assertEqual(list((self.staging / "usr/local").iterdir()), [])

    def await_answer(self, day: str) -> None:
        """Wait until an answer is complete."""
        asked = f"boxoffice show {day} --top 3 --strict --json"
        self.assertTrue(wait_until(lambda: self.type(asked, expect=None).startswith("{"), 30), self.type(asked, expect=None))

    def check_verified(self) -> None:
        """Fail if systemd finds anything to say about the units."""
        self.assertEqual(self.type("systemd-analyze verify /usr/local/lib/systemd/system/boxoffice*.{service,target} 2>&1"), "")

    def check_broker_is_back(self) -> None:
        """Kill the broker as the kernel does, and ask again."""
        before = self.type("systemctl show --property MainPID --value boxoffice-broker")
        self.type("systemctl kill --signal KILL boxoffice-broker")
        self.assertTrue(wait_until(lambda: self.type("boxoffice ping", expect=None).count(" ms") >= 9, 30))
        self.assertNotEqual(self.type("systemctl show --property MainPID --value boxoffice-broker"), before)
        self.await_answer("2022-01-08")

    def test_the_unit_of_a_user_is_ready_with_its_stack_and_stops_all_of_it(self) -> None:
        unit = "/usr/local/share/systemd/user/boxoffice.service"
        self.assertEqual(self.type(f"XDG_RUNTIME_DIR=/run systemd-analyze verify --user {unit} 2>&1"), "")
        # Under the manager of the system, since a container has no session of a user; with demo data.
        self.type(f"""
            mkdir -p /etc/systemd/system/boxoffice.service.d
            cp {unit} /etc/systemd/system/
            printf '[Service]\nEnvironment=BOXOFFICE_RUN=/run/bo\nExecStart=\nExecStart=/usr/local/bin/boxoffice stack up --foreground --demo\n' \
                > /etc/systemd/system/boxoffice.service.d/demo.conf
            systemctl daemon-reload
            systemctl start boxoffice""")
        self.assertIn(" ms", self.type("BOXOFFICE_RUN=/run/bo boxoffice ping"))
        self.type("systemctl stop boxoffice")
        self.assertEqual(self.type("systemctl show --property Result --value boxoffice"), "success\n")
        self.assertEqual(self.type("grep -ls lib/boxoffice/bi[n] /proc/[0-9]*/cmdline", expect=None), "")

    def test_a_missing_key_stops_its_services_only(self) -> None:
        self.type("systemd-sysusers; systemd-tmpfiles --create; systemctl daemon-reload")
        self.type("systemctl start boxoffice.target", expect=None)
        self.assertEqual(self.type("systemctl is-active boxoffice-broker boxoffice-cache-store"), "active\nactive\n")
        self.assertTrue(wait_until(lambda: "/etc/boxoffice/kobis.key" in self.type(
            "systemctl status --no-pager boxoffice-chart-fetcher@1", expect=None), 20))


class ManifestsOfKubernetes(unittest.TestCase):
    """The manifests, validated only: there is no cluster here."""

    def setUp(self) -> None:
        if not os.environ.get("BOXOFFICE_TEST_CONTAINERS"):
            self.skipTest("BOXOFFICE_TEST_CONTAINERS is not set")

    def test_they_follow_the_schemas(self) -> None:
        manifests = ROOT / "compose/kubernetes/boxoffice.yaml"
        documents = manifests.read_text(encoding="utf-8").count("\nkind: ")
        self.assertEqual(run(tool("kubernetes-validate"), "--strict", manifests).count(" passed for resource "), documents)
