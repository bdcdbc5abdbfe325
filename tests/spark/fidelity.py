"""What the README says of the comparison with Spark, made from the recordings and the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.spark.comparison import answers_of
from tests.spark.differences import DIFFERENCES
from tests.spark.our_answers import refused
from tests.spark.questions import Kind, read_recording, recordings

if TYPE_CHECKING:
    from tests.spark.questions import Recording

_ASKED = {
    Kind.TYPES: "which type a column gets (cells in row order)",
    Kind.VALUES: "which value a text has in a column of a type",
    Kind.LINES: "how a line is cut into cells",
    Kind.ROWS: "which rows a file has (line ends, encodings, `multiLine`, modes, …)",
    Kind.SCHEMA: "which columns a file has (headers)",
}


def fidelity() -> str:
    """Give the two tables: what was compared, and what differs."""
    recorded = [read_recording(path) for path in recordings()]
    total = sum(map(answers_of, recorded))
    refusals = _refusals(recorded)
    differing = sum(one.count for one in DIFFERENCES) + sum(refusals.values())
    version = ", ".join(sorted({one.spark for one in recorded}))
    same = total - differing
    lines = [
        f"Spark {version} was asked {total:,} questions; {same:,} of our answers are the same.",
        "",
        "| Asked | Ways to read | Answers |",
        "|---|---:|---:|",
        *(_row(kind, [one for one in recorded if one.questions.kind is kind]) for kind in Kind),
        "",
        "| Answers that differ | Why |",
        "|---:|---|",
        *(f"| {one.count:,} | {one.reason} |" for one in DIFFERENCES),
        *(f"| {count:,} | `{key}`: refused by name. |" for key, count in refusals.items()),
    ]
    return "\n".join(lines)


def _refusals(recorded: list[Recording]) -> dict[str, int]:
    """Count the answers of sets with an option that is refused by name."""
    counts: dict[str, int] = {}
    for one in recorded:
        key = refused(one.questions)
        if key is not None:
            counts[key] = counts.get(key, 0) + answers_of(one)
    return dict(sorted(counts.items()))


def _row(kind: Kind, recorded: list[Recording]) -> str:
    return f"| {_ASKED[kind]} | {len(recorded)} | {sum(map(answers_of, recorded)):,} |"
