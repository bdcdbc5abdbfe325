"""Every row exactly once, whenever the process dies or the disk fails (contract 7.4, 10).

`crash_sweep.py` has the sweep; that it has teeth is what `test_mutants.py` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ingest.crash_sweep import (
    CHANGES,
    Table,
    Violation,
    count_effects,
    failure_violations,
    pair_violations,
    run_to,
    violations,
)
from tests.ingest.crashes import CrashPoint, Failure, Moment
from tests.ingest.engine_world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def wrong(outcomes: Iterable[tuple[str, Violation | None]]) -> list[tuple[str, Violation]]:
    return [(name, found) for name, found in outcomes if found is not None]


@pytest.mark.parametrize("table", Table)
def test_run_has_as_many_effects_as_its_steps(table: Table, memory: Path) -> None:
    """One sidecar and version; state made and filled; per batch offset, data, entry, commit."""
    assert count_effects(memory, table) == 1 + 2 + 3 * 4 + 2


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_row_is_there_once_after_a_crash(
    change: Callable[[World], None], table: Table, memory: Path
) -> None:
    assert wrong(violations(memory, [change], table)) == []


@pytest.mark.parametrize("table", Table)
def test_every_row_is_there_once_after_two_crashes(table: Table, memory: Path) -> None:
    assert wrong(pair_violations(memory, table, 4)) == []


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("failure", [Failure.DISK_FULL, Failure.NO_PERMISSION])
def test_every_row_is_there_once_after_a_failure_of_the_disk(
    failure: Failure, table: Table, memory: Path
) -> None:
    assert wrong(failure_violations(memory, table, failure)) == []


def test_first_version_is_there_once_after_a_crash_in_load(memory: Path) -> None:
    found = []
    for moment in Moment:
        world = World(memory / moment.value)
        world.land("a", {"id": 1})
        found.append(run_to(CrashPoint(0, moment), world))
        world.start_until_stable()
        found.append(len(world.store.versions()))
    assert found == [None, 1, None, 1]
