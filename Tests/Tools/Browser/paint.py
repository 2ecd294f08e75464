"""The first paint of a page, beside the same bytes as files of nginx."""

from __future__ import annotations

import gzip
import re
import tempfile
import urllib.request
from pathlib import Path

from Benchmarks.figures import ratio, spread
from Benchmarks.nginx import serving

from .scene import Scene

PATH = "/2022-01-05"


def measure_paint(scene: Scene, runs: int) -> None:
    """Print the milliseconds until the first contentful paint of browsers that know nothing yet, in turns."""
    with tempfile.TemporaryDirectory(prefix="boxoffice-paint.") as name:
        folder = Path(name)
        _get(scene, PATH)
        html, fields = _get(scene, PATH)  # the second one is complete, and kept
        _write(folder, PATH, html)
        for path in set(re.findall(rb'(?:src|href)="(/(?:assets|posters)/[^"]+)"', html)):
            _write(folder, path.decode("ascii"), _get(scene, path.decode("ascii"))[0])
        for script in list((folder / "assets").glob("*.js")):
            for path in re.findall(rb'"(/assets/[^"]+)"', script.read_bytes()):
                _write(folder, path.decode("ascii"), _get(scene, path.decode("ascii"))[0])
        # A policy that separates the page from others costs the browser a process.
        policies = {name: value for name, value in fields.items() if "Policy" in name or name.startswith("X-")}
        with serving(folder, policies) as files:
            ours, theirs = [], []
            for number in range(runs + 1):
                # Each is first in half of the runs.
                sites = [scene.address, files][:: 1 if number % 2 else -1]
                took = {site: _first_paint(scene, site) for site in sites}
                if number:  # the first run loads everything into memory
                    ours.append(took[scene.address])
                    theirs.append(took[files])
    print(f"first contentful paint, {len(html):,} bytes and what it refers to")
    print(f"  web                      {spread(ours, 1)} ms")
    print(f"  nginx, the same bytes    {spread(theirs, 1)} ms, ratio {ratio(ours, theirs)}")


def _first_paint(scene: Scene, site: str) -> float:
    with scene.context(viewport={"width": 1280, "height": 900}, locale="ko-KR") as context:
        page = context.new_page()
        page.goto(site + PATH, wait_until="load")
        return float(page.evaluate(
            "() => new Promise(resolve => new PerformanceObserver(list => resolve(list.getEntriesByName("
            "'first-contentful-paint')[0].startTime)).observe({ type: 'paint', buffered: true }))"))


def _get(scene: Scene, path: str) -> tuple[bytes, dict[str, str]]:
    request = urllib.request.Request(scene.address + path, headers={"Accept-Language": "ko-KR"})
    with urllib.request.urlopen(request) as response:
        return response.read(), dict(response.headers)


def _write(folder: Path, path: str, body: bytes) -> None:
    file = folder / path.removeprefix("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(body)
    if "/posters/" not in path:
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(body, 6))
