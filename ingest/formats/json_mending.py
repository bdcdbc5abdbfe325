"""Lines that would fit without a few of their members: those are taken out and read exactly.

What is left is an ordinary line for the fast way; what was taken out is told with its row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ingest.formats.csv_scan import is_utf8
from ingest.formats.json_fitting import FittingRules, Met, Note, Reader, reader_of
from ingest.formats.json_raw import has_double, parse_raw
from ingest.formats.json_rows import OddRow
from ingest.formats.json_tokens import is_doubtful
from ingest.formats.json_writing import quote, write_compact, write_members
from ingest.rescue import FILE_PATH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.formats.json_plan import Plan
    from ingest.formats.json_rows import JsonTarget

UNDECODED = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
_MOST = 8
"""Members that are taken out of a line at most."""
_UNKNOWN = re.compile(r"unknown field `(.*)`$", re.DOTALL)
_PLACE = re.compile(r" - at `\$\.(.*)`$", re.DOTALL)
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Mended(NamedTuple):
    """A line without the members that do not fit, and what is to be told of those."""

    line: bytes
    told: OddRow


class Mender:
    """Mends lines for one target."""

    def __init__(self, target: JsonTarget) -> None:
        self._target = target
        self._rules = FittingRules(target.settings, target.syntax.non_numeric)
        self._readers: dict[str, Reader] = {}

    def mend(self, line: bytes, plan: Plan) -> Mended | None:
        """Take out what does not fit; None for a line that has to be read exactly as a whole."""
        if is_doubtful(line) or not is_utf8(line):
            return None
        try:
            members = _MEMBERS(line)
        except UNDECODED:
            return None
        if has_double(line):
            return None
        left, mended = dict(members), line
        for _ in range(_MOST):
            try:
                plan.decode(mended)
            except UNDECODED as error:
                name = name_in(str(error), self._target, plan.native.names)
                if name is None or left.pop(name, None) is None:
                    return None
                mended = _write(left.items())
            else:
                told = self._tell(line, {n: bytes(members[n]) for n in members if n not in left})
                return None if told is None else Mended(mended, told)
        return None

    def _tell(self, line: bytes, taken: dict[str, bytes]) -> OddRow | None:
        """Read what was taken out; each has to be unknown or a misfit as a whole."""
        unknown: list[tuple[str, str]] = []
        misfits: list[tuple[str, str]] = []
        notes: list[Note] = []
        for name, raw in taken.items():
            value = parse_raw(raw, self._target.syntax)
            field = self._target.data.find(name)
            if field is None:
                unknown.append((name, write_compact(value)))
                notes.append(Note(Met.UNKNOWN, (name,), value))
                continue
            read = self._readers.get(name)
            if read is None:
                read = self._readers[name] = reader_of(field.data_type, self._rules, (name,))
            fitted = read(value)
            if not fitted.misfit:
                return None
            misfits.append((name, str(fitted.rescued)))
            notes += fitted.notes
        return OddRow(0, line, write_members(unknown + sorted(misfits)), tuple(notes))


def name_in(complaint: str, target: JsonTarget, native: list[str]) -> str | None:
    """Find the column, or the unknown name, that a decoder complains of.

    None when the complaint is another one, or the name means more in this record than that.
    """
    place = _PLACE.search(complaint)
    if place is not None:
        path = place[1]
        known = (one for one in native if path.startswith(one) and path[len(one) :][:1] in ".[")
        return max(known, key=len, default=None)
    unknown = _UNKNOWN.search(complaint)
    name = None if unknown is None else unknown[1]
    if not name or name == FILE_PATH:
        return None
    exact = target.settings.case_sensitive or target.data.find_ignoring_case(name) is None
    return name if exact else None


def _write(members: Iterable[tuple[str, msgspec.Raw]]) -> bytes:
    inside = b",".join(quote(name).encode() + b":" + bytes(raw) for name, raw in members)
    return b"{" + inside + b"}"
