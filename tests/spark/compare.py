"""Show where the emulator differs from recorded answers: `python -m tests.spark.compare`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.spark.comparison import disagreements
from tests.spark.questions import RECORDED, read_recording, recordings


def main() -> None:
    """Print every difference, at most `--show` of each set."""
    parser = argparse.ArgumentParser(prog="python -m tests.spark.compare", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of the names of sets; default: all")
    parser.add_argument("--recorded", type=Path, default=RECORDED)
    parser.add_argument("--show", type=int, default=10)
    given = parser.parse_args()
    for path in recordings(given.recorded):
        if not given.names or path.name.startswith(tuple(given.names)):
            recording = read_recording(path)
            with tempfile.TemporaryDirectory() as folder:
                found = disagreements(recording, Path(folder))
            if found:
                sys.stdout.write(f"{path.name}: {len(found)} {recording.questions.options}\n")
            for one in found[: given.show]:
                sys.stdout.write(
                    f"    {one.case!r}\n        spark {one.spark}\n        ours  {one.ours}\n"
                )


if __name__ == "__main__":
    main()
