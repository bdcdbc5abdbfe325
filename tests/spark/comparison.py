"""Where the emulator's answers differ from Spark's, item by item."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.spark.our_answers import UNSUPPORTED, answer
from tests.spark.questions import Json, Kind, Recording

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.spark.differences import Difference


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One item that the two answer differently; `case` names it: `<set> | <item>`."""

    case: str
    spark: Json
    ours: Json


def disagreements(recording: Recording, folder: Path) -> list[Disagreement]:
    """Ask the emulator what Spark was asked; `folder` takes the files."""
    ours = answer(recording.questions, folder, recording.day)
    return compare(recording, recording.answers, ours)


def compare(
    recording: Recording, theirs: Iterable[Json], ours: Iterable[Json]
) -> list[Disagreement]:
    """Give the items whose two answers differ.

    Which error an error is, and options that are refused by name, are not compared.
    """
    questions = recording.questions
    found = []
    for key, spark, own in zip(questions.keys(), theirs, ours, strict=True):
        case = f"{questions.name} | {key}"
        if questions.kind is Kind.VALUES and isinstance(spark, list) and isinstance(own, list):
            found += [
                Disagreement(f"{case} | {data_type}", value, own_value)
                for data_type, value, own_value in zip(questions.types, spark, own, strict=True)
                if value != own_value
            ]
        elif spark != own and not (_failed(own) and _failed(spark)) and not _unsupported(own):
            found.append(Disagreement(case, spark, own))
    return found


def explain(
    found: list[Disagreement], differences: Iterable[Difference]
) -> tuple[list[Disagreement], dict[Difference, int]]:
    """Give those without a reason, and how many each reason is for; the first match counts."""
    counts = dict.fromkeys(differences, 0)
    unexplained = []
    for one in found:
        reason = next((known for known in counts if _is_a(one, known)), None)
        if reason is None:
            unexplained.append(one)
        else:
            counts[reason] += 1
    return unexplained, counts


def _is_a(one: Disagreement, known: Difference) -> bool:
    return re.match(known.cases, one.case, re.DOTALL) is not None and known.when(one)


def answers_of(recording: Recording) -> int:
    """Count single answers: a text has one for each type."""
    each = len(recording.questions.types) if recording.questions.kind is Kind.VALUES else 1
    return len(recording.answers) * each


def _failed(one: Json) -> bool:
    return isinstance(one, dict) and "error" in one


def _unsupported(one: Json) -> bool:
    return isinstance(one, dict) and UNSUPPORTED in one
