"""Compare with peers, back to back in one call: `python -m tests.benchmarks [--quick|--smoke]`.

Contender and peer run in turn (A B A B …), each in a process of its own: median wall ratio, CPU
seconds (user + sys of the whole process, start-up included) and peak memory. Ratios are what
counts; absolute times on a shared machine mean nothing. `--spark PYTHON` adds Spark's file stream.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.csv_data import Kind, csv_folder
from tests.benchmarks.discovery import (
    IDLE_TARGET,
    NEW,
    START_TARGET,
    known_files,
    measure_listings,
    measure_start,
)
from tests.benchmarks.json_data import json_folder
from tests.benchmarks.measuring import Compared, Runner, compare, measure_command
from tests.benchmarks.micro_batches import TARGET_MS, measure_overhead
from tests.benchmarks.parquet_data import parquet_folder

DATA = Path(__file__).parent / "data"
OVERHEAD = "per micro-batch overhead (Delta)"
IMPORTS = 5
"""Times that start-up is measured."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row: a contender on some data, a peer on the same or on clean data, and the target."""

    title: str
    ours: str
    kind: Kind
    peer: str
    target: float | None = None
    peer_kind: Kind | None = None


CASES = (
    Case("CSV typed, clean", "typed", Kind.CLEAN, "duckdb_typed", 1.05),
    Case("CSV typed, clean", "typed", Kind.CLEAN, "polars_typed"),
    Case("CSV typed, clean", "typed", Kind.CLEAN, "pyarrow_typed"),
    Case("CSV 1 % misfits", "rescue", Kind.ONE_PERCENT, "duckdb_typed", 1.25, Kind.CLEAN),
    Case("CSV every row misfits", "rescue", Kind.EVERY_ROW, "duckdb_typed", 1.5, Kind.CLEAN),
    Case("CSV extra column", "rescue", Kind.EXTRA_COLUMN, "duckdb_typed", None, Kind.CLEAN),
    Case("CSV string mode", "strings", Kind.CLEAN, "duckdb_strings", 1.0),
    Case("CSV small files", "typed", Kind.SMALL_FILES, "polars_typed", 0.25),
    Case("CSV small files", "typed", Kind.SMALL_FILES, "duckdb_typed"),
    Case("NDJSON typed, clean", "json-typed", Kind.CLEAN, "duckdb_json", 1.8),
    Case("NDJSON 1 % misfits", "json-rescue", Kind.ONE_PERCENT, "duckdb_json", 2.6, Kind.CLEAN),
    Case("NDJSON new key", "json-rescue", Kind.EXTRA_COLUMN, "duckdb_json", 2.2, Kind.CLEAN),
    Case("NDJSON every misfits", "json-rescue", Kind.EVERY_ROW, "duckdb_json", 9, Kind.CLEAN),
    Case("NDJSON string mode", "json-strings", Kind.CLEAN, "duckdb_json", 3.5),
    Case("NDJSON full inference", "json-infer", Kind.CLEAN, "duckdb_json_infer", 0.4),
    Case("Parquet to Parquet", "parquet", Kind.PARQUET, "polars_parquet", 1.15),
    Case("Parquet to Parquet", "parquet", Kind.PARQUET, "duckdb_parquet"),
    Case("CSV full inference", "infer", Kind.CLEAN, "duckdb_infer", 0.8),
)
SPARK_CASE = Case("CSV typed, clean", "typed", Kind.CLEAN, "spark_stream", 0.3)


