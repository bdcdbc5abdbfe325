"""Blocks of JSON lines to rows, fast where that is exact.

A whole block goes to Arrow's strict parser. When that refuses, a compiled decoder finds the lines
that do not fit; the others are parsed at once, and only those take the exact way, one by one. Rows
keep their order. The result is that of `json_rows.read_records`, which is the reference.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from operator import attrgetter, length_hint
from typing import TYPE_CHECKING, NamedTuple

import polars as pl
import pyarrow as pa

from ingest.arrow import to_arrow_type
from ingest.formats.csv_scan import is_utf8
from ingest.formats.json_fitting import FittingRules, reader_of
from ingest.formats.json_line_places import Lines, WholeBlock
from ingest.formats.json_lines import NEWLINE, Block
from ingest.formats.json_mending import UNDECODED, Mender, name_in
from ingest.formats.json_merging import Fast, merge_rows
from ingest.formats.json_native import NotExactError, count_plain, parse_lines
from ingest.formats.json_plan import make_plan
from ingest.formats.json_raw import (
    Leftover,
    find_doubled,
    find_doubtful,
    is_tight,
    raw_column,
    unknown_values,
)
from ingest.formats.json_rows import read_records
from ingest.formats.json_shadow import shadow_kinds, shadow_leftovers, with_shadow
from ingest.formats.json_writing import quote
from ingest.text.casting import cast_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.formats.json_plan import Plan
    from ingest.formats.json_rows import JsonTarget, OddRow, Rows
    from schema_store.types import Schema

SMALL = 8 << 10
"""Bytes up to which reading line by line is as quick."""
_MANY = 0.05
"""Part of the lines that have to misfit in one name before it is taken raw."""
_PATIENCE = 8
"""Blocks for which Arrow is not asked again after it has refused one."""
_FEW = 16
"""Lines that are not halved any more."""
_NEWEST = pl.CompatLevel.newest()


@dataclass(slots=True)
class Learned:
    """Names that are better taken raw, by schema: what earlier blocks have taught."""

    names: dict[Schema, frozenset[str]] = field(default_factory=dict)
    shadows: dict[Schema, dict[str, pa.DataType]] = field(default_factory=dict)
    """Types that Arrow can read unknown ones of them under."""


class _Decoded(NamedTuple):
    """Lines that fit, the numbers of the rest, and what the decoder said of the rest.

    Lines of which nothing is raw are not kept: making them anew in the same place is quicker.
    """

    lines: list[object] | deque[object]
    odd: list[int]
    complaints: list[str]


class BlockReader:
    """Reads blocks under one schema, and learns from each."""

    def __init__(self, target: JsonTarget, learned: Learned) -> None:
        self._target = target
        self._learned = learned
        self._names = learned.names.get(target.schema, frozenset())
        self._plan = make_plan(target, self._names)
        self._mender = Mender(target)
        self._wait = 0

    def read(self, block: Block) -> Rows:
        """Read a block's records."""
        data = block.data
        if block.separator != NEWLINE or len(data) < SMALL or not self._target.data.fields:
            return read_records(block.records(), self._target)
        data = data if data.endswith(NEWLINE) else data + NEWLINE
        valid = is_utf8(data)
        if valid and not self._wait:
            rows = self._as_a_whole(data)
            if rows is not None:
                return rows
        self._wait = max(self._wait - 1, 0)
        return self._by_line(list(filter(None, data.split(NEWLINE))), valid=valid)

    def _as_a_whole(self, data: bytes) -> Rows | None:
        """Let Arrow read a block; None when it cannot, or must not."""
        names = list(self._plan.raw)
        plan = with_shadow(self._plan, self._learned.shadows.get(self._target.schema, {}))
        height = count_plain(data) if plan is not None else None
        if plan is None or height is None:
            return None
        try:
            table = parse_lines(data, height, plan)
            leftovers = shadow_leftovers(table, names, data) if names else []
        except NotExactError:
            self._wait = _PATIENCE
            return None
        return self._finish(
            Lines(WholeBlock(data, height), range(height), {}), table, {}, leftovers
        )

    def _by_line(self, lines: list[bytes], *, valid: bool) -> Rows:
        decoded = self._decode(lines, valid=valid)
        while self._learn(decoded, len(lines)):
            decoded = self._decode(lines, valid=valid)
        plan = self._plan
        if not plan.raw:
            return self._by_mended_line(lines, decoded.odd)
        odd = set(decoded.odd)
        fitting = [at for at in range(len(lines)) if at not in odd]
        raws = {
            name: list(map(bytes, map(attrgetter(attribute), decoded.lines)))
            for name, attribute in plan.raw.items()
        }
        lost = find_doubtful([lines[at] for at in fitting], raws.values())
        self._learn_shadow(raws)
        if lost:
            kept = [at for at in range(len(fitting)) if at not in lost]
            fitting = [fitting[at] for at in kept]
            raws = {name: [texts[at] for at in kept] for name, texts in raws.items()}
        taken = [lines[at] for at in fitting]
        is_safe = not plan.native.names and is_tight(taken, raws)
        doubled = set() if is_safe else set(find_doubled(taken, raws))
        kept = [at for at in range(len(fitting)) if at not in doubled]
        parsed, table = _parse_parts([lines[fitting[at]] for at in kept], plan)
        kept = [kept[at] for at in parsed]
        if len(kept) < len(fitting):
            raws = {name: [texts[at] for at in kept] for name, texts in raws.items()}
        return self._finish(Lines(lines, [fitting[at] for at in kept], {}), table, raws, [])

    def _by_mended_line(self, lines: list[bytes], odd: list[int]) -> Rows:
        """Read lines of which no name is taken raw, the odd ones without what does not fit."""
        texts = list(lines)
        told: dict[int, OddRow] = {}
        lost: set[int] = set()
        for at in odd:
            mended = self._mender.mend(lines[at], self._plan)
            if mended is None:
                lost.add(at)
            else:
                texts[at], told[at] = mended
        numbers = [at for at in range(len(lines)) if at not in lost]
        parsed, table = _parse_parts([texts[at] for at in numbers], self._plan)
        kept = [numbers[at] for at in parsed]
        return self._finish(Lines(lines, kept, told), table, {}, [])

    def _decode(self, lines: list[bytes], *, valid: bool) -> _Decoded:
        """Decode lines; the loop over those that fit is the list's own."""
        if not valid:
            lines = [line if is_utf8(line) else b"" for line in lines]
        decoded = _Decoded([] if self._plan.raw else deque(maxlen=0), [], [])
        waiting = iter(lines)
        while True:
            try:
                decoded.lines.extend(map(self._plan.decode, waiting))
            except UNDECODED as error:
                decoded.odd.append(len(lines) - length_hint(waiting) - 1)
                decoded.complaints.append(str(error))
            else:
                return decoded

    def _learn(self, decoded: _Decoded, height: int) -> bool:
        """Take names raw in which many lines misfit; tell whether there are new ones."""
        least = max(_MANY * height, _FEW)
        if len(decoded.odd) < least:
            return False
        native = self._plan.native.names
        found = (name_in(one, self._target, native) for one in decoded.complaints)
        counts = Counter(name for name in found if name is not None)
        names = frozenset(name for name, count in counts.items() if count >= least) - self._names
        if not names:
            return False
        self._names |= names
        self._learned.names[self._target.schema] = self._names
        self._plan = make_plan(self._target, self._names)
        return True

    def _learn_shadow(self, raws: Mapping[str, Sequence[bytes]]) -> None:
        """Note how Arrow can read the raw names, if it can and no column is among them."""
        known = self._learned.shadows.get(self._target.schema, {}).keys() == raws.keys()
        if not known and all(self._target.data.find(name) is None for name in raws):
            kinds = shadow_kinds(raws)
            if kinds is not None:
                self._learned.shadows[self._target.schema] = kinds

    def _finish(
        self,
        lines: Lines,
        table: pa.Table,
        raws: dict[str, list[bytes]],
        unknown: list[Leftover],
    ) -> Rows:
        """Cast what is text, read what is raw, and put the odd lines between."""
        target = self._target
        rules = FittingRules(target.settings, target.syntax.non_numeric)
        odd: set[int] = set()
        columns: list[pa.Array] = []
        leftovers: list[Leftover] = []
        for one in target.data:
            if one.name in raws:
                read = reader_of(one.data_type, rules, (one.name,))
                found = raw_column(one, raws[one.name], read, target.syntax)
                odd.update(found.odd if target.rescues else [*found.odd, *found.misfits.rows])
                leftovers.append(found.misfits)
                columns.append(found.array)
                continue
            column = table.column(one.name).combine_chunks()
            if one.name in self._plan.texts:
                cast = cast_column(pl.Series(column), one.data_type, target.settings)
                odd.update(
                    *(rows.to_list() for rows in (cast.misfits, cast.changed) if rows is not None)
                )
                column = _to_arrow(cast.values, to_arrow_type(one.data_type))
            columns.append(column)
        leftovers += self._in_source_order(lines, unknown + self._unknown(raws))
        fast = Fast(tuple(columns), lines.kept, frozenset(odd), tuple(leftovers), lines.told)
        return merge_rows(fast, lines.texts, target)

    def _unknown(self, raws: dict[str, list[bytes]]) -> list[Leftover]:
        return [
            unknown_values(name, texts, self._target.syntax)
            for name, texts in raws.items()
            if self._target.data.find(name) is None
        ]

    def _in_source_order(self, lines: Lines, unknown: list[Leftover]) -> list[Leftover]:
        """Give the unknown fields in the order in which the first line has them."""
        found = [one for one in unknown if one.rows]
        if len(found) < 2:  # noqa: PLR2004 - one is in order
            return found
        return sorted(found, key=lambda one: lines.first(one).find(quote(one.name).encode()))


