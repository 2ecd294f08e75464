"""The archive: filling it, a film's run, all days as CSV, its size and its memory."""

from __future__ import annotations

import json
import sqlite3
import statistics
import subprocess
import threading
import time
from pathlib import Path

from .figures import spread
from .footprint import pss_megabytes
from .processes import output, run_folder
from .stack import demo_stack, set_latency

LATENCY_MS = 100
FILLED = "2021"
FILLED_DAYS = 365
COLD_DAYS = 60
CONCURRENT_FILLS = 4
CONCURRENT_FETCHES = 16
REST_SECONDS = 5
ALL = "2003-11-11.."
COLUMNS = (
    "day", "rank", "rowNumber", "rankChange", "presence", "code", "title", "openingDay", "audience", "audienceChange",
    "audienceChangePercent", "audienceTotal", "salesAmount", "salesShare", "salesChange", "salesChangePercent", "salesTotal",
    "screens", "showings", "source")
RUN = f"SELECT {', '.join(COLUMNS)} FROM chart_entry WHERE code = ? AND kind = 'daily' ORDER BY day"
"""The same figures as `gateway run`, of all runs of the film."""
DAILY = "kind = 'daily' AND source = 'demo'"
EDGES = f"""
    SELECT code, min(day), audience, audienceTotal, salesAmount, salesTotal FROM chart_entry
    WHERE {DAILY} AND day BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY code"""
TOP = [EDGES, EDGES.replace("min(", "max("), f"SELECT code, audienceTotal, salesTotal FROM chart_entry WHERE {DAILY} AND day = '2023-12-31'"]
SHARE = [f"""
    SELECT substr(day, 1, 7), CASE WHEN nations IS NULL OR nations = '[]' THEN 3 WHEN nations = '["한국"]' THEN 0
        WHEN nations LIKE '%"한국"%' THEN 2 ELSE 1 END, sum(audience)
    FROM chart_entry LEFT JOIN film USING (source, code)
    WHERE {DAILY} AND day BETWEEN '2020-01-01' AND '2024-12-31' GROUP BY 1, 2"""]
RECORDS = [
    f"SELECT code, day, max(audience) FROM chart_entry WHERE {DAILY}",
    f"SELECT code, day, max(audience) FROM chart_entry WHERE {DAILY} AND day = openingDay",
    f"""SELECT code, date(day, 'weekday 0') AS week, sum(audience) FROM chart_entry WHERE {DAILY}
        GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1""",
    f"""SELECT code, substr(day, 1, 7), sum(audience) FROM chart_entry WHERE {DAILY} GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1""",
    f"SELECT day, code FROM chart_entry WHERE {DAILY} AND rank = 1 ORDER BY day"] + [
    f"""SELECT code, day, min(julianday(day) - julianday(openingDay)) FROM chart_entry
        WHERE {DAILY} AND openingDay <> '' AND audienceTotal >= {total} AND audienceTotal - audience < {total} AND day >= openingDay"""
    for total in (1_000_000, 3_000_000, 5_000_000, 10_000_000)]
"""The same figures as the commands, without what follows from them in Python."""


