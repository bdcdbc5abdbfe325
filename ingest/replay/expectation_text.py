"""`expect:` of a scenario's step, from what a person wrote to closed values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.replay.scenario import (
    NUMBERS,
    Check,
    ExpectError,
    ExpectFields,
    ExpectLedger,
    ExpectMessage,
    ExpectNames,
    ExpectNumber,
    ExpectRows,
    ExpectSchema,
    ExpectStop,
)
from schema_store.ddl import parse_ddl
from schema_store.errors import DdlError
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.replay.written import Written
    from schema_store.types import Schema

KEYS = (
    "rows",
    *NUMBERS,
    "schema",
    "table",
    "stop",
    "new",
    "widened",
    "file",
    "error",
    "message",
    "files",
    "ledger",
)
_EXAMPLE = "expect: {rows: [[1, Ann]], version: 0}"
_MODES = {mode.value: mode for mode in EvolutionMode}
_LEDGER_FACTS = 4


def parse_checks(written: Written) -> Mapping[EvolutionMode | None, tuple[Check, ...]]:
    """Give the checks of all modes under None, or of each mode where its name is the key.

    Checks that name no stop and no error mean that there was none.
    """
    given = written.mapping(example=_EXAMPLE)
    if given and all(key in _MODES for key in given):
        return {_MODES[key]: _checks(written.at(key, value)) for key, value in given.items()}
    return {None: _checks(written)}


def _checks(written: Written) -> tuple[Check, ...]:
    checks = tuple(_check(member) for member in written.members(KEYS, example=_EXAMPLE))
    of_ending = ExpectStop | ExpectError | ExpectFields
    named = any(isinstance(one, of_ending) or _counts_stops(one) for one in checks)
    return checks if named else (ExpectStop(None), *checks)


def _counts_stops(check: Check) -> bool:
    return isinstance(check, ExpectNumber) and check.key == "stops"


def _check(written: Written) -> Check:
    key = (written.key or "").rpartition(".")[2]
    match key:
        case "rows":
            return _rows(written)
        case "schema" | "table":
            return ExpectSchema(key, _schema(written))
        case "stop":
            none = written.value is None
            return ExpectStop(None if none else written.text(example="NEW_FIELDS_IN_FILE"))
        case "new" | "widened":
            return ExpectFields(key, written.texts(example="[age INT]"))
        case "error":
            return ExpectError(written.text(example="EmptyDirError"))
        case "message":
            return ExpectMessage(written.texts(example="a part of the message"))
        case "files" | "file":
            return ExpectNames(key, written.texts(example="[people.csv]"))
        case "ledger":
            return _ledger(written)
        case _:
            return ExpectNumber(key, written.number())


def _rows(written: Written) -> Check:
    """Take the rows, or their number alone."""
    if isinstance(written.value, int):
        return ExpectNumber("count", written.number())
    rows = written.sequence(example="rows: [[1, Ann], [2, null]]")
    for i, row in enumerate(rows):
        if not isinstance(row, list | dict):
            written.at(str(i), row).not_a("a list or a mapping", example="[1, Ann] or {id: 1}")
    return ExpectRows(tuple(rows))


def _schema(written: Written) -> Schema:
    text = written.text(example="schema: id INT, name STRING")
    try:
        return parse_ddl(text)
    except DdlError as error:
        return written.wrong(
            str(error), expected="DDL", remedy="Write e.g. schema: id INT, name STRING."
        )


def _ledger(written: Written) -> Check:
    example = "ledger: [[dropped, people.csv, age, 1]]"
    entries = written.sequence(example=example)
    for i, entry in enumerate(entries):
        if not isinstance(entry, list) or len(entry) != _LEDGER_FACTS:
            written.at(str(i), entry).not_a("[kind, file, column, count]", example=example)
    return ExpectLedger(tuple(tuple(entry) for entry in entries))
