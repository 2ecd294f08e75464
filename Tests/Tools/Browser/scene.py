"""A demo stack with pages, and Chromium to look at them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
# Preloaded before libfaketime, under which no sleep of a service ends.
UNCHANGED_TIMERS = ROOT / "Tests/Processes/Fixtures/unchanged-timers.c"
IMAGE_SEARCH, DETAIL = "/v2/search/image", "searchMovieInfo"


@dataclass
class Visit:
    """A loaded page, and what it did beside being shown."""

    page: Page
    status: int
    messages: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


@dataclass
class Scene:
    """A running stack and a browser."""

    browser: Browser
    binaries: Path
    environment: dict[str, str]
    address: str
    upstream: str
    _clock: Path
    _hold: Path
    _days: Iterator[str]
    _weeks: Iterator[str]
    _seasons: Iterator[str]

    @classmethod
    @contextmanager
    def running(cls, binaries: Path, record: Callable[[Path], None]) -> Iterator[Scene]:
        """Run a stack and a browser, and end both; `record` writes recordings for the upstream into a new folder."""
        chromium = shutil.which("chromium-headless-shell")
        if chromium is None:
            raise SystemExit("chromium-headless-shell is missing: compose/prerequisites tests")
        folder = Path(tempfile.mkdtemp(prefix="bxw", dir="/tmp"))
        # A breaker that opened under a fault would still be open afterwards, and the checks need more calls than a
        # visitor.
        environment = {
            **os.environ, "BOXOFFICE_RUN": str(folder), "BOXOFFICE_WEB_PORT": "0", "BOXOFFICE_CONFIG": os.devnull,
            "BOXOFFICE_BREAKER_FAILURES": "0", "BOXOFFICE_LANG": "en",
        }
        clock = folder / "clock"
        hold = folder / "hold"
        binaries = _programs(binaries, folder / "programs", clock, hold)
        recordings = folder / "recordings"
        record(recordings)
        stack = ROOT / "compose" / "stack"
        subprocess.run([stack, "up", "--demo", "--recordings", recordings, "--web", "--bin", binaries], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                address = (folder / "web.url").read_text(encoding="ascii").strip()
                upstream = (folder / "demo-upstream.url").read_text(encoding="ascii").strip()
                yield cls(browser, binaries, environment, address, upstream, clock, hold, _past_days(), _past_weeks(),
                          _past_seasons())
                browser.close()
        finally:
            subprocess.run([stack, "down"], env=environment, check=False, stdout=subprocess.DEVNULL)
            shutil.rmtree(folder, ignore_errors=True)

    def unseen_day(self) -> str:
        """Return a day whose chart nobody has asked for."""
        return next(self._days)

    def unseen_week(self) -> str:
        """Return a week whose charts nobody has asked for."""
        return next(self._weeks)

    def unseen_films(self) -> str:
        """Return a day of whose films nobody has asked for one."""
        return next(self._seasons)

    @contextmanager
    def fault(self, *paths: str) -> Iterator[None]:
        """Let all calls of the upstream fail, or those of some paths."""
        self._switch("_fault?name=error503" + "".join(f"&path={path}" for path in paths[:1]))
        for path in paths[1:]:
            self._switch(f"_fault?name=error503&path={path}&add=1")
        try:
            yield
        finally:
            self._switch("_fault?name=none")

    def store(self, day: str) -> None:
        """Fetch a chart with its films; no page of it is kept."""
        for _ in range(2):
            urllib.request.urlopen(f"{self.address}/{day}.json").close()

    def archive(self, days: str) -> None:
        """Fetch the charts of a range that the archive lacks."""
        subprocess.run([self.binaries / "gateway", "archive", "fill", days, "--rate", "off"], env=self.environment,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @contextmanager
    def stale(self) -> Iterator[None]:
        """Let what is stored be stale, and all calls of the upstream fail."""
        with self.later(40), self.fault():
            yield

    @contextmanager
    def later(self, days: int) -> Iterator[None]:
        """Let the cache's clock be ahead, so that what is stored is stale."""
        self._clock.write_text(f"+{days}d", encoding="ascii")
        try:
            yield
        finally:
            self._clock.write_text("+0", encoding="ascii")

    @contextmanager
    def latency(self, milliseconds: int) -> Iterator[None]:
        """Let each call of the upstream take this long."""
        self._switch(f"_latency?ms={milliseconds}")
        try:
            yield
        finally:
            self._switch("_latency?ms=0")

    @contextmanager
    def uncorrected(self) -> Iterator[None]:
        """Let all charts be those before their last corrections."""
        self._switch("_corrections?are=missing")
        try:
            yield
        finally:
            self._switch("_corrections?are=made")

    @contextmanager
    def suspended_resolvers(self) -> Iterator[Callable[[], None]]:
        """Let all instances of poster-resolver keep what they are asked; yield a function that kills them.

        New ones begin after the block.
        """
        output = subprocess.run([ROOT / "compose" / "stack", "ps", "--json"], env=self.environment, check=True,
                                stdout=subprocess.PIPE).stdout
        processes = [instance["pid"] for instance in json.loads(output)["processes"]
                     if instance["service"] == "poster-resolver"]

        def kill() -> None:
            while processes:
                os.kill(processes.pop(), signal.SIGKILL)

        self._hold.touch()
        try:
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            yield kill
        finally:
            kill()
            self._hold.unlink()

    def _switch(self, command: str) -> None:
        urllib.request.urlopen(urllib.request.Request(f"{self.upstream}/{command}", method="POST")).close()

    @contextmanager
    def context(self, **options: Any) -> Iterator[BrowserContext]:
        """Open a browser profile that ends with the block."""
        context = self.browser.new_context(**options)
        try:
            yield context
        finally:
            context.close()

    def visit(self, context: BrowserContext, path: str) -> Visit:
        """Load a page with all its images."""
        visit = self.open(context)
        self.go(visit, path)
        return visit

    def open(self, context: BrowserContext) -> Visit:
        """Open an empty page."""
        page = context.new_page()
        visit = Visit(page, 0)
        page.on("console", lambda message: visit.messages.append(message.text))
        page.on("pageerror", lambda error: visit.messages.append(str(error)))
        page.on("request", lambda request: self._note(visit, request.url))
        return visit

    def go(self, visit: Visit, path: str) -> None:
        """Load another page in its place, with all its images."""
        visit.messages.clear()
        visit.foreign.clear()
        response = visit.page.goto(self.address + path, wait_until="load")
        assert response is not None
        visit.status = response.status

    def _note(self, visit: Visit, url: str) -> None:
        if not url.startswith(f"{self.address}/"):
            visit.foreign.append(url)