def bench_archive(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Fill one archive with all days of the demo, and measure questions to it."""
    gateway = binaries / "gateway"
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder), "BOXOFFICE_ARCHIVE_LOOKS": "0"}
        with demo_stack(binaries, environment):
            archive = int(next(
                process["pid"] for process in json.loads(_processes(environment))["processes"] if process["instance"] == "archive/1"))
            set_latency(folder, LATENCY_MS)
            took = _seconds([gateway, "archive", "fill", FILLED, "--rate", "off"], environment)
            ideal = FILLED_DAYS * LATENCY_MS / 1000 / CONCURRENT_FILLS
            print(f"fill of {FILLED_DAYS} days, {LATENCY_MS} ms upstream  {took:.2f} s, {took / ideal:.2f} of the calls alone")
            _cold(gateway, environment)
            set_latency(folder, 0)
            took = _seconds([gateway, "archive", "fill", ALL, "--rate", "off"], environment)
            database = folder / "data/archive.sqlite"
            days = sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute("SELECT count(*) FROM chart").fetchone()[0]
            size = sum(path.stat().st_size for path in database.parent.glob("archive.sqlite*")) / 1e6
            print(f"{days:,} days: filled in {took:.0f} s, {size:.1f} MB with the log, {size * 1e6 / days:,.0f} bytes a day")
            _runs(gateway, runs, environment, database)
            output([gateway, "archive", "fill", ALL, "--details", "--rate", "off"], environment)
            _questions(gateway, runs, environment, database)
            _export(gateway, runs, environment, database, archive)


def _processes(environment: dict[str, str]) -> bytes:
    """Return the processes of the stack as JSON."""
    launcher = Path(__file__).resolve().parents[3] / "compose/stack"
    return subprocess.run([str(launcher), "ps", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout


def _seconds(command: list[object], environment: dict[str, str]) -> float:
    start = time.monotonic()
    subprocess.run([str(word) for word in command], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def _cold(gateway: Path, environment: dict[str, str]) -> None:
    """Ask for a run of which one day is archived, as far as the usual number of calls goes."""
    output([gateway, "archive", "fill", "2018-07-25"], environment)
    first = json.loads(output([gateway, "chart", "2018-07-25", "--json"], environment)[0])
    code = first["chart"]["value"]["entries"][0]["code"]
    start = time.monotonic()
    run = json.loads(output([gateway, "run", code, "--json", "--date", "2018-12-31", "--calls", str(COLD_DAYS)], environment)[0])
    took = time.monotonic() - start
    ideal = run["calls"] * LATENCY_MS / 1000 / CONCURRENT_FETCHES
    print(f"cold run of a film, {run['calls']} calls  {took:.2f} s, {took / ideal:.2f} of the calls alone")


def _runs(gateway: Path, runs: int, environment: dict[str, str], database: Path) -> None:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        code, rows = connection.execute(
            "SELECT code, count(*) FROM chart_entry WHERE kind = 'daily' GROUP BY code ORDER BY count(*) DESC, code LIMIT 1").fetchone()
        ours, theirs = [], []
        for _ in range(runs):
            report = json.loads(output(
                [gateway, "bench", "--question", f"run {code} --date 2025-12-31", "--for", "3s", "--json"], environment)[0])
            ours.append(report["latency"]["p50Microseconds"] / 1000)
            times = []
            for _ in range(500):
                start = time.perf_counter()
                connection.execute(RUN, (code,)).fetchall()
                times.append((time.perf_counter() - start) * 1000)
            theirs.append(statistics.median(times))
    print(f"a run of {rows} days, p50  in a running gateway {spread(ours, 2)} ms, by Python's sqlite3 {spread(theirs, 2)} ms")


def _questions(gateway: Path, runs: int, environment: dict[str, str], database: Path) -> None:
    """Questions about a range, in a running gateway and by Python's sqlite3 in process."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        films = [row[0] for row in connection.execute(
            f"SELECT code FROM chart_entry WHERE {DAILY} AND day BETWEEN '2024-01-01' AND '2024-06-30' GROUP BY code "
            "ORDER BY max(audienceTotal) DESC LIMIT 2")]
        questions = [
            (f"compare {films[0]} {films[1]} --date 2025-12-31", [RUN.replace("?", f"'{code}'") for code in films]),
            ("top 2024", TOP), ("share 2020..2024 --by month", SHARE), ("records", RECORDS)]
        for question, statements in questions:
            ours, theirs = [], []
            for _ in range(runs):
                report = json.loads(output([gateway, "bench", "--question", question, "--for", "2s", "--json"], environment)[0])
                ours.append(report["latency"]["p50Microseconds"] / 1000)
                times = []
                for _ in range(20):
                    start = time.perf_counter()
                    for statement in statements:
                        connection.execute(statement).fetchall()
                    times.append((time.perf_counter() - start) * 1000)
                theirs.append(statistics.median(times))
            ratio = statistics.median(ours) / statistics.median(theirs)
            print(f"{question.split(' --date')[0]}, p50  in a running gateway {spread(ours, 2)} ms, by Python's sqlite3 "
                  f"{spread(theirs, 2)} ms, {ratio:.2f} times")


def _export(gateway: Path, runs: int, environment: dict[str, str], database: Path, archive: int) -> None:
    """All days as CSV; meanwhile the archive's memory is read."""
    time.sleep(REST_SECONDS)
    rest, highest, done = pss_megabytes(archive), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            highest[0] = max(highest[0], pss_megabytes(archive))

    ours, theirs = [], []
    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(runs):
        ours.append(_seconds([gateway, "chart", ALL, "--offline", "--format", "csv"], environment))
        theirs.append(_seconds(
            ["sqlite3", "-csv", "-header", "-readonly", database,
             f"SELECT {', '.join(COLUMNS)} FROM chart_entry WHERE kind = 'daily' ORDER BY day, rowNumber"], environment))
    done.set()
    watcher.join()
    print(f"all days as CSV  {spread(ours, 2)} s, by sqlite3 {spread(theirs, 2)} s")
    print(f"memory of the archive (PSS)  at rest {rest:.1f} MB, during the export at most {highest[0]:.1f} MB")