def _to_arrow(values: pl.Series, kind: pa.DataType) -> pa.Array:
    if values.dtype == pl.Null:
        return pa.nulls(len(values), kind)
    return values.to_arrow(compat_level=_NEWEST)


def _parse_parts(lines: list[bytes], plan: Plan) -> tuple[list[int], pa.Table]:
    """Parse what can be parsed; give the numbers of those lines as well."""
    pieces = list(_parse_halving(lines, plan))
    kept = [at for start, stop, _ in pieces for at in range(start, stop)]
    tables = [table for _, _, table in pieces]
    return kept, pa.concat_tables(tables) if tables else plan.native.empty_table()


def _parse_halving(lines: list[bytes], plan: Plan) -> Iterator[tuple[int, int, pa.Table]]:
    """Parse lines, the largest parts that can be; a part that cannot be is left out."""
    waiting = [(0, len(lines))]
    while waiting:
        start, stop = waiting.pop()
        if start == stop:
            continue
        part = lines[start:stop]
        try:
            yield start, stop, _parse(part, plan)
        except NotExactError:
            if len(part) > _FEW:
                middle = (start + stop) // 2
                waiting += [(middle, stop), (start, middle)]


def _parse(lines: list[bytes], plan: Plan) -> pa.Table:
    if not plan.native.names:
        return pa.table({"": pa.nulls(len(lines))}).select([])
    return parse_lines(b"\n".join([*lines, b""]), len(lines), plan)
