"""What would take rescued values in: modes, hints and options; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.insight.rescued import Reason
from ingest.insight.surprises import stands_for_nothing
from schema_store.merge import merge_types
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import NullType, StringType, StructType
from schema_store.widening import widen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.insight.rescued import RescuedGroup
    from schema_store.types import DataType

ADDING = "addNewColumns"
WIDENING = "addNewColumnsWithTypeWidening"


@dataclass(frozen=True, slots=True)
class Remedy:
    """An option as key and value, and what it does; without a key it is advice."""

    key: str | None
    value: str
    effect: str


def remedies(group: RescuedGroup) -> tuple[Remedy, ...]:
    """Give what takes the values of a group in, the best first.

    It counts for files that are read from now on: rows that are in the table stay as they are.
    """
    match group.reason:
        case Reason.UNKNOWN:
            return tuple(_for_unknown(group))
        case Reason.CASE:
            return (_case(group),)
        case Reason.SURPLUS:
            return _SURPLUS
        case Reason.FITS_NOW:
            return (_again(group),)
        case Reason.MISFIT:
            return tuple(_for_misfit(group))


_SURPLUS = (
    Remedy(
        None,
        "mend the file: its rows have more cells than its header has names",
        "a separator inside a value without quotes is the usual cause",
    ),
)


_CONVERT = Remedy(
    None,
    "write the files anew with the column's type",
    "Parquet files carry their types, and a hint does not cast them",
)


def _for_unknown(group: RescuedGroup) -> Iterator[Remedy]:
    name = path_text(group.path)
    if group.column is not None:  # fields inside of an array or a map
        yield Remedy(_MODE, ADDING, f"adds the new fields inside of {name}")
        return
    observed = group.observed
    if "" in group.path or (isinstance(observed, StructType) and not observed.fields):
        yield Remedy(None, "nothing: it can be no column", "it has no name, or no fields")
        return
    wanted = StringType() if isinstance(observed, NullType) else observed
    yield Remedy(_MODE, ADDING, f"adds {name} when it comes again")
    yield Remedy(_HINTS, f"{name} {type_to_sql(wanted)}", "adds it at the next start")


def _for_misfit(group: RescuedGroup) -> Iterator[Remedy]:
    assert group.column is not None, "a misfit has a column"
    name = path_text(group.path)
    wider = widen(group.column, group.observed)
    if wider is not None:
        to = type_to_sql(wider)
        yield Remedy(_MODE, WIDENING, f"widens it to {to} when it comes again")
        if not _is_parquet(group):
            yield Remedy(_HINTS, f"{name} {to}", "does so at the next start")
        return
    if _is_parquet(group):
        yield _CONVERT
        return
    if len(group.examples) == 1 and _is_text(group):
        text = group.examples[0].value.strip('"')
        if stands_for_nothing(text):
            yield Remedy("nullValue", text, "reads it as NULL (CSV)")
    most = None if isinstance(group.others, NullType) else widen(group.column, group.others)
    if most is not None:
        hint = f"{name} {type_to_sql(most)}"
        yield Remedy(_HINTS, hint, "takes in all but the text, which stays rescued")
    common = merge_types(group.column, group.observed)
    yield Remedy(_HINTS, f"{name} {type_to_sql(common)}", _effect(common))


def _is_parquet(group: RescuedGroup) -> bool:
    """Tell whether the values are from Parquet: a hint does not cast there (contract 5.6)."""
    return bool(group.examples) and group.examples[0].file.endswith(".parquet")


def _effect(common: DataType) -> str:
    return "keeps all values" if isinstance(common, StringType) else "holds all of them"


def _is_text(group: RescuedGroup) -> bool:
    return isinstance(group.observed, StringType) and group.examples[0].value.startswith('"')


def _case(group: RescuedGroup) -> Remedy:
    effect = f"reads it into {group.spelling}, unless the record has both spellings"
    return Remedy("readerCaseSensitive", "false", effect)


def _again(group: RescuedGroup) -> Remedy:
    assert group.column is not None, "what fits has a column"
    return Remedy(
        None,
        "read its files again, with a new checkpoint",
        f"as text it fits {type_to_sql(group.column)}: it is older than the column, or its file"
        " has another type (JSON text in quotes, Parquet under a hint)",
    )


_MODE = "cloudFiles.schemaEvolutionMode"
_HINTS = "cloudFiles.schemaHints"
