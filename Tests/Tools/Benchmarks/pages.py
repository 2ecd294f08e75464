"""Pages over HTTP: warm, rendered anew and as JSON, beside Hummingbird alone and nginx; and a cold page's first films."""

from __future__ import annotations

import gzip
import http.client
import itertools
import json
import re
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .figures import ratio, spread
from .nginx import serving
from .processes import output, run_folder, stop
from .stack import demo_stack, set_latency

DAY = "2022-01-05"
SECONDS = 4
CONNECTIONS = 16
LATENCY_MS = 100
COLD = 25
ARCHIVED = "2019-01-01..2019-12-31"
RUN_DAYS = 60


def bench_pages(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Measure all in turns, so that each run has figures of all."""
    if shutil.which("wrk") is None:
        raise SystemExit("Tests/Tools/Benchmarks/benchmarks: wrk is missing. Install it.")
    with run_folder() as folder, run_folder() as files, ExitStack() as stack:
        environment = {**environment, "BOXOFFICE_RUN": str(folder), "BOXOFFICE_WEB_PORT": "0",
                       "BOXOFFICE_WEB_CALLS": "999999"}
        stack.enter_context(demo_stack(binaries, environment, "--web"))
        site = (folder / "web.url").read_text(encoding="ascii").strip()
        fields, packed = _page(site, f"/{DAY}")
        (files / "page.html").write_bytes(gzip.decompress(packed))
        (files / "page.html.gz").write_bytes(packed)
        bare = stack.enter_context(_floor([binaries / "web-floor", files / "page.html.gz"], fields))
        nginx = stack.enter_context(serving(files))
        urls = {
            "a page, warm": f"{site}/{DAY}", "Hummingbird, the same bytes": f"{bare}/", "nginx, the same bytes": f"{nginx}/page.html",
            "JSON, its parts read each time": f"{site}/{DAY}.json", "the same as gzip": f"{site}/{DAY}.json",
        }
        other = stack.enter_context(_without_cache(binaries, environment))
        chart, film = _film(other)
        rendered = {"a page, rendered each time": chart, f"a film with {RUN_DAYS} archived days, each time": film,
                    "a year, each time": "/2019"}
        urls |= {name: other + path for name, path in rendered.items()}
        command = "the command line's answer, 16 askers"
        rates: dict[str, list[float]] = {name: [] for name in [*urls, command]}
        for number in range(runs + 1):
            run = {name: _rate(url, is_packed=not name.startswith("JSON")) for name, url in urls.items()}
            run[command] = _command_rate(binaries, environment)
            if number:  # the first run loads everything into memory
                for name, rate in run.items():
                    rates[name].append(rate)
        print(f"answers a second, {CONNECTIONS} connections; a page has {len(gzip.decompress(packed)):,} bytes, {len(packed):,} as gzip")
        for name, values in rates.items():
            print(f"  {name:<44} {spread(values):>24}   of Hummingbird alone {ratio(values, rates['Hummingbird, the same bytes'])}")
        for name in list(rendered)[1:]:
            print(f"  {name:<44} of a page's rate {ratio(rates[name], rates[next(iter(rendered))])}")
        set_latency(folder, LATENCY_MS)
        _print_cold(site)


def _print_cold(site: str) -> None:
    """Pairs of a chart alone, as JSON, and the page of another chart, both of days that nobody has asked for."""
    weeks = (f"/{year}-W{week:02}.json" for year in (2006, 2007) for week in range(1, 50))
    days = (f"/{year}-{month:02}-{day:02}" for year in (2008, 2009, 2010) for month in range(1, 13) for day in (3, 13, 23))
    chart, first, whole = [], [], []
    for week, day in itertools.islice(zip(weeks, days, strict=False), COLD + 1):
        chart.append(_times(site, week, b"}")[0])
        times = _times(site, day, b'<li class="film"')
        first.append(times[0])
        whole.append(times[1])
    print(f"{LATENCY_MS} ms upstream, nothing stored, {COLD} pairs")
    print(f"  a chart alone                    {spread(chart[1:], 1)} ms")
    print(f"  the first films of a page        {spread(first[1:], 1)} ms, "
          f"later by {spread([ours - theirs for ours, theirs in zip(first[1:], chart[1:], strict=True)], 1)}")
    print(f"  the whole page                   {spread(whole[1:], 1)} ms")


def _times(site: str, path: str, text: bytes) -> tuple[float, float]:
    """Return the milliseconds until the answer contains the text, and until its end."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(site).netloc, timeout=20)
    start = time.perf_counter()
    connection.request("GET", path)
    response = connection.getresponse()
    body, first = b"", 0.0
    while piece := response.read1():
        body += piece
        if not first and text in body:
            first = time.perf_counter() - start
    if response.status != 200 or not first:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: {path} has status {response.status}")
    connection.close()
    return first * 1000, (time.perf_counter() - start) * 1000


def _command_rate(binaries: Path, environment: dict[str, str]) -> float:
    printed, _ = output(
        [binaries / "gateway", "bench", DAY, "--for", f"{SECONDS}s", "--json", "--askers", CONNECTIONS], environment)
    return float(json.loads(printed)["answersPerSecond"])


def _rate(url: str, is_packed: bool = True) -> float:
    """Return the answers a second; each of them has status 200."""
    more = ["-H", "Accept-Encoding: gzip"] if is_packed else []
    printed = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *more, url],
        check=True, capture_output=True, text=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    if rate is None or "Non-2xx" in printed or "Socket errors" in printed:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: {url}: {printed}")
    return float(rate[1])


@contextmanager
def _without_cache(binaries: Path, environment: dict[str, str]) -> Iterator[str]:
    """Run another stack whose pages are rendered each time, with an archive of some months."""
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder), "BOXOFFICE_WEB_CACHE": "0"}
        with demo_stack(binaries, environment, "--web"):
            subprocess.run([binaries / "gateway", "archive", "fill", ARCHIVED, "--rate", "off", "--details"],
                           env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            yield (folder / "web.url").read_text(encoding="ascii").strip()


def _film(site: str) -> tuple[str, str]:
    """Return the page of a chart, and that of one of its films on its sixtieth known day."""
    days: dict[str, list[str]] = {}
    for month, last in ((2, 28), (3, 31), (4, 30), (5, 31), (6, 30)):
        for number in range(1, last + 1):
            day = f"2019-{month:02}-{number:02}"
            for film in json.loads(_get(site, f"/{day}.json"))["films"]:
                days.setdefault(film["code"], []).append(day)
                if len(days[film["code"]]) == RUN_DAYS:
                    for path in (found := (f"/{day}", f"/films/{film['code']}?date={day}")):
                        _get(site, path)
                    return found
    raise SystemExit("Tests/Tools/Benchmarks/benchmarks: no film runs for so long.")


def _get(site: str, path: str) -> bytes:
    with urllib.request.urlopen(site + path) as response:
        return bytes(response.read())


def _page(site: str, path: str) -> tuple[str, bytes]:
    """Return the fields and the body of a complete page: the second answer contains all that the first has fetched."""
    for _ in range(2):
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(site).netloc, timeout=20)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        response = connection.getresponse()
        body = response.read()
        connection.close()
    if response.status != 200 or response.getheader("ETag") is None:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: {path} is no complete page")
    fields = [f"{name}: {value}" for name, value in response.getheaders() if name not in ("Server", "Date")]
    return "\n".join(fields), body


@contextmanager
def _floor(command: list[Path], fields: str) -> Iterator[str]:
    process = subprocess.Popen(
        [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(fields)
        process.stdin.close()
        yield process.stdout.readline().strip()
    finally:
        stop(process)
