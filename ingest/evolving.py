"""When the stream has to stop for new fields or wider types, and how.

Inside the walk of a batch: findings are cheap and come while reading; only when they can change the
schema in this mode is the whole batch inferred (contract 4.4). The decision itself is pure
(`schema_store.evolution`); here it is carried out: new version on disk first, then the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ingest.errors import StateNotWritableError, UnknownFieldException
from ingest.read_batch import Findings
from ingest.reading import read_files
from ingest.unknown_fields import first_record
from schema_store.ddl import type_to_sql
from schema_store.errors import LocationNotWritableError
from schema_store.evolution import EvolutionMode, Evolve, Observation, Proceed, Refuse, decide
from schema_store.merge import merge_types
from schema_store.schema_diff import diff_schemas
from schema_store.store import Audit, AuditCause
from schema_store.type_names import path_text
from schema_store.types import (
    ELEMENT,
    VALUE,
    ArrayType,
    MapType,
    NullType,
    StructType,
    fold_path,
)
from schema_store.widening import widen

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from ingest.checkpoint import Checkpoint
    from ingest.file_entry import FileEntry, MicroBatch
    from ingest.read_batch import Misfits, Path, UnknownField
    from ingest.stream import LoadedStream
    from schema_store.evolution import NewField, WidenedField
    from schema_store.types import DataType, Schema

    _Met = TypeVar("_Met", UnknownField, Misfits)

_STOPPING = frozenset(
    {
        EvolutionMode.ADD_NEW_COLUMNS,
        EvolutionMode.FAIL_ON_NEW_COLUMNS,
        EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING,
    }
)

_FORMATS_OF_RECORDS = frozenset({"json", "xml"})
"""Formats whose fields are known record by record, not file by file."""


def is_due(loaded: LoadedStream, findings: Findings) -> bool:
    """Tell whether what was found can change the schema or has to stop the stream."""
    mode = loaded.options.mode
    if mode not in _STOPPING:
        return False
    pinned = _pinned(loaded)
    if any(
        _can_be_new(loaded, field.path) and not _is_below(field.path, pinned)
        for field in findings.unknown
    ):
        return True
    if mode is not EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING:
        return False
    return any(
        _can_widen(loaded, path, observed)
        for path, observed in _observed_types(findings.misfits).items()
        if not _is_below(path, pinned)
    )


def stop_for_evolution(
    loaded: LoadedStream,
    checkpoint: Checkpoint,
    batch: MicroBatch,
    met: Findings,
    *,
    at: dt.datetime,
) -> None:
    """Infer the whole batch and decide; return when the stream may proceed.

    `met` is what reading has found so far. Otherwise the next schema version is stored, with what
    caused it, or the batch is marked as refused, and `UnknownFieldException` is raised
    (contract 4.2, 4.5, 4.6).
    """
    findings, observation = _observe(loaded, batch, met)
    decision = decide(
        loaded.schema,
        observation,
        loaded.options.mode,
        pinned=_pinned(loaded),
        dates=_widens_dates(loaded),
    )
    match decision:
        case Proceed():
            return
        case Evolve(schema=schema):
            _store(loaded, schema, _audit(loaded, decision, findings, (batch.batch_id, at)))
            raise _error(loaded, batch, decision, findings)
        case Refuse():
            error = _error(loaded, batch, decision, findings)
            checkpoint.refuse(batch.batch_id, error.new_fields)
            raise error


def _observe(
    loaded: LoadedStream, batch: MicroBatch, met: Findings
) -> tuple[Findings, Observation]:
    """Look at all files of the batch: their schema, and which columns have misfits.

    The one time that files are read again: all of them to infer; then all for their misfits (in the
    widening mode) or for fields that no header tells of (JSON), else only those that a new field is
    first met in. It ends in a new version, or happens once for a batch whose misfits turn out not
    to widen anything. What was read comes first: it has examples, which headers have not.
    """
    inferred = loaded.format.infer(batch.files)
    looked = met + loaded.format.look(batch.files, loaded.schema)
    widening = loaded.options.mode is EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING
    findings = Findings()
    files = batch.files if widening or _knows_records(loaded) else _first_files(looked)
    for read_batch in read_files(loaded.format, files, loaded.schema):
        findings += read_batch.findings
    findings += looked
    misfits = frozenset(misfit.path for misfit in findings.misfits)
    fixed = frozenset((name.lower(),) for name in inferred.beyond_decimal)
    observed = _without_generated(loaded.schema, inferred.schema, findings)
    wideable = frozenset(path for path in misfits if not _is_below(path, fixed))
    return findings, Observation(observed, wideable, inferred.disputed)


def _pinned(loaded: LoadedStream) -> frozenset[Path]:
    """Give the paths that are never widened, folded: those of hints, and partition columns."""
    hinted = (fold_path(path) for path in loaded.options.hints.pinned)
    return frozenset({*hinted, *((name.lower(),) for name in loaded.partitions.names)})


def _is_below(path: Path, folded: frozenset[Path]) -> bool:
    """Tell whether a path is one of these folded ones or below one."""
    steps = fold_path(path)
    return any(steps[:length] in folded for length in range(1, len(steps) + 1))


def _widens_dates(loaded: LoadedStream) -> bool:
    return loaded.options.format_name == "parquet"  # contract 6.1


def _knows_records(loaded: LoadedStream) -> bool:
    return loaded.options.format_name in _FORMATS_OF_RECORDS


def _without_generated(current: Schema, observed: Schema, findings: Findings) -> Schema:
    """Leave out new columns that readers do not call unknown: generated names (contract 2.3)."""
    unknown = {field.path[0].lower() for field in findings.unknown}
    known = {name.lower() for name in current.names}
    return StructType(tuple(field for field in observed if field.name.lower() in unknown | known))


def _first_files(findings: Findings) -> tuple[FileEntry, ...]:
    """Give the first file that has each unknown field, in sequence."""
    first: dict[Path, FileEntry] = {}
    for field in findings.unknown:
        known = first.setdefault(field.path, field.file)
        first[field.path] = min(known, field.file, key=lambda file: file.seq_num)
    return tuple(sorted(set(first.values()), key=lambda file: file.seq_num))


def _store(loaded: LoadedStream, schema: Schema, audit: Audit) -> None:
    assert loaded.store is not None
    assert loaded.version is not None
    partitions = loaded.version.partition_schema
    try:
        loaded.store.add(schema, partitions, after=loaded.version, audit=audit)
    except LocationNotWritableError as error:
        raise StateNotWritableError(str(error.path), error.reason) from error


def _audit(
    loaded: LoadedStream, decision: Evolve, findings: Findings, when: tuple[int, dt.datetime]
) -> Audit:
    batch_id, at = when
    causes = [_new_field_cause(field, findings.unknown) for field in decision.new_fields] + [
        _widened_cause(field, findings.misfits) for field in decision.widened
    ]
    return Audit(
        at=at.isoformat(timespec="milliseconds"),
        batch_id=batch_id,
        causes=tuple(causes),
        diff=diff_schemas(loaded.schema, decision.schema),
    )


def _new_field_cause(field: NewField, unknown: tuple[UnknownField, ...]) -> AuditCause:
    first = _first(unknown, field.path)
    return AuditCause(
        file=first.file.uri if first else "",
        column=path_text(field.path),
        change=f"new {type_to_sql(field.field.data_type)}",
        value=first.example or None if first else None,
    )


def _widened_cause(field: WidenedField, misfits: tuple[Misfits, ...]) -> AuditCause:
    first = _first(misfits, field.path)
    return AuditCause(
        file=first.file.uri if first else "",
        column=path_text(field.path),
        change=f"{type_to_sql(field.old)} -> {type_to_sql(field.new)}",
        value=first.example or None if first else None,
    )


def _error(
    loaded: LoadedStream, batch: MicroBatch, decision: Evolve | Refuse, findings: Findings
) -> UnknownFieldException:
    """Name the lowest-numbered file that has some of the fields (contract 4.6).

    When inference alone has met them, in rows not yet read, it is the batch's first file. Fields
    are told by their names, or as JSON of the first record that has some.
    """
    new_fields = decision.new_fields
    widened = decision.widened if isinstance(decision, Evolve) else ()
    paths = [field.path for field in new_fields] + [field.path for field in widened]
    names: tuple[str, ...] | str = tuple(".".join(path) for path in paths)
    unknown = [one for one in findings.unknown if _touches(one.path, new_fields)]
    misfits = [one for one in findings.misfits if _touches(one.path, widened)]
    met = [one.file for one in unknown] + [one.file for one in misfits]
    file = min(met, key=lambda entry: entry.seq_num, default=batch.files[0])
    if _knows_records(loaded):
        schema = decision.schema if isinstance(decision, Evolve) else loaded.schema
        names = first_record(unknown, misfits, schema)
    return UnknownFieldException(
        new_fields=tuple(
            f"{path_text(field.path)} {type_to_sql(field.field.data_type)}" for field in new_fields
        ),
        widened=tuple(f"{path_text(field.path)} {type_to_sql(field.new)}" for field in widened),
        names=names,
        file=file.uri,
        retryable=isinstance(decision, Evolve),
    )


def _touches(path: Path, fields: Iterable[NewField | WidenedField]) -> bool:
    """Tell whether what was met at a path is part of a field, or has it as a part."""
    steps = fold_path(path)
    return any(steps[: len(field.path)] == fold_path(field.path)[: len(steps)] for field in fields)


def _first(met: Iterable[_Met], path: Path) -> _Met | None:
    """Give the finding in the lowest-numbered file of this path, or of one above or below it."""
    found = [one for one in met if one.path == path] or [
        one for one in met if one.path == path[: len(one.path)] or one.path[: len(path)] == path
    ]
    return min(found, key=lambda one: one.file.seq_num, default=None)


def _observed_types(misfits: tuple[Misfits, ...]) -> dict[Path, DataType]:
    types: dict[Path, DataType] = {}
    for misfit in misfits:
        if misfit.observed is not None:
            types[misfit.path] = merge_types(types.get(misfit.path, NullType()), misfit.observed)
    return types


def _can_be_new(loaded: LoadedStream, path: Path) -> bool:
    """Tell whether inference could find the field: as text (contract 2.2) objects have no parts."""
    return len(path) == 1 or loaded.options.reading.typed or not _knows_records(loaded)


def _can_widen(loaded: LoadedStream, path: Path, observed: DataType) -> bool:
    """Tell whether the misfits alone could widen the column; if not, the whole batch cannot."""
    current = _type_at(loaded.schema, path)
    if current is None:
        return False
    wider = widen(current, observed, dates=_widens_dates(loaded))
    return wider is not None and wider != current


def _type_at(data_type: DataType, path: Path) -> DataType | None:
    """Give the type at a path, through structs, arrays and maps."""
    if not path:
        return data_type
    inner: DataType | None = None
    match data_type, path[0]:
        case StructType(), name:
            field = data_type.find(name)
            inner = None if field is None else field.data_type
        case ArrayType(element), step if step == ELEMENT:
            inner = element
        case MapType(_, value), step if step == VALUE:
            inner = value
    return None if inner is None else _type_at(inner, path[1:])
