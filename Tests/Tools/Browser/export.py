"""A site of files, which a browser reads without a server."""

from __future__ import annotations

import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import cast

from axe_playwright_python.sync_playwright import Axe

from .matrix import AXE
from .scene import Scene

SCENE = cast(Scene, None)  # the command line sets it
DAYS = "2022-01-05..2022-01-07"


class Export(unittest.TestCase):
    """`web export` writes pages whose links lead to files, or nowhere."""

    def test_a_browser_reads_the_files(self) -> None:
        with tempfile.TemporaryDirectory(prefix="boxoffice-site.") as name:
            folder = Path(name) / "site"
            written = self._export(folder, "--lang", "en")
            self.assertEqual(written.returncode, 0, written.stderr)
            self.assertIn("feed.atom", written.stderr)
            pages = sorted(folder.glob("**/*.html"))
            names = {str(page.relative_to(folder)) for page in pages}
            self.assertLess({"index.html", "2022-01-05.html", "2022-01.html", "2022.html"}, names)
            self.assertGreater(len(list(folder.glob("films/*.html"))), 9)
            with SCENE.context() as context:
                visit = SCENE.open(context)
                failed: list[str] = []
                visit.page.on("requestfailed", lambda request: failed.append(request.url))
                for page in [folder / "index.html", folder / "2022-01.html", next(iter(folder.glob("films/*.html")))]:
                    visit.page.goto(page.as_uri())
                    self.assertEqual(visit.page.locator("form, script, button").count(), 0, page.name)
                    self.assertEqual((failed, visit.messages), ([], []), page.name)
                    violations = Axe().run(visit.page, options=AXE).response["violations"]
                    self.assertEqual([rule["id"] for rule in violations], [], page.name)
                    # axe itself asks for the stylesheet, which a browser refuses to scripts of files.
                    failed.clear()
                    visit.messages.clear()
                visit.page.goto((folder / "index.html").as_uri())
                self.assertEqual(visit.page.inner_text("h1"), "Friday, 7 January 2022")
                self.assertEqual(visit.page.locator(".film").count(), 10)
                visit.page.click("nav.days a[rel=prev]")
                self.assertEqual(visit.page.inner_text("h1"), "Thursday, 6 January 2022")
                title = visit.page.locator(".film h2 a bdi").first.inner_text()
                visit.page.locator(".film h2 a").first.click()
                self.assertIn(title, visit.page.inner_text("h1"))
                self.assertGreater(visit.page.evaluate("document.querySelector('img.large').naturalWidth"), 0)
            for page in pages:
                for link in re.findall(r'(?:href|src)="([^"#][^"]*)"', page.read_text(encoding="utf-8")):
                    if not link.startswith(("http://", "https://")):
                        self.assertTrue((page.parent / link).is_file(), f"{page.name}: {link}")
            feed = (folder / "feed.atom").read_text(encoding="utf-8")
            links = re.findall(r'href="https://films\.example/(\d[^"]+)"', feed)
            self.assertEqual(links, ["2022-01-07.html", "2022-01-06.html", "2022-01-05.html"])
            # A folder of an earlier export is written again, one with other files is not.
            self.assertEqual(self._export(folder).returncode, 0)
            other = Path(name) / "other"
            other.mkdir()
            (other / "thesis.txt").write_text("mine", encoding="ascii")
            refused = self._export(other)
            self.assertEqual((refused.returncode, [file.name for file in other.iterdir()]), (64, ["thesis.txt"]))
            self.assertIn("other files", refused.stderr)
            refused = self._export(other / "thesis.txt")
            self.assertEqual(refused.returncode, 74)
            self.assertIn("Not a directory", refused.stderr)

    def _export(self, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
        SCENE.archive(DAYS)
        environment = {**SCENE.environment, "BOXOFFICE_WEB_URL": "https://films.example", "BOXOFFICE_WEB_POSTERS": "proxy"}
        return subprocess.run([SCENE.binaries / "web", "export", folder, DAYS, *options], env=environment,
                              capture_output=True, text=True, check=False)
