"""The built programs, installed below an empty prefix, where neither the clone nor Swift is to be seen."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

from LauncherTests.stack_case import StackCase, built_programs

ROOT = Path(__file__).resolve().parents[3]


class InstallationOfBuiltPrograms(StackCase):
    """`compose/test` runs it after the build."""

    def setUp(self) -> None:
        super().setUp()
        self.binaries = built_programs()
        self.prefix = self.temporary / "p r"
        self.prefix.mkdir()

    def install(self, *arguments: str, expect: int = 0) -> str:
        """Run `compose/install` for the prefix and return its output."""
        return self.output([ROOT / "compose/install", "--prefix", self.prefix, *arguments], expect)

    def hidden(self, *command: str, expect: int = 0) -> str:
        """Run an installed command where the folders of the clone and of Swift are empty."""
        empty = self.temporary / "empty"
        empty.mkdir(exist_ok=True)
        covers = [f"mount --bind {shlex.quote(str(empty))} {shlex.quote(str(folder))}" for folder in (ROOT, _swift())]
        script = " && ".join([*covers, f"cd / && exec {shlex.join(command)}"])
        unshare = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.geteuid() else [])]
        return self.output([*unshare, "bash", "-c", script], expect)

    def output(self, command: list[str | Path], expect: int) -> str:
        """Run a command with the installed ones on a PATH of the system, and return the output of both streams."""
        path = f"{self.prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin" if command[0] == "unshare" else os.environ["PATH"]
        result = subprocess.run(
            command, env=self.environment(PATH=path, BOXOFFICE_WEB_PORT="0"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, encoding="utf-8", check=False, timeout=500)
        self.assertEqual(result.returncode, expect, result.stdout)
        return result.stdout

    def test_an_installation_runs_alone_and_leaves_nothing(self) -> None:
        self.assertIn("stack up --demo", self.install("--bin", str(self.binaries)))
        self.assertEqual({path.name for path in (self.prefix / "bin").iterdir()}, {"stack", "gateway", "tap", "broker"})
        self.assertIn("Start one with stack up,", self.hidden("gateway", expect=69))
        self.assertIn("stack up --demo", self.hidden("stack", "ps", expect=69))
        self.assertIn(f"{self.prefix}/lib/boxoffice/bin", self.hidden("stack", "up", "--help"))
        settings = self.temporary / "settings.conf"
        settings.write_text("NOTHING_LIKE_THAT=1\n", encoding="utf-8")
        self.assertIn(f"{self.prefix}/lib/boxoffice/compose/boxoffice.conf",
                      self.hidden("env", f"BOXOFFICE_CONFIG={settings}", "stack", "ps", expect=78))
        self.hidden("stack", "up", "--demo", "--web")
        answer = json.loads(self.hidden("gateway", "show", "2022-01-05", "--top", "3", "--strict", "--json"))
        self.assertEqual(len(answer["films"]), 3)
        self.assertIn('"query.answered"', self.hidden("tap", "--no-follow", "--json"))
        self.assertIn("first: stack down", self.install("--uninstall", expect=69))
        self.assertIn("stack restart all", self.install("--bin", str(self.binaries)))
        self.hidden("stack", "restart", "chart-fetcher")
        self.hidden("stack", "down")
        self.assert_nothing_left()
        self.check_completions()
        self.check_pages()
        self.install("--uninstall")
        self.assertEqual(list(self.prefix.iterdir()), [])

    def check_completions(self) -> None:
        """Fail unless each shell finds completions of the commands."""
        for name in ("gateway", "tap", "stack"):
            script = self.prefix / "share/bash-completion/completions" / name
            shown = self.hidden("bash", "-c", f'source "$0" && complete -p {name}', str(script))
            self.assertIn(name, shown)
            zsh = self.prefix / "share/zsh/site-functions" / f"_{name}"
            self.assertTrue(zsh.read_text(encoding="utf-8").startswith(f"#compdef {name}\n"))
            fish = self.prefix / "share/fish/vendor_completions.d" / f"{name}.fish"
            self.assertRegex(fish.read_text(encoding="utf-8"), f"complete -c '?{name}'? ")
        line = "source $0; COMP_WORDS=(stack sc); COMP_CWORD=1; _boxoffice_stack; echo ${COMPREPLY[*]}; " \
            "COMP_WORDS=(stack scale det); COMP_CWORD=2; _boxoffice_stack; echo ${COMPREPLY[*]}"
        script = self.prefix / "share/bash-completion/completions/stack"
        self.assertEqual(self.hidden("bash", "-c", line.replace("$0", '"$0"'), str(script)), "scale\ndetail-fetcher=\n")

    def check_pages(self) -> None:
        """Fail unless each program has a man page, and the unit names the installed launcher."""
        pages = {path.stem for path in (self.prefix / "share/man/man1").iterdir()}
        self.assertLessEqual({"stack", "gateway", "tap", "broker", "web", "exporter", "cache-store"}, pages)
        unit = (self.prefix / "share/systemd/user/boxoffice.service").read_text(encoding="utf-8")
        self.assertIn(f'\nExecStart="{self.prefix}/bin/stack" up --foreground\n', unit)


def _swift() -> Path:
    """Return the folder of Swift's libraries."""
    output = subprocess.run(["swift", "-print-target-info"], stdout=subprocess.PIPE, check=True).stdout
    return Path(json.loads(output)["paths"]["runtimeResourcePath"])
