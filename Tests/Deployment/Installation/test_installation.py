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
        self.assertIn("boxoffice stack up --demo", self.install("--bin", str(self.binaries)))
        self.assertEqual([path.name for path in (self.prefix / "bin").iterdir()], ["boxoffice"])
        self.assertIn("Start one: boxoffice stack up.", self.hidden("boxoffice", expect=69))
        self.assertIn("boxoffice stack up --demo", self.hidden("boxoffice", "stack", "ps", expect=69))
        self.assertIn(f"{self.prefix}/lib/boxoffice/bin", " ".join(self.hidden("boxoffice", "stack", "up", "--help").split()))
        settings = self.temporary / "settings.conf"
        settings.write_text("NOTHING_LIKE_THAT=1\n", encoding="utf-8")
        self.assertIn(f"{self.prefix}/lib/boxoffice/compose/boxoffice.conf",
                      self.hidden("env", f"BOXOFFICE_CONFIG={settings}", "boxoffice", "stack", "ps", expect=78))
        self.check_help()
        self.hidden("boxoffice", "stack", "up", "--demo", "--web")
        answer = json.loads(self.hidden("boxoffice", "2022-01-05", "--top", "3", "--strict", "--json"))
        self.assertEqual(len(answer["films"]), 3)
        self.assertIn('"query.answered"', self.hidden("boxoffice", "tap", "--no-follow", "--json"))
        self.assertIn("first: boxoffice stack down", self.install("--uninstall", expect=69))
        self.assertIn("boxoffice stack restart all", self.install("--bin", str(self.binaries)))
        self.hidden("boxoffice", "stack", "restart", "chart-fetcher")
        self.hidden("boxoffice", "stack", "down")
        self.assert_nothing_left()
        self.check_completions()
        self.check_pages()
        self.install("--uninstall")
        self.assertEqual(list(self.prefix.iterdir()), [])

    def check_help(self) -> None:
        """Fail unless help and errors name what a user of the installation can type."""
        texts = [self.hidden("boxoffice", *words) for words in (["--help"], ["help", "run"], ["tap", "--help"], ["help", "tap"], ["stack", "--help"])]
        errors = [self.hidden("boxoffice", *words, expect=64) for words in (["shwo"], ["tap", "--las", "1"], ["stack", "upp"])]
        for text in [*texts, *errors]:
            self.assertIn("boxoffice", text)
            self.assertNotRegex(text, r"(?m)\bgateway [a-z]|compose/(stack|install)|^(tap|stack): |^ +tap --", text)
            if text in texts:
                self.assertLessEqual(max(len(line) for line in text.splitlines() if "/lib/boxoffice/" not in line), 80, text)
        self.assertEqual(texts[2], texts[3])
        self.assertIn("\n  tap  ", texts[0])

    def check_completions(self) -> None:
        """Fail unless bash completes the words of each program, and the other shells find theirs."""
        folder = self.prefix / "share/bash-completion/completions"
        self.assertEqual([path.name for path in folder.iterdir()], ["boxoffice"])
        for line, word in (
            ("boxoffice sta", "stack"), ("boxoffice sh", "show"), ("boxoffice stack sc", "scale"),
            ("boxoffice stack scale det", "detail-fetcher="), ("boxoffice tap --kin", "--kind"), ("boxoffice chart --week", "--weekly"),
        ):
            words = line.split()
            script = (f"source {shlex.quote(str(folder / 'boxoffice'))}; complete -p boxoffice; COMP_WORDS=({line}); COMP_LINE='{line}'; "
                      f"COMP_POINT=${{#COMP_LINE}}; COMP_CWORD={len(words) - 1}; _boxoffice_command {words[0]} {words[-1]} {words[-2]}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
            self.assertIn(word, self.hidden("bash", "-c", script).split(), line)
        zsh = (self.prefix / "share/zsh/site-functions/_boxoffice").read_text(encoding="utf-8")
        self.assertTrue(zsh.startswith("#compdef boxoffice\n"))
        self.assertIn("compdef _boxoffice_command boxoffice", zsh)
        fish = (self.prefix / "share/fish/vendor_completions.d/boxoffice.fish").read_text(encoding="utf-8")
        self.assertRegex(fish, "complete -c boxoffice -n '__fish_seen_subcommand_from stack; and __fish_seen_subcommand_from scale' -a ")
        self.assertRegex(fish, "complete -c boxoffice -n '__fish_seen_subcommand_from tap' -l 'kind'")

    def check_pages(self) -> None:
        """Fail unless each program has a man page, and the unit names the installed launcher."""
        folder = self.prefix / "share/man/man1"
        pages = {path.stem for path in folder.iterdir()}
        self.assertLessEqual({"boxoffice", "boxoffice-tap", "boxoffice-stack", "boxoffice-web", "boxoffice-broker", "cache-store"}, pages)
        self.assertFalse(pages & {"stack", "tap", "gateway", "broker", "web"})
        for page in ("boxoffice", "boxoffice-tap", "boxoffice-stack"):
            self.assertNotRegex((folder / f"{page}.1").read_text(encoding="utf-8"), r"(?m)\b(gateway|compose/stack) |^ *(tap|stack) ", page)
        unit = (self.prefix / "share/systemd/user/boxoffice.service").read_text(encoding="utf-8")
        self.assertIn(f'\nExecStart="{self.prefix}/bin/boxoffice" stack up --foreground\n', unit)


def _swift() -> Path:
    """Return the folder of Swift's libraries."""
    output = subprocess.run(["swift", "-print-target-info"], stdout=subprocess.PIPE, check=True).stdout
    return Path(json.loads(output)["paths"]["runtimeResourcePath"])
