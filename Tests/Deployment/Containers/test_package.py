"""The package for Debian: installed with its dependencies in a bare Debian, run, and removed."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from LauncherTests.stack_case import built_programs

from .engine import DEBIAN, ROOT, build, podman, run

_IMAGE = f"""\
FROM {DEBIAN}
COPY boxoffice.deb /root/
RUN apt-get update && apt-get install --yes --no-install-recommends /root/boxoffice.deb
ENV LANG=C.UTF-8 BOXOFFICE_LANG=en
CMD ["sleep", "300"]
"""


class PackageOfBuiltPrograms(unittest.TestCase):
    """`compose/package`; `compose/test` runs it when its files have changed, and with --all."""

    def setUp(self) -> None:
        if not os.environ.get("BOXOFFICE_TEST_CONTAINERS"):
            raise unittest.SkipTest("BOXOFFICE_TEST_CONTAINERS is not set")
        self.folder = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.name = f"bo{os.getpid()}-package"
        self.addCleanup(podman, "rm", "--force", "--time", "1", self.name, expect=None)

    def type(self, command: str, expect: int | None = 0) -> str:
        """Type a command as root, and return its output."""
        return podman("exec", self.name, "bash", "-c", command, expect=expect, seconds=120)

    def test_a_package_is_installed_with_its_dependencies_runs_and_leaves_nothing(self) -> None:
        run(ROOT / "compose/package", "--bin", built_programs(), "--output", self.folder)
        [package] = self.folder.glob("boxoffice_*.deb")
        package.rename(self.folder / "boxoffice.deb")
        depends = run("dpkg-deb", "--field", self.folder / "boxoffice.deb", "Depends")
        for library in ("libc6 (>=", "libzmq5", "libsqlite3-0", "libnats3.4", "libsodium23", "zlib1g", "python3"):
            self.assertIn(library, depends)
        self.assertNotIn("swift", depends.lower())
        file = self.folder / "Containerfile"
        file.write_text(_IMAGE, encoding="utf-8")
        image = build("package", file, context=self.folder)
        self.addCleanup(podman, "rmi", "--force", image, expect=None)
        podman("run", "--detach", "--name", self.name, "--network", "none", image)
        self.assertEqual(self.type("cd / && command -v boxoffice; command -v stack tap gateway", expect=None), "/usr/bin/boxoffice\n")
        self.type("boxoffice stack up --demo")
        answer = json.loads(self.type("boxoffice 2022-01-05 --top 3 --strict --json"))
        self.assertEqual(len(answer["films"]), 3)
        self.assertIn('"query.answered"', self.type("boxoffice tap --no-follow --json"))
        self.type("boxoffice stack down")
        self.type("dpkg --remove boxoffice")
        left = self.type("find / -xdev -path /proc -prune -o -name '*boxoffice*' -print")
        # The package itself, what dpkg remembers, and the cache and logs of the stack.
        kept = ("/root/boxoffice.deb", "/var/lib/dpkg/", "/var/cache/", "/tmp/boxoffice-0", "/var/log/")
        self.assertEqual([line for line in left.splitlines() if not line.startswith(kept)], [])
