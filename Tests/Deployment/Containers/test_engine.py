"""Builds of images, and what a failed command says."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from .engine import DEBIAN, build, podman, run


class Engine(unittest.TestCase):
    """Podman with its storage in `.build/containers`."""

    def setUp(self) -> None:
        if not os.environ.get("BOXOFFICE_TEST_CONTAINERS"):
            self.skipTest("BOXOFFICE_TEST_CONTAINERS is not set")

    def test_a_build_removes_the_earlier_image_of_its_name(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="bo", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder)
        self.addCleanup(podman, "rmi", "--force", "localhost/engine", expect=None)
        file = folder / "Containerfile"
        ids = []
        for word in "one", "two":
            file.write_text(f"FROM {DEBIAN}\nLABEL word={word}\n", encoding="utf-8")
            ids.append(podman("image", "inspect", "--format", "{{.Id}}", build("engine", file, context=folder)).strip())
        self.assertNotEqual(ids[0], ids[1])
        podman("image", "exists", ids[0], expect=1)
        podman("image", "exists", ids[1])

    def test_a_failed_command_states_its_last_line_first(self) -> None:
        with self.assertRaises(AssertionError) as caught:
            run("bash", "-c", "seq 9; echo no space left; exit 3")
        self.assertTrue(str(caught.exception).partition("\n")[0].endswith(": 3, no space left"), str(caught.exception))
