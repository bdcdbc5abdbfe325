"""Ask a real Spark and store its answers: `python -m tests.spark.record`.

Needs Java and the extra `spark` (`pip install -e '.[test,spark]'`). Names (or beginnings of names)
of question sets ask only those; `--some N` asks about N items of each set, spread over it,
`--every N` only each N-th set.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import tempfile
import time
from pathlib import Path

from tests.spark.corpus import SEED, corpus
from tests.spark.questions import RECORDED, QuestionSet, Recording, write_recording
from tests.spark.spark_answers import ask, start_spark
from tests.spark.spark_file_sets import spark_file_sets


def main() -> None:
    """Record what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.spark.record", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of the names of sets; default: all")
    parser.add_argument("--to", type=Path, default=RECORDED, help="folder of the recordings")
    parser.add_argument("--seed", type=int, default=SEED, help="other random questions")
    parser.add_argument("--some", type=int, default=None, help="items of each set")
    parser.add_argument(
        "--test-data", type=Path, default=None, help="also ask about Spark's test files, here"
    )
    parser.add_argument("--every", type=int, default=1, help="leave out all but each such set")
    given = parser.parse_args()
    sets = corpus(given.seed)[:: given.every]
    if given.some is not None:
        sets = [one.some(given.some) for one in sets]
    if given.test_data is not None:
        sets += spark_file_sets(given.test_data)
    names = tuple(given.names)
    wanted = [one for one in sets if not names or one.name.startswith(names)]
    record(wanted, given.to)


def record(sets: list[QuestionSet], to: Path) -> None:
    """Ask one Spark session everything, and write one file for each set."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        spark = start_spark(work)
        today = dt.datetime.now(dt.UTC).date().isoformat()  # noqa: TID251 - what Spark's clock says
        try:
            for questions in sets:
                start = time.perf_counter()
                answers = ask(spark, questions, work / questions.name)
                took = time.perf_counter() - start
                write_recording(Recording(questions, tuple(answers), spark.version, today), to)
                sys.stdout.write(f"{took:6.1f} s  {questions.name}: {len(answers)} items\n")
                sys.stdout.flush()
        finally:
            spark.stop()


if __name__ == "__main__":
    main()