def _programs(binaries: Path, folder: Path, clock: Path, hold: Path) -> Path:
    """Return a folder of the programs: the cache has a clock that the checks set, and a resolver begins without a `hold`."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    folder.mkdir()
    for program in binaries.iterdir():
        if program.is_file() and os.access(program, os.X_OK):
            (folder / program.name).symlink_to(program)
    clock.write_text("+0", encoding="ascii")
    timers = folder / "unchanged-timers.so"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", timers, UNCHANGED_TIMERS], check=True)
    _wrap(folder / "cache-store", binaries,
          f"export LD_PRELOAD='{timers} {library}' FAKETIME_TIMESTAMP_FILE={clock} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1")
    _wrap(folder / "poster-resolver", binaries, f"while [ -e {hold} ]; do sleep 0.05; done")
    return folder


def _wrap(program: Path, binaries: Path, command: str) -> None:
    """Run a command before a program."""
    program.unlink()
    program.write_text(f'#!/bin/sh\n{command}\nexec {binaries}/{program.name} "$@"\n', encoding="utf-8")
    program.chmod(0o700)


def _past_days() -> Iterator[str]:
    for month in range(1, 13):
        for day in range(1, 29):
            yield f"2014-{month:02}-{day:02}"


def _past_weeks() -> Iterator[str]:
    for week in range(1, 50):
        yield f"2015-W{week:02}"


def _past_seasons() -> Iterator[str]:
    """Days that are further apart than any film runs."""
    for year in (*range(2004, 2014), *range(2017, 2022)):
        for month in (1, 5, 9):
            yield f"{year}-{month:02}-15"
