"""A prefix with at most one installation, which is replaced and removed as a whole."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from launcher.language import say
from launcher.problem import ExitCode, Problem
from launcher.stopping import deferred_signals

from .contents import HOME, MANIFEST, Contents, fingerprint, write_manifest


_STAGING = ".boxoffice-"
_PREVIOUS = "previous"
_MARKER = "boxoffice-staging"
"""A file in each folder for staging: others have folders of such names, too."""


class Prefix:
    """A folder such as `/usr/local`, in which other software may have files, too."""

    def __init__(self, path: Path, root: Path = Path("/")) -> None:
        """Take a prefix, and the folder that stands for / while a package is made."""
        self._shown = path
        self.path = root / path.relative_to("/")
        self._home = self.path / HOME
        self._manifest_file = self.path / MANIFEST

    def check_writable(self) -> None:
        """Raise a problem before a long build when nothing can be written here."""
        folder = self.path
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise Problem(
                say(f"{self.path}: 쓸 수 없습니다: {error.strerror}", f"cannot write to {self.path}: {error.strerror}"),
                fix=say("root로 설치하거나 홈 디렉터리에 설치하세요: compose/install --user",
                        "Install as root, or into your home directory: compose/install --user"),
                code=ExitCode.LOCAL_IO) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Ensure that only one installation at a time changes this prefix."""
        made = _make_folders(self.path)
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
            _remove_empty(made)

    def check_version(self, version: str, *, force: bool) -> None:
        """Raise a problem when a newer version is installed."""
        installed = str(self._manifest().get("version", "0"))
        if not force and _numbers(installed) > _numbers(version):
            raise Problem(
                say(f"{self.path}에 더 새로운 {installed}이 설치되어 있습니다. 이것은 {version}입니다",
                    f"{installed} is installed in {self.path}; this version, {version}, is older"),
                fix=say("그래도 설치하려면: --force. 형식이 다른 캐시는 비워집니다.",
                        "To install it anyway: --force. A cache of another format is discarded."))

    def replace(self, contents: Contents) -> None:
        """Install the contents in place of what is installed; a failure leaves what was there."""
        self._recover()
        old = self._files()
        self._check_own(old)
        staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=self.path))
        try:
            (staging / _MARKER).touch()
            staging.chmod(0o755)
            contents.write(staging, self._shown)
            write_manifest(staging, contents.version())
            new = set(_listed(staging / MANIFEST))
            self._check_foreign(file for file in new - set(old) if not file.is_relative_to(HOME))
            # The list of files moves away last and arrives first, so that one is in place, or `_recover` finds it.
            moves = [(self.path / path, staging / _PREVIOUS / path) for path in reversed(_units(old))]
            moves += [(staging / path, self.path / path) for path in _units(new)]
            with deferred_signals():
                _move(moves)
            _remove_empty(_folders(self.path, set(old) - new))
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def remove(self) -> int:
        """Remove the installation and the folders that it leaves empty; return the number of files."""
        self._recover()
        files = self._files()
        if not files:
            raise Problem(say(f"{self.path}에 boxoffice가 설치되어 있지 않습니다", f"boxoffice is not installed in {self.path}"),
                          fix=say("설치한 위치를 --user나 --prefix로 지정하세요.", "Name the place of the installation: --user or --prefix DIR."))
        if running := self.running():
            raise Problem(
                say(f"설치된 프로그램이 실행 중입니다: 프로세스 {_shown(running)}", f"installed programs are running: processes {_shown(running)}"),
                fix=say("먼저 종료하세요: boxoffice stack down", "Stop them first: boxoffice stack down"))
        self._check_own(files)
        self._unlink(file for file in files if not file.is_relative_to(HOME))
        shutil.rmtree(self._home)
        _remove_empty([self._home.parent])
        return len(files)

    def _recover(self) -> None:
        """Undo a replacement that was killed between the old list of files and the new one, and remove what it left."""
        for staging in sorted(self.path.glob(f"{_STAGING}*")):
            if staging.is_symlink() or not (staging / _MARKER).is_file():
                continue  # a folder of others
            previous = staging / _PREVIOUS
            if not self._manifest_file.exists() and (previous / HOME).exists():
                units = _units(_listed(previous / MANIFEST))
                _move((previous / path, self.path / path) for path in units)
            shutil.rmtree(staging)

    def running(self) -> list[int]:
        """Return the processes whose programs are in this prefix."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                program = os.readlink(entry / "exe")
            except OSError:
                continue
            # An installation that was replaced while it ran has moved into a folder for staging.
            if program.startswith((f"{self._home}/", f"{self.path}/{_STAGING}")):
                found.append(int(entry.name))
        return sorted(found)

    def _check_own(self, files: dict[Path, str]) -> None:
        """Raise a problem unless all that would be removed is what was installed."""
        if self._home.is_symlink():
            raise _foreign([self._home])
        inside = (Path(parent, name) for parent, _, names in os.walk(self._home) for name in names)
        links = (Path(parent, name) for parent, folders, _ in os.walk(self._home) for name in folders if Path(parent, name).is_symlink())
        # What Python has compiled is there for its next start only.
        unlisted = [path for path in (*inside, *links)
                    if path.relative_to(self.path) not in files and path.parent.name != "__pycache__"]
        changed = [self.path / file for file, known in files.items()
                   if not file.is_relative_to(HOME) and fingerprint(self.path / file) not in ("", known)]
        if unlisted or changed:
            raise _foreign(unlisted + changed)

    def _check_foreign(self, files: Iterable[Path]) -> None:
        if foreign := [self.path / file for file in files if os.path.lexists(self.path / file)]:
            raise _foreign(foreign)

    def _unlink(self, files: Iterable[Path]) -> None:
        files = list(files)
        for file in files:
            (self.path / file).unlink(missing_ok=True)
        _remove_empty(_folders(self.path, files))

    def _files(self) -> dict[Path, str]:
        """Return the installed files with their fingerprints."""
        return {Path(name): known for name, known in self._manifest().get("files", {}).items()}

    def _manifest(self) -> dict[str, Any]:
        try:
            manifest = json.loads(self._manifest_file.read_text(encoding="utf-8"))
            files = manifest["files"]
            if not all(isinstance(known, str) and _is_inside(name) for name, known in files.items()):
                raise ValueError(say("밖을 가리키는 경로", "a path that leaves the prefix"))
            return dict(manifest)
        except FileNotFoundError:
            return {}
        except (AttributeError, ValueError, KeyError, TypeError, OSError) as error:
            raise Problem(
                say(f"{self._manifest_file}: 읽을 수 없습니다: {error}", f"cannot read {self._manifest_file}: {error}"),
                fix=say(f"{self._home} 폴더를 지우고 다시 설치하세요.", f"Delete {self._home} and install again."),
                code=ExitCode.LOCAL_IO) from error


def _foreign(paths: Iterable[Path]) -> Problem:
    """Return the problem of files that were not installed by this program, or were changed since."""
    shown = ", ".join(sorted(map(str, paths)))
    return Problem(
        say(f"설치하지 않았거나 설치 후에 바뀐 파일입니다: {shown}", f"these files were not installed by compose/install, or were changed since: {shown}"),
        fix=say("파일을 옮기거나 다른 --prefix를 쓰세요.", "Move them away, or choose another --prefix."))


def _is_inside(name: str) -> bool:
    return not os.path.isabs(name) and ".." not in Path(name).parts


def _listed(manifest: Path) -> list[Path]:
    return [Path(name) for name in json.loads(manifest.read_text(encoding="utf-8"))["files"]]


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdecimal()]


def _shown(pids: list[int]) -> str:
    return ", ".join(map(str, pids[:5])) + (" …" if len(pids) > 5 else "")


def _units(files: Iterable[Path]) -> list[Path]:
    """Return what is moved at once: the installation's own folder first, and each file outside it."""
    units = {HOME if file.is_relative_to(HOME) else file for file in files}
    return sorted(units, key=lambda unit: (unit != HOME, unit))


def _move(moves: Iterable[tuple[Path, Path]]) -> None:
    """Rename one after another; a failure reverses those before it."""
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            if not os.path.lexists(source):
                continue  # a user has deleted it
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
            done.append((source, target))
    except OSError:
        for source, target in reversed(done):
            target.replace(source)
        raise


def _folders(root: Path, files: Iterable[Path]) -> list[Path]:
    """Return the folders of these files below the root, deepest first."""
    folders = {root / parent for file in files for parent in file.parents if parent != Path(".")}
    return sorted(folders, key=lambda folder: len(folder.parts), reverse=True)


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and its parents; return the new ones, deepest first."""
    made = []
    while not folder.exists():
        made.append(folder)
        folder = folder.parent
    for new in reversed(made):
        new.mkdir()
    return made


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            pass  # something is in it
