"""What a block of JSON met on the way: losses, misfits, unknown fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.formats.json_fitting import MISFITS, Met, Note
from ingest.formats.json_inference import InferenceRules, infer_value
from ingest.formats.json_records import record_text
from ingest.formats.json_rows import is_misfit
from ingest.formats.json_tokens import parse_json
from ingest.formats.json_writing import write_compact
from ingest.ledger import (
    MAX_EXAMPLE_LENGTH,
    MAX_EXAMPLES,
    LedgerEntry,
    LossExample,
    LossKind,
    sum_entries,
)
from ingest.read_batch import Findings, Misfits, UnknownField
from ingest.rescue import FILE_PATH
from schema_store.merge import merge_types
from schema_store.types import (
    ELEMENT,
    VALUE,
    ArrayType,
    DataType,
    FieldPath,
    MapType,
    NullType,
    StructType,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ingest.file_entry import FileEntry
    from ingest.formats.json_raw import Leftover
    from ingest.formats.json_rows import JsonTarget, OddRow

MALFORMED_RECORD = "malformed record"
TRAILING_TEXT = "text after the record's first value"
_CHANGED = {Met.ROUNDED, Met.TIME_CUT}


def find_all(
    odd: Iterable[OddRow], dropped: frozenset[int], target: JsonTarget, place: tuple[FileEntry, int]
) -> Findings:
    """Tell everything that was met in some rows of a file; `place` has the rows before them.

    A dropped row is gone as a whole: nothing else is told of it.
    """
    file, before = place
    unknown: dict[FieldPath, UnknownField] = {}
    misfits: list[Misfits] = []
    losses: list[LedgerEntry] = []
    corrupt = 0
    for one in odd:
        corrupt += one.problem is not None
        losses += _losses(one, target, (file, before + one.row + 1), dropped=one.row in dropped)
        if one.row in dropped:
            continue
        for note in one.notes:
            match note.met:
                case Met.UNKNOWN if note.path not in unknown and _evolves(note, target):
                    row = before + one.row + 1
                    unknown[note.path] = UnknownField(note.path, file, _example(note), row)
                case Met.MISFIT | Met.INSIDE:
                    misfits.append(_misfit(note, target, file))
                case _:
                    pass
    return Findings(
        tuple(unknown.values()), corrupt_records=corrupt, losses=sum_entries(losses)
    ) + _sum(misfits)


def find_leftovers(
    leftovers: tuple[Leftover, ...], target: JsonTarget, place: tuple[FileEntry, int]
) -> Findings:
    """Tell of values that were taken out of rows which fit otherwise."""
    file, before = place
    found = Findings()
    for one in leftovers:
        if one.met is Met.MISFIT:
            found += Findings(misfits=(_misfits(one, target, file),))
            continue
        if not target.rescues:
            shown = zip(one.rows[:MAX_EXAMPLES], one.texts[:MAX_EXAMPLES], strict=True)
            examples = tuple(
                LossExample(before + row + 1, text[:MAX_EXAMPLE_LENGTH]) for row, text in shown
            )
            reason = Met.UNKNOWN.value
            count = len(one.rows)
            entry = LedgerEntry(LossKind.DROPPED, file.uri, one.name, reason, count, examples)
            found += Findings(losses=(entry,))
        for row, text in zip(one.rows, one.texts, strict=True):
            parsed = parse_json(text, target.syntax)
            if parsed and _evolves(Note(Met.UNKNOWN, (one.name,), parsed.value), target):
                example = text[:MAX_EXAMPLE_LENGTH]
                unknown = UnknownField((one.name,), file, example, before + row + 1)
                found += Findings(unknown=(unknown,))
                break
    return found


def _misfits(one: Leftover, target: JsonTarget, file: FileEntry) -> Misfits:
    """Tell of a column's misfits; distinct ones are looked at once."""
    observed: DataType | None = None
    for value in one.values.values():
        each = _misfit(Note(Met.MISFIT, (one.name,), value), target, file).observed
        if each is not None:
            observed = each if observed is None else merge_types(observed, each)
    example = one.texts[0][:MAX_EXAMPLE_LENGTH]
    return Misfits((one.name,), file, len(one.rows), example, observed)


def is_malformed(one: OddRow, target: JsonTarget) -> bool:
    """Tell whether a row is a corrupt record, or without a rescued column one with a misfit."""
    if one.problem is not None:
        return True
    return not target.rescues and (one.others or is_misfit(one))


def _losses(
    one: OddRow, target: JsonTarget, place: tuple[FileEntry, int], *, dropped: bool
) -> Iterator[LedgerEntry]:
    """Tell what of a row is in no column (contract 9.1)."""
    file, row = place
    has_corrupt_column = target.schema.find(target.settings.corrupt_column) is not None

    def entry(kind: LossKind, column: str | None, reason: str, text: str) -> LedgerEntry:
        example = LossExample(row, text[:MAX_EXAMPLE_LENGTH])
        return LedgerEntry(kind, file.uri, column, reason, 1, (example,))

    if dropped or (one.problem is not None and not has_corrupt_column):
        yield entry(LossKind.DROPPED, None, MALFORMED_RECORD, record_text(one.raw))
        return
    if one.rest:
        yield entry(LossKind.DROPPED, None, TRAILING_TEXT, one.rest)
    kept = {Met.UNKNOWN, *MISFITS} if target.rescues else {Met.INSIDE}
    if has_corrupt_column and is_malformed(one, target):
        kept |= MISFITS
    for note in one.notes:
        if note.met not in kept:
            kind = LossKind.CHANGED if note.met in _CHANGED else LossKind.DROPPED
            yield entry(kind, ".".join(note.path), note.met.value, _example(note))


def _misfit(note: Note, target: JsonTarget, file: FileEntry) -> Misfits:
    settings = target.settings
    observed = None
    if settings.observe_misfits:
        rules = InferenceRules(prefers_decimal=settings.prefers_decimal, text=settings.text)
        observed = infer_value(note.value, rules) or NullType()
    return Misfits(note.path, file, 1, _example(note), observed)


def _sum(misfits: list[Misfits]) -> Findings:
    found = Findings()
    for one in misfits:
        found += Findings(misfits=(one,))
    return found


def _evolves(note: Note, target: JsonTarget) -> bool:
    """Tell whether an unknown field could become a column (contract 4.2, 11.7, 11.8, 11.10)."""
    reserved = {FILE_PATH, target.settings.rescued_column} if target.rescues else set()
    if note.path[0] in reserved or not all(note.path):
        return False
    if _differs_in_case(note.path, target.schema):
        return False
    if not target.settings.typed and len(note.path) == 1:
        return True
    return infer_value(note.value, InferenceRules()) is not None


def _differs_in_case(path: FieldPath, schema: DataType) -> bool:
    """Tell whether there is a field whose name is equal ignoring case."""
    at: DataType = schema
    for step in path[:-1]:
        match at:
            case ArrayType(element) if step == ELEMENT:
                at = element
            case MapType(_, value) if step == VALUE:
                at = value
            case StructType():
                field = at.find_ignoring_case(step)
                at = NullType() if field is None else field.data_type
            case _:
                return False
    return isinstance(at, StructType) and at.find_ignoring_case(path[-1]) is not None


def _example(note: Note) -> str:
    return write_compact(note.value)[:MAX_EXAMPLE_LENGTH]
