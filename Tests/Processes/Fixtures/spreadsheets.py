"""Read a CSV of charts as Services/Gateway/README.md says, with pandas and DuckDB, and print the types and sums of its columns."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Support"))

import virtual_environment  # noqa: E402


def main(table: str) -> None:
    """Print what both libraries make of the file."""
    import duckdb  # pylint: disable=import-error,import-outside-toplevel
    import pandas  # pylint: disable=import-error,import-outside-toplevel

    frame = pandas.read_csv(table, parse_dates=["date", "openingDay"], dtype={"code": str})
    types = duckdb.sql(f"DESCRIBE SELECT * FROM '{table}'").fetchall()
    sums = duckdb.sql(f"SELECT count(*), sum(audience), min(date), max(code) FROM '{table}'").fetchone()
    print(json.dumps({
        "pandas": {name: str(kind) for name, kind in frame.dtypes.items()},
        "duckdb": {row[0]: row[1] for row in types},
        "pandasSum": int(frame["audience"].sum()), "duckdbSum": int(sums[1]), "rows": [len(frame), sums[0]],
        "firstDay": [str(frame["date"].min().date()), str(sums[2])],
    }))


if __name__ == "__main__":
    python = virtual_environment.install("spreadsheets", HERE / "spreadsheets.txt")
    if Path(sys.executable).parent != python.parent:
        os.execv(python, [python, *sys.argv])
    main(sys.argv[1])
