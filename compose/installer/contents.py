"""What an installation contains, written into a staging folder."""

from __future__ import annotations

import compileall
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from launcher import supervisor_installation
from launcher.binaries import GATEWAY
from launcher.installation import NAMES_FILE, PROGRAMS, ROOT
from launcher.language import say
from launcher.problem import ExitCode, Problem
from launcher.services import LIST, SERVICES

from . import completions
from .progress import Progress

HOME = Path("lib/boxoffice")
"""The folder below the prefix that belongs to the installation alone."""

MANIFEST = HOME / "manifest.json"
"""The list of what is installed."""

COMMAND = Path("bin/boxoffice")
"""The one command; it asks for charts, and runs the other programs by their names."""

PAGES = {"gateway": "boxoffice", "tap": "boxoffice-tap", "web": "boxoffice-web", "broker": "boxoffice-broker", "stack": "boxoffice-stack"}
"""The man pages of what people call, by the names in a clone."""

OPERATIONS = Path("share/doc/boxoffice/Operations.md")
"""The page for operators."""

_SHELLS = {
    "bash": ("share/bash-completion/completions", "{}"),
    "zsh": ("share/zsh/site-functions", "_{}"),
    "fish": ("share/fish/vendor_completions.d", "{}.fish"),
}


class Contents:
    """The programs of one folder and all that belongs to them."""

    def __init__(self, programs: Path, progress: Progress, *, has_system_units: bool, keeps_names: bool) -> None:
        self._programs = programs
        self._progress = progress
        self.has_system_units = has_system_units
        self._keeps_names = keeps_names

    @cache
    def version(self) -> str:
        """Return the version of the programs, as in `0.2.0`."""
        return _output([self._programs / GATEWAY, "--version"]).split()[-1]

    def write(self, staging: Path, prefix: Path) -> None:
        """Write everything into a staging folder, for a prefix at which it will be."""
        home = staging / HOME
        self._progress.show(say("프로그램 복사 중", "Copying the programs"))
        self._write_programs(home / "bin")
        self._write_launcher(home)
        (staging / COMMAND).parent.mkdir()
        (staging / COMMAND).symlink_to(Path("..") / HOME / "bin" / GATEWAY)
        self._progress.show(say("자동 완성과 매뉴얼 작성 중", "Writing completions and man pages"))
        self._write_completions(staging)
        self._write_pages(staging / "share/man")
        _write_units(ROOT / "compose/units/user", staging / "share/systemd/user", prefix)
        if self.has_system_units:
            self._write_system_units(staging, prefix)

    def _write_system_units(self, staging: Path, prefix: Path) -> None:
        _write_units(ROOT / "compose/units/system", staging / "lib/systemd/system", prefix)
        for kind in ("sysusers", "tmpfiles"):
            folder = staging / f"lib/{kind}.d"
            folder.mkdir(parents=True)
            shutil.copy2(ROOT / f"compose/units/boxoffice.{kind}", folder / "boxoffice.conf")
        documents = (staging / OPERATIONS).parent
        shutil.copytree(ROOT / "compose/metrics", documents / "metrics")
        for document in ("compose/units/Operations.md", "compose/units/demo.conf", "Services/Broker/Network.md"):
            shutil.copy2(ROOT / document, documents)

    def _write_programs(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        names = {*(service.name for service in SERVICES), GATEWAY, "tap"}
        for name in sorted(names):
            # The names of functions are for backtraces.
            _output(["strip", *(["--strip-debug"] if self._keeps_names else []), "-o", folder / name, self._programs / name])
        for library in _runtime_libraries([self._programs / name for name in names]):
            shutil.copy2(library, folder / library.name)
        # Not those of a Swift that is installed where these programs were built: it may be of another version.
        _output(["patchelf", "--set-rpath", "$ORIGIN", *(folder / name for name in names)])

    def _write_launcher(self, home: Path) -> None:
        compose = home / "compose"
        shutil.copytree(ROOT / "compose/launcher", compose / "launcher", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("stack", "boxoffice.conf"):
            shutil.copy2(ROOT / "compose" / name, compose / name)
        for listed in (LIST.relative_to(ROOT), NAMES_FILE):
            (home / listed).parent.mkdir(parents=True)
            shutil.copy2(ROOT / listed, home / listed)
        supervisor_installation.ensure()
        module = supervisor_installation.folder_of_module()
        assert module
        for folder in sorted(module.glob("supervisor*")):
            shutil.copytree(folder, home / "python" / folder.name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
        # Beside the sources, and not where this program keeps its own.
        sys.pycache_prefix = None
        compileall.compile_dir(home, quiet=1, stripdir=str(home))

    def _write_completions(self, staging: Path) -> None:
        for shell, (folder, form) in _SHELLS.items():
            (staging / folder).mkdir(parents=True)
            script = completions.joined(
                shell,
                # The installed one names the command as it is installed.
                boxoffice=_output([staging / HOME / "bin" / GATEWAY, "completions", shell]),
                stack=_output([ROOT / "compose/stack", "completions", shell]),
                tap=_output([self._programs / "tap", "--generate-completion-script", shell]))
            (staging / folder / form.format(COMMAND.name)).write_text(script, encoding="utf-8")

    def _write_pages(self, folder: Path) -> None:
        # From whatever is built: the pages are the same.
        is_debug = self._programs.name == "debug" or not (PROGRAMS / GATEWAY).exists()
        _output([ROOT / "compose/manual", *(["--debug"] if is_debug else []), folder])
        for name, installed in PAGES.items():
            page = folder / f"man1/{name}.1"
            text = _with_installed_names(page.read_text(encoding="utf-8"), name)
            page.with_name(f"{installed}.1").write_text(text, encoding="utf-8")
            page.unlink()


def _with_installed_names(page: str, name: str) -> str:
    """Return a man page of a clone with the names by which an installation calls its programs."""
    called = PAGES[name].replace("-", " ")
    page = re.sub(rf"(?m)^\.Dt {name.upper()}\b", f".Dt {PAGES[name].upper()}", page)
    page = re.sub(rf"(?m)^(\.Nm | *(?:[A-Z_]+=\S+ )*){name}(?= |$)", rf"\g<1>{called}", page)
    return re.sub(r"\bgateway (?=[a-z'-])", "boxoffice ", page).replace("compose/stack", "boxoffice stack")


def _write_units(source: Path, target: Path, prefix: Path) -> None:
    if any(letter in '"\\' or not letter.isprintable() for letter in str(prefix)):
        raise Problem(say(f"{prefix}: systemd 유닛에 쓸 수 없는 글자가 있습니다", f"{prefix} has letters that a unit of systemd cannot have"),
                      fix=say("다른 --prefix를 고르세요.", "Choose another --prefix."), code=ExitCode.USAGE)
    shown = str(prefix).replace("%", "%%")  # a single one begins a specifier
    for unit in sorted(path for path in source.rglob("*") if path.is_file()):
        text = unit.read_text(encoding="utf-8").replace("@PREFIX@", shown)
        written = target / unit.relative_to(source)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, encoding="utf-8")


def write_manifest(staging: Path, version: str) -> None:
    """Write the list of what is in the staging folder, by folder, each file with its fingerprint."""
    folders = [folder for folder in sorted(staging.iterdir()) if folder.is_dir()]
    files = {str(path.relative_to(staging)): fingerprint(path) for folder in folders for path in sorted(_files(folder))}
    manifest = {"version": version, "files": {**files, str(MANIFEST): ""}}
    (staging / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def fingerprint(path: Path) -> str:
    """Return a text that differs for another file or link; "" when there is nothing."""
    try:
        if path.is_symlink():
            return f"link to {os.readlink(path)}"
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        yield from (Path(parent, name) for name in names)
        yield from (path for name in folders if (path := Path(parent, name)).is_symlink())


def _runtime_libraries(programs: list[Path]) -> list[Path]:
    """Return the libraries of Swift that these programs load; all others are packages of the system."""
    target = json.loads(_output(["swift", "-print-target-info"]))
    folders = [Path(folder).resolve() for folder in target["paths"]["runtimeLibraryPaths"]]
    found: dict[str, Path] = {}
    missing: set[str] = set()
    for line in _output(["ldd", *sorted(programs)]).splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        path = rest.partition(" (")[0]
        if not arrow:
            continue
        if path == "not found":
            missing.add(name)
        elif any(Path(path).resolve().is_relative_to(folder) for folder in folders):
            found[name] = Path(path)
    if missing:
        names = ", ".join(sorted(missing))
        raise Problem(say(f"이 라이브러리가 없습니다: {names}", f"these libraries are missing: {names}"),
                      fix=say("설치: compose/prerequisites", "Install them: compose/prerequisites"))
    return [found[name] for name in sorted(found)]


def _output(command: list[str | Path]) -> str:
    if not shutil.which(command[0]):
        raise Problem(say(f"{command[0]}: 설치되어 있지 않습니다", f"{command[0]} is not installed"),
                      fix=say("설치: compose/prerequisites install", "Install it: compose/prerequisites install"))
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            encoding="utf-8", check=False)
    if result.returncode != 0:
        shown = " ".join(map(str, command[:3]))
        raise Problem(
            say(f"{shown}: 실패했습니다({result.returncode})", f"{shown} has failed ({result.returncode})"),
            details=result.stderr.splitlines()[-5:], code=ExitCode.INTERNAL)
    return result.stdout