def main() -> None:
    """Run every case and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 MB instead of 1 GB")
    parser.add_argument("--smoke", action="store_true", help="2 MB, one round: does it run?")
    parser.add_argument("--megabytes", type=int, default=1000, help="of CSV, when not quick")
    parser.add_argument("--only", default="", help="cases with this in their title or peer")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spark", metavar="PYTHON", help="an interpreter that has pyspark")
    arguments = parser.parse_args()
    megabytes = 2 if arguments.smoke else 100 if arguments.quick else arguments.megabytes
    rounds = 1 if arguments.smoke else arguments.rounds
    cases = CASES if arguments.spark is None else (*CASES, SPARK_CASE)
    print(
        f"{'case':<22} {'peer':<15} {'wall ratio':>10} {'target':>6} {'CPU ratio':>9}"
        f" {'ours CPU s':>10} {'peer CPU s':>10} {'ours MB':>7} {'peer MB':>7}"
    )
    for case in cases:
        if arguments.only in f"{case.title} {case.peer}":
            compared = _compare(case, megabytes, rounds=rounds, spark=arguments.spark)
            print(_row(case, compared), flush=True)
    if arguments.only in "start-up":
        _start_up()
    if arguments.only in "discovery":
        _discovery(*((2000, 4000) if arguments.smoke else (200_000, 1_000_000)))
    if arguments.only in OVERHEAD:
        _overhead(10 if arguments.smoke else 300 if arguments.quick else 2000)


def _compare(case: Case, megabytes: int, *, rounds: int, spark: str | None) -> Compared:
    ours = Runner("tests.benchmarks.contenders", case.ours, prepares=True)
    peer = Runner("tests.benchmarks.peers", case.peer)
    if case.peer == "spark_stream" and spark is not None:
        peer = Runner("tests.benchmarks.spark_stream", case.peer, python=spark)
    folder = _json_folder if case.ours.startswith("json") else _folder
    data = folder(case.kind, megabytes)
    its_data = folder(case.peer_kind or case.kind, megabytes)
    return compare(ours, data, peer, its_data, rounds=rounds)


def _json_folder(kind: Kind, megabytes: int) -> Path:
    return json_folder(DATA, kind, megabytes=megabytes)


def _folder(kind: Kind, megabytes: int) -> Path:
    """Give the data; Parquet takes half of the bytes that text takes."""
    if kind is Kind.PARQUET:
        return parquet_folder(DATA, megabytes=megabytes // 2)
    return csv_folder(DATA, kind, megabytes=megabytes)


def _row(case: Case, compared: Compared) -> str:
    target = "" if case.target is None else f"{case.target:.2f}"
    seen = case is not SPARK_CASE  # Spark's work is done by a process that its own one starts
    cpu, cpu_s, peak = (
        f"{number:.{digits}f}" if seen else "-"
        for number, digits in ((compared.cpu, 2), (compared.peer.cpu, 2), (compared.peer.peak, 0))
    )
    return (
        f"{case.title:<22} {case.peer:<15} {compared.wall:>10.2f} {target:>6} {cpu:>9}"
        f" {compared.ours.cpu:>10.2f} {cpu_s:>10} {compared.ours.peak:>7.0f} {peak:>7}"
    )


def _overhead(batches: int) -> None:
    """Print what a batch of one tiny file takes, and whether it stays so."""
    found = measure_overhead(batches)
    print(
        f"{OVERHEAD}  {found.first:.0f} ms (target {TARGET_MS}); the last of {batches}"
        f" {found.last:.0f} ms, the longest {found.longest:.0f} ms"
    )


def _discovery(listed: int, started: int) -> None:
    """Print what known files cost."""
    for files in (listed, started):
        folder = known_files(DATA, files)
        found, start = measure_listings(folder, files), measure_start(folder, files)
        print(
            f"discovery, {files:,} known files  start {start.cpu:.2f} CPU s (target {START_TARGET}"
            f" at 1,000,000), {start.peak:.0f} MB; idle listing {found.idle_ratio:.3f} of scandir"
            f" + stat (target {IDLE_TARGET}), {found.idle * 1000:.1f} ms; the first"
            f" {found.first:.2f} CPU s; {NEW} new {found.some_new * 1000:.0f} ms;"
            f" {found.peak:.0f} MB; state {found.state:.0f} bytes a file",
            flush=True,
        )


def _start_up() -> None:
    """Print what start-up takes; the least of some runs, as nothing makes it shorter."""
    imports = [measure_command([sys.executable, "-c", "import ingest"]) for _ in range(IMPORTS)]
    helps = [measure_command([sys.executable, "-m", "ingest", "--help"]) for _ in range(IMPORTS)]
    print(f"import ingest          {min(run.cpu for run in imports):.2f} CPU s (target 0.40)")
    print(f"ingest --help          {min(run.wall for run in helps):.2f} wall s (target 0.20)")


if __name__ == "__main__":
    main()
