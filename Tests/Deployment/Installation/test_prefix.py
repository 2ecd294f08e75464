"""What an installation does to a prefix, with contents that the test chooses."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from installer.contents import HOME
from installer.prefix import Prefix
from launcher.problem import ExitCode, Problem


class _Contents:
    """Contents of a few files."""

    def __init__(self, version: str, *files: str) -> None:
        self._version = version
        self._files = files

    def version(self) -> str:
        """Return the version."""
        return self._version

    def write(self, staging: Path, prefix: Path) -> None:
        """Write a folder of the installation's own, and the files."""
        for name in (str(HOME / "bin/program"), *self._files):
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).write_text(f"{self._version} {prefix}", encoding="utf-8")


_MOVES = 6
"""Of a replacement in the test: three of the old installation, three of the new one."""


def _killed_after(count: int) -> Any:
    """Return a rename that kills its process instead of one after so many."""
    replace = Path.replace
    done = iter(range(count + 1))

    def rename(path: Path, target: Path) -> Path:
        if next(done) == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return replace(path, target)

    return rename


class PrefixTests(unittest.TestCase):
    """An installation, another one over it, and their end."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="bo", dir="/tmp")
        self.addCleanup(temporary.cleanup)
        self.path = Path(temporary.name).resolve() / "usr"
        self.prefix = Prefix(self.path)

    def install(self, *arguments: str) -> None:
        """Install contents of this version with these files."""
        with self.prefix.locked():
            self.prefix.replace(_Contents(*arguments))

    def files(self) -> set[str]:
        """Return the files that are not below `lib/boxoffice`."""
        found = (path.relative_to(self.path) for path in self.path.rglob("*") if not path.is_dir())
        return {str(file) for file in found if not file.is_relative_to(HOME)}

    def text(self, name: str) -> str:
        """Return the text of a file."""
        return (self.path / name).read_text(encoding="utf-8")

    def test_a_second_installation_replaces_the_first_and_removes_what_it_lacks(self) -> None:
        self.install("1.0", "bin/one", "share/old/page")
        self.install("1.1", "bin/one", "bin/two")
        self.assertEqual(self.files(), {"bin/one", "bin/two"})
        self.assertEqual(self.text("bin/one"), f"1.1 {self.path}")
        self.assertEqual(self.text("lib/boxoffice/bin/program"), f"1.1 {self.path}")
        self.assertFalse((self.path / "share").exists())

    def test_a_removal_leaves_other_software(self) -> None:
        other = self.path / "bin/other"
        other.parent.mkdir(parents=True)
        other.touch()
        self.install("1.0", "bin/one", "share/man/man1/one.1")
        self.prefix.remove()
        self.assertEqual([path for path in self.path.rglob("*") if not path.is_dir()], [other])
        self.assertEqual({path.name for path in self.path.iterdir()}, {"bin"})

    def test_a_removal_from_an_empty_prefix_leaves_it_empty(self) -> None:
        self.path.mkdir()
        self.install("1.0", "bin/one", "share/man/man1/one.1")
        self.prefix.remove()
        self.assertEqual(list(self.path.iterdir()), [])

    def test_a_file_of_other_software_stops_it_and_nothing_is_changed(self) -> None:
        other = self.path / "bin/one"
        other.parent.mkdir(parents=True)
        other.write_text("other", encoding="utf-8")
        with self.assertRaises(Problem) as caught:
            self.install("1.0", "bin/one", "bin/two")
        self.assertIn(str(other), caught.exception.what)
        self.assertEqual(self.files(), {"bin/one"})
        self.assertEqual(self.text("bin/one"), "other")
        self.assertEqual(list(self.path.iterdir()), [other.parent])

    def test_a_failure_in_the_middle_leaves_the_installation_before(self) -> None:
        self.install("1.0", "bin/one")
        replace = Path.replace

        def fail(path: Path, target: Path) -> Path:
            if target.name == "two":
                raise OSError(28, "No space left on device")
            return replace(path, target)

        with mock.patch.object(Path, "replace", fail), self.assertRaises(OSError):
            self.install("1.1", "bin/one", "bin/two")
        self.assertEqual(self.text("lib/boxoffice/bin/program"), f"1.0 {self.path}")
        self.assertEqual(self.text("bin/one"), f"1.0 {self.path}")
        self.assertEqual({path.name for path in self.path.iterdir()}, {"bin", "lib"})
        self.prefix.remove()
        self.assertEqual(self.files(), set())

    def test_a_newer_version_is_kept_unless_forced(self) -> None:
        self.install("1.10.0")
        for version in ("1.10.0", "1.11", "2"):
            self.prefix.check_version(version, force=False)
        with self.assertRaises(Problem) as caught:
            self.prefix.check_version("1.9.9", force=False)
        self.assertIn("--force", caught.exception.fix)
        self.prefix.check_version("1.9.9", force=True)

    def test_a_root_stands_for_the_whole_system(self) -> None:
        self.install("1.0", "bin/one")
        root = self.path.parent / "root"
        staged = Prefix(self.path, root=root)
        for version in ("2.0", "2.1"):
            with staged.locked():
                staged.replace(_Contents(version, "bin/one"))
        written = root / self.path.relative_to("/")
        self.assertEqual((written / "bin/one").read_text(encoding="utf-8"), f"2.1 {self.path}")
        staged.remove()
        self.assertEqual(list(written.iterdir()), [])
        self.assertEqual(self.text("lib/boxoffice/bin/program"), f"1.0 {self.path}")

    def test_a_replacement_that_was_killed_is_undone_or_completed_by_the_next(self) -> None:
        for cut in range(_MOVES):
            with self.subTest(cut):
                self.install("1.0", "bin/one", "bin/two")
                pid = os.fork()
                if pid == 0:
                    with mock.patch.object(Path, "replace", _killed_after(cut)):
                        self.install("1.1", "bin/one", "bin/three")
                    os._exit(1)
                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), -signal.SIGKILL)
                self.install("1.2", "bin/one", "bin/four")
                self.assertEqual(self.files() - {"bin/two", "bin/three"}, {"bin/one", "bin/four"})
                self.assertEqual(self.text("lib/boxoffice/bin/program"), f"1.2 {self.path}")
                self.assertEqual({path.name for path in self.path.iterdir()}, {"bin", "lib"})
                shutil.rmtree(self.path)

    def test_folders_of_others_with_such_names_stay(self) -> None:
        for name in (".boxoffice-notes", ".boxoffice-"):
            (self.path / name / "previous").mkdir(parents=True)
            (self.path / name / "previous/mine").touch()
        (self.path / ".boxoffice-link").symlink_to(self.path / ".boxoffice-notes")
        before = {path.name for path in self.path.iterdir()}
        self.install("1.0", "bin/one")
        self.install("1.1", "bin/one")
        self.prefix.remove()
        self.assertEqual({path.name for path in self.path.iterdir()}, before)
        self.assertTrue((self.path / ".boxoffice-notes/previous/mine").exists())

    def test_files_of_others_in_the_folder_of_the_installation_stop_its_replacement_and_its_removal(self) -> None:
        self.install("1.0", "bin/one")
        (self.path / HOME / "bin/__pycache__").mkdir()
        (self.path / HOME / "bin/__pycache__/program.pyc").touch()
        for name in ("notes", "bin/deeper/notes", "linked"):
            mine = self.path / HOME / name
            mine.parent.mkdir(parents=True, exist_ok=True)
            mine.symlink_to("/tmp") if name == "linked" else mine.touch()
            for change in (lambda: self.install("1.1", "bin/one"), self.prefix.remove):
                with self.assertRaises(Problem) as caught:
                    change()
                self.assertIn(str(mine), caught.exception.what)
                self.assertTrue(os.path.lexists(mine))
            mine.unlink()
        self.prefix.remove()
        self.assertFalse((self.path / HOME).exists())

    def test_a_folder_without_a_list_of_files_is_not_taken_over(self) -> None:
        (self.path / HOME).mkdir(parents=True)
        (self.path / HOME / "mine").touch()
        with self.assertRaises(Problem) as caught:
            self.install("1.0", "bin/one")
        self.assertIn(str(self.path / HOME / "mine"), caught.exception.what)
        self.assertEqual([path.name for path in self.path.rglob("*") if not path.is_dir()], ["mine"])
        shutil.move(self.path / HOME, self.path / "elsewhere")
        (self.path / HOME).symlink_to(self.path / "elsewhere")
        with self.assertRaises(Problem):
            self.install("1.0", "bin/one")
        self.assertTrue((self.path / "elsewhere/mine").exists())

    def test_a_program_that_has_replaced_one_of_ours_is_neither_replaced_nor_removed(self) -> None:
        self.install("1.0", "bin/one")
        (self.path / "bin/one").write_text("other", encoding="utf-8")
        for change in (lambda: self.install("1.1", "bin/one"), self.prefix.remove):
            with self.assertRaises(Problem) as caught:
                change()
            self.assertIn(str(self.path / "bin/one"), caught.exception.what)
        self.assertEqual(self.text("bin/one"), "other")

    def test_nothing_to_remove_is_an_error(self) -> None:
        with self.assertRaises(Problem):
            self.prefix.remove()

    def test_a_damaged_or_hostile_manifest_removes_nothing(self) -> None:
        self.install("1.0", "bin/one")
        outside = self.path.parent / "outside"
        outside.touch()
        for manifest in ("{", "{}", json.dumps({"version": "1", "files": {"../outside": ""}}),
                         json.dumps({"version": "1", "files": {str(outside): ""}}), json.dumps({"version": "1", "files": {"a": 1}}),
                         json.dumps({"version": "1", "files": ["bin/one"]})):
            (self.path / HOME / "manifest.json").write_text(manifest, encoding="utf-8")
            with self.assertRaises(Problem) as caught:
                self.prefix.remove()
            self.assertEqual(caught.exception.code, ExitCode.LOCAL_IO)
        self.assertTrue(outside.exists())
        self.assertEqual(self.files(), {"bin/one"})

    def test_a_prefix_that_cannot_be_written_is_found_before_the_build(self) -> None:
        for place in ("/proc/boxoffice", "/dev/null/boxoffice"):
            with self.assertRaises(Problem) as caught:
                Prefix(Path(place)).check_writable()
            self.assertEqual(caught.exception.code, ExitCode.LOCAL_IO)
        self.prefix.check_writable()
        self.assertFalse(self.path.exists())
