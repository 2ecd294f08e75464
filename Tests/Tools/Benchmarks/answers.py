"""Warm answers of `gateway show`: within a running gateway, as JSON and as text, and as a whole process."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from .figures import spread
from .processes import cpu_seconds_of, output, run_folder
from .stack import STACK, demo_stack

SCHEMAS = STACK.parent.parent / "Shared/BoxOffice/Schemas/JSON"
KEPT = 1000
"""The highest number of answers that gateway bench keeps."""
DAY = "2022-01-05"
SECONDS = 3
WHOLE = 50
"""The number of sequential processes whose median is one run."""
RIVALS = {
    "JSON, 1 asker": ["--askers", "1"],
    "JSON, 16 askers": ["--askers", "16"],
    "text, 1 asker": ["--askers", "1", "--text"],
}


def bench_answers(binaries: Path, runs: int, environment: dict[str, str]) -> None:
    """Each run queries the same ten films, 21 parts, all stored and fresh."""
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in RIVALS}
    whole: list[float] = []
    with run_folder() as folder:
        environment = {**environment, "BOXOFFICE_RUN": str(folder)}
        with demo_stack(binaries, environment):
            question = [binaries / "gateway", "show", DAY, "--json"]
            output(question, environment)
            pids = _pids(environment)
            valid = _validate(binaries, environment, folder / "answers")
            for number in range(runs + 1):
                for name, options in RIVALS.items():
                    result = _bench(binaries, environment, options, pids)
                    if number:  # the first run loads everything into memory
                        figures[name].append(result)
                times = [_milliseconds(question, environment) for _ in range(WHOLE)]
                if number:
                    whole.append(sorted(times)[WHOLE // 2])
    print(f"  {'':<16}  {'p50 ms':>18}  {'p99 ms':>18}  {'answers/s':>24}  CPU µs an answer: gateway, broker, cache-store")
    for name, results in figures.items():
        columns = [spread([run[key] for run in results], 2) for key in ("p50", "p99")]
        rate = spread([run["rate"] for run in results])
        cpu = ", ".join(spread([run[key] for run in results]) for key in ("gateway", "broker", "cache-store"))
        print(f"  {name:<16}  {columns[0]:>18}  {columns[1]:>18}  {rate:>24}  {cpu}")
    print(f"  {valid}")
    print(f"  a whole process, p50 of {WHOLE}: {spread(whole, 1)} ms")


def _bench(binaries: Path, environment: dict[str, str], options: list[str], pids: dict[str, int]) -> dict[str, float]:
    before = {name: cpu_seconds_of(pid) for name, pid in pids.items()}
    printed, _ = output([binaries / "gateway", "bench", DAY, "--for", f"{SECONDS}s", "--json", *options], environment)
    report: dict[str, Any] = json.loads(printed)
    if report["complete"] != report["answers"] or report["cache"] != {"hit": 21 * report["answers"]}:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: these are no warm answers: {report}")
    cpu = {name: (cpu_seconds_of(pid) - before[name]) / report["answers"] * 1e6 for name, pid in pids.items()}
    return {
        "p50": report["latency"]["p50Microseconds"] / 1000, "p99": report["latency"]["p99Microseconds"] / 1000,
        "rate": report["answersPerSecond"], "gateway": report["cpuMicrosecondsPerAnswer"], **cpu,
    }


def _validate(binaries: Path, environment: dict[str, str], folder: Path) -> str:
    """Validate every answer of 16 askers against its schema, in a separate run, since keeping them takes time."""
    folder.mkdir()
    printed, _ = output(
        [binaries / "gateway", "bench", DAY, "--for", f"{SECONDS}s", "--json", "--askers", "16", "--keep", folder],
        environment)
    answers = sorted(folder.iterdir())
    if len(answers) >= KEPT:
        raise SystemExit(f"Tests/Tools/Benchmarks/benchmarks: more than {KEPT} different answers: not all of them are kept")
    given = [word for answer in answers for word in ("-i", str(answer))]
    subprocess.run(
        ["/usr/bin/python3", "-m", "jsonschema", "--base-uri", f"{SCHEMAS.as_uri()}/", *given,
         str(SCHEMAS / "show.schema.json")], check=True)
    count = json.loads(printed)["answers"]
    return f"all of {count:,} answers are as the schema says; {len(answers)} are different"


def _pids(environment: dict[str, str]) -> dict[str, int]:
    status = json.loads(subprocess.run(
        [str(STACK), "ps", "--json"], env=environment, check=True, stdout=subprocess.PIPE).stdout)
    wanted = ("broker", "cache-store")
    return {entry["service"]: int(entry["pid"]) for entry in status["processes"] if entry["service"] in wanted}


def _milliseconds(command: list[Any], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    output(command, environment)
    return (time.perf_counter() - start) * 1000
