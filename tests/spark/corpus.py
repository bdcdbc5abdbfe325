"""Everything that Spark is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.spark.file_sets import file_sets
from tests.spark.line_sets import line_sets
from tests.spark.text_sets import text_sets
from tests.spark.time_sets import time_sets

if TYPE_CHECKING:
    from tests.spark.questions import QuestionSet

SEED = 20261130


def corpus(seed: int = SEED) -> list[QuestionSet]:
    """Give all question sets; the same seed gives the same questions."""
    return [*text_sets(seed), *time_sets(seed), *line_sets(seed), *file_sets(seed)]
