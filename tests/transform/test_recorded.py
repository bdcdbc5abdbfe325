"""Expressions have the names, types and values that Spark gave, or a reason why not."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from tests.transform.comparison import DIFFERENCES, NAME_DIFFERENCES, REFUSED, same
from tests.transform.our_answers import UNSUPPORTED, name_answer, value_answers
from tests.transform.questions import (
    Recording,
    name_questions,
    read_recording,
    rows_of,
    value_questions,
)


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording()


def test_names_and_types_are_sparks(recording: Recording) -> None:
    answers = {expression: name_answer(expression) for expression in recording.names}

    found = {
        expression: (spark, answers[expression])
        for expression, spark in recording.names.items()
        if answers[expression] != UNSUPPORTED and not same(spark, answers[expression])
    }

    assert set(found) == set(NAME_DIFFERENCES)


def test_what_is_refused_is_known(recording: Recording) -> None:
    refused = [one for one in recording.names if name_answer(one) == UNSUPPORTED]

    assert [one for one in refused if not any(re.search(known, one) for known in REFUSED)] == []


@pytest.mark.timeout(200)
def test_values_are_sparks(recording: Recording) -> None:
    noon = dt.datetime.fromisoformat(f"{recording.day}T12:00:00+00:00")
    counts = dict.fromkeys(DIFFERENCES, 0)
    unexplained = []
    for question, spark_answers in recording.values:
        ours = value_answers(question, noon)
        for row, spark, own in zip(rows_of(question), spark_answers, ours, strict=True):
            if own == UNSUPPORTED or same(spark, own):
                continue
            case = f"{question.expression} | {', '.join(map(str, row))}"
            reason = next((one for one in DIFFERENCES if re.search(one.cases, case)), None)
            if reason is None:
                unexplained.append((case, question.zone, spark, own))
            else:
                counts[reason] += 1

    assert unexplained == []
    assert counts == {one: one.count for one in DIFFERENCES}


def test_everything_that_is_asked_is_recorded(recording: Recording) -> None:
    assert set(recording.names) == set(name_questions()), "python -m tests.transform.record"
    assert [one for one, _ in recording.values] == value_questions()
