"""Five broken engines, each caught by one user's test with a message that points at it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ingest import evolving
from ingest.formats import csv_rows
from ingest.rescue import build_rescued
from ingest.sinks.delta_table import DeltaStaging
from ingest.text import values
from schema_store.store import SchemaStore, SchemaVersion

if TYPE_CHECKING:
    from collections.abc import Callable

pytest_plugins = ["pytester"]

USER_TEST = """
from decimal import Decimal
def test_orders(landing, autoloader):
    autoloader.option("cloudFiles.schemaHints", "id INT, amount DECIMAL(10,2)")
    landing.csv("1.csv", "id,amount\\n1,10.255")
    autoloader.run()
    landing.csv("2.csv", "id,amount,note\\nx,3.25,hello")
    autoloader.run()
    assert autoloader.condition == "UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE"
    autoloader.restart()
    assert autoloader.version == 1
    assert autoloader.rows == [(1, Decimal("10.26"), None), (None, Decimal("3.25"), "hello")]
    assert autoloader.rescued == [{"id": "x", "_file_path": "2.csv"}]
"""


def lose_a_rescued_value(patch: pytest.MonkeyPatch) -> None:
    def losing(height: int, parts: list[Any], members: Any) -> Any:
        return build_rescued(height, parts[1:], members)

    patch.setattr(csv_rows, "build_rescued", losing)


def write_no_version(patch: pytest.MonkeyPatch) -> None:
    add = SchemaStore.add

    def forgetting(store: SchemaStore, schema: Any, partitions: Any, **given: Any) -> Any:
        if given["after"] is None:
            return add(store, schema, partitions, **given)
        return SchemaVersion(given["after"].number + 1, schema, partitions)

    patch.setattr(SchemaStore, "add", forgetting)


def double_a_batch(patch: pytest.MonkeyPatch) -> None:
    write = DeltaStaging.write

    def twice(staging: DeltaStaging, rows: Any) -> None:
        write(staging, rows)
        write(staging, rows)

    patch.setattr(DeltaStaging, "write", twice)


def rescue_in_every_mode(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(evolving, "_STOPPING", frozenset())


def cut_decimals(patch: pytest.MonkeyPatch) -> None:
    def cutting(number: Decimal, _precision: int, scale: int) -> tuple[Decimal, Decimal]:
        return number.quantize(Decimal(1).scaleb(-scale), rounding=ROUND_DOWN), number

    patch.setattr(values, "round_decimal", cutting)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken engine, and lines that the failing test has to show."""

    breaks: Callable[[pytest.MonkeyPatch], None]
    told: tuple[str, ...]


MUTANTS = (
    Mutant(
        lose_a_rescued_value,
        (
            "*assert autoloader.rescued ==*",
            "*0 rescued rows found, 1 rescued row expected, 0 the same:",
            "*-  'x'*'2.csv'*expected",
        ),
    ),
    Mutant(
        write_no_version,
        (
            "*assert autoloader.version == 1",
            "run 3 stopped: UNKNOWN_FIELD_EXCEPTION.NEW_FIELDS_IN_FILE",
            "  2.csv: column note: not there -> STRING",
            "  but no new schema version was written: each restart will stop again",
        ),
    ),
    Mutant(
        double_a_batch,
        (
            "*assert autoloader.rows ==*",
            "*4 rows found, 2 rows expected, 2 the same:",
            "*2 rows are there more often than expected: landed twice?",
        ),
    ),
    Mutant(
        rescue_in_every_mode,
        (
            "*assert autoloader.condition ==*",
            "mode addNewColumns",
            "run 2: 2.csv landed (1 row, schema version 0)",
            "  2.csv: column note: not there -> STRING, e.g. 'hello'",
            "  what to do: mode addNewColumns adds new columns: it should not have been rescued",
        ),
    ),
    Mutant(
        cut_decimals,
        (
            "*-  1*Decimal('10.26')*expected",
            "*+  1*Decimal('10.25')*found",
            "*column amount: Decimal('10.26') expected, Decimal('10.25') found",
            "  lost: 1.csv: column amount: 1 changed, e.g. 10.255 (*",
        ),
    ),
)


def test_the_user_test_is_ten_lines_and_passes_with_the_engine_as_it_is(
    run_user_test: Callable[..., pytest.RunResult],
) -> None:
    result = run_user_test(USER_TEST)

    result.assert_outcomes(passed=1)
    assert len(USER_TEST.partition("autoloader):\n")[2].splitlines()) == 10


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.breaks.__name__)
def test_a_broken_engine_is_caught(
    run_user_test: Callable[..., pytest.RunResult],
    monkeypatch: pytest.MonkeyPatch,
    mutant: Mutant,
) -> None:
    mutant.breaks(monkeypatch)

    result = run_user_test(USER_TEST)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(mutant.told)
