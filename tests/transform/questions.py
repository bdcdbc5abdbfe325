"""What Spark is asked about expressions: their names and types, and their values.

`recorded/expressions.json.xz` holds the questions with Spark's answers (`record.py` asks).
"""

from __future__ import annotations

import datetime as dt
import itertools
import lzma
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import orjson
import pyarrow as pa

from ingest.arrow import from_arrow_schema
from schema_store.ddl import to_ddl

RECORDED = Path(__file__).parent / "recorded" / "expressions.json.xz"

Json: TypeAlias = Any

COLUMNS: dict[str, pa.DataType] = {
    "bo": pa.bool_(),
    "by": pa.int8(),
    "sh": pa.int16(),
    "i": pa.int32(),
    "l": pa.int64(),
    "f": pa.float32(),
    "d": pa.float64(),
    "dc": pa.decimal128(10, 2),
    "dw": pa.decimal128(38, 10),
    "s": pa.string(),
    "bi": pa.binary(),
    "da": pa.date32(),
    "ts": pa.timestamp("us", tz="UTC"),
    "nt": pa.timestamp("us"),
}
"""A column of each type; `st` is a struct beside them."""

TABLE = pa.schema(
    [
        *(pa.field(name, kind) for name, kind in COLUMNS.items()),
        pa.field("st", pa.struct([("f", pa.int32()), ("G", pa.string())])),
        pa.field("a b", pa.int32()),
        pa.field("x.y", pa.int32()),
    ]
)

TARGETS = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10,2)",
    "DECIMAL(38,10)", "DECIMAL(4,0)", "STRING", "BINARY", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ",
)  # fmt: skip
LITERALS = ("1", "300", "3000000000", "1.5", "1.5D", "'1'", "NULL", "true", "DATE'2030-01-01'")


def _wall(*texts: str) -> list[dt.datetime]:
    return [dt.datetime.fromisoformat(text) for text in texts]


def _moments(*texts: str) -> list[dt.datetime]:
    return [one.replace(tzinfo=dt.UTC) for one in _wall(*texts)]


_TIMES = (
    "1970-01-01", "2030-01-05T10:00:00", "1969-12-31T23:59:59.999999", "0001-01-01",
    "9999-12-31T23:59:59.999999", "2030-03-31T00:30:00.120000", "2030-10-27T00:30:00.1",
    "1900-01-01T12:00:00", "2030-07-01T22:30:00",
)  # fmt: skip
_TINY, _HUGE = 5e-324, 1.7976931348623157e308
ODD: dict[str, list[Any]] = {
    "bo": [True, False, None],
    "by": [0, 1, -1, 127, -128, 2, None],
    "sh": [0, 1, -1, 128, 255, 32767, -32768, 7, None],
    "i": [0, 1, -1, 2147483647, -2147483648, 16777217, 100000000, 7, -7, None],
    "l": [0, 1, -1, 9223372036854775807, -9223372036854775808, 2147483648, 9007199254740993,
          253402300799, 253402300800, -62135596800, -62135596801, 86400, None],
    "f": [0.0, -0.0, 1.5, -1.5, 0.1, 3.4028234663852886e38, 1e10, 16777216.0, float("nan"),
          float("inf"), float("-inf"), 2147483648.0, 1e-5, 0.001, 9999999.0, 127.9, -128.9, None],
    "d": [0.0, -0.0, 1.5, -1.5, 2.5, 0.1, 1e7, 9999999.999, 0.001, 0.0009, 1e16, 1e21, 1e22,
          1.0e23, 2e-44, 123456789.123, _TINY, _HUGE, float("nan"), float("inf"), float("-inf"),
          9.223372036854775807e18, -9.223372036854775808e18, 1e19, 2147483647.9, -2147483648.9,
          127.99, -128.99, 32767.5, 1.005, 99999999.994, 99999999.995, 1e-10, 5e-11, 4.9e-11,
          1893801600.25, -0.5, 3.3333333333333335, None],
    "dc": [Decimal("0.00"), Decimal("1.00"), Decimal("-1.50"), Decimal("99999999.99"),
           Decimal("-99999999.99"), Decimal("0.01"), Decimal("127.99"), Decimal("12345.65"),
           Decimal("1.15"), None],
    "dw": [Decimal("0E-10"), Decimal("0.0000000001"), Decimal("1.5000000000"),
           Decimal("9999999999999999999999999999.9999999999"), Decimal("-1.0050000000"),
           Decimal("9223372036854775807.9999999999"), Decimal(9223372036854775808),
           Decimal("9007199254740993.0000000001"), Decimal("0.1234567895"), None],
    "s": ["1", " 1 ", "+1", "-1", "007", "1.5", ".5", "1.", "1e3", "1E-2", "1e400", "-1e400",
          "1d", "1f", "1L", "0x1p3", "0x10", "NaN", "nan", "Infinity", "inf", "-INF", "+inf",
          "+Infinity", "iNfInItY", "-nan", "", " ", "abc", "1,000", "1_000", "١٢", "\uff11", "127",
          "128", "-129", "32768", "2147483648", "9223372036854775807", "9223372036854775808",
          "99999999.995", "1.005", "1.004999", "123456789012345678901234567890.123",
          "1e28", "1e29", "1e-50", "9e37", "true", "TRUE", " t ", "y", "yes", "n", "no", "0", "f",
          "false", "F", "on", "2030-01-05", " 2030-1-5 ", "2030", "2030-01", "2030-02-30",
          "2030-01-05 10:00:00", "2030-01-05T10:00:00Z", "2030-01-05 10:00:00.1234567",
          "2030-01-05 10:00:00+02:00", "2030-01-05 10:00:00 Europe/Oslo", "2030-01-05 10:00",
          "2030-01-05 10", "2030-01-05T10:00:00 GMT", "GMT2030-01-05", "2030-01-05GMT",
          "2030-01-05 junk", "2030-01-05 24:00:00", "10:00", "20300105", "0000-01-01",
          "9999-12-31", "-0001-01-01", "today", "1\n", "\t1", "\u00a01", "1\x00", "\u20031",
          "1.5e", "e5", "--1", "+", "-", "Ж", "\x7f1", "1.5D", "12345678901", "1 2", "0.1e1",
          "340282356779733661637539395458142568448", "16777217", "1.17549429e-38", None],
    "bi": [b"", b"abc", b"1", "Ж".encode(), None],
    "da": [dt.date(1970, 1, 1), dt.date(2030, 1, 5), dt.date(1, 1, 1), dt.date(9999, 12, 31),
           dt.date(1900, 1, 1), None],
    "ts": [*_moments(*_TIMES), None],
    "nt": [*_wall(*_TIMES, "2030-03-31T02:30:00", "2030-10-27T02:30:00"), None],
}  # fmt: skip
ZONES = ("UTC", "Europe/Oslo", "-03:30")
_ZONED = frozenset({"da", "ts", "nt", "s"})
_ZONED_TARGETS = frozenset({"DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "STRING"})

_ARITHMETIC = ("+", "-", "*", "/", "%")
_COMPARING = ("=", "<", "<=>")
_PAIRS = (
    ("by", "by"), ("i", "i"), ("l", "l"), ("i", "l"), ("f", "f"), ("d", "d"), ("i", "d"),
    ("l", "f"), ("dc", "dc"), ("dc", "i"), ("dc", "l"), ("dc", "d"), ("dw", "dc"), ("dw", "dw"),
    ("dw", "l"),
)  # fmt: skip
_COMPARED = (
    *_PAIRS, ("bo", "bo"), ("s", "s"), ("bi", "bi"), ("da", "da"), ("da", "ts"), ("da", "nt"),
    ("ts", "nt"), ("ts", "ts"),
)  # fmt: skip


ANY = "any"
"""The condition of a row that fails, where it was not asked for."""

_FORGIVING = {
    "+": "try_add", "-": "try_subtract", "*": "try_multiply", "/": "try_divide", "%": "try_mod",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """An expression over columns `a` (and `b`), asked about every row.

    `columns` name the lists of odd values; of two, every pair of values is a row.
    """

    expression: str
    columns: tuple[str, ...]
    zone: str = "UTC"

    def forgiving(self) -> str | None:
        """Give the same with NULL instead of an error, where Spark has a function for it."""
        if self.expression.startswith("CAST("):
            return f"TRY_{self.expression}"
        match = re.fullmatch(r"([^- ]\S*) (\S) (.+)", self.expression)
        function = _FORGIVING.get(match[2]) if match else None
        return f"{function}({match[1]}, {match[3]})" if match and function else None


def name_questions() -> list[str]:
    """Give expressions whose name and type are asked, over the table of all types."""
    names = [*COLUMNS, "st"]
    operators = (*_ARITHMETIC, "=", "<", "<=>", "AND")
    return [
        *(f"{one} {op} {two}" for one in names for two in names for op in operators),
        *(f"{one} {op} {two}" for one in names for two in LITERALS for op in operators),
        *(f"{two} {op} {one}" for one in names for two in LITERALS for op in ("-", "*", "<")),
        *(f"CAST({one} AS {target})" for one in [*names, *LITERALS] for target in TARGETS),
        *(f"TRY_CAST({one} AS {target})" for one in names for target in TARGETS),
        *(f"{one} IN ({two}, {three})" for one in names for two, three in _LISTS),
        *(f"{one} BETWEEN {two} AND {three}" for one in names for two, three in _LISTS),
        *(f"- {one}" for one in names),
        *(f"NOT {one}" for one in names),
        *(f"{one} IS NULL" for one in names),
        *(f"{one} LIKE 'a%'" for one in names),
        *(f"startswith({one}, 'a')" for one in names),
        *NAMED,
    ]


_LISTS = (
    ("1", "2"), ("1", "NULL"), ("'1'", "'2'"), ("1", "2.5"), ("1", "'2'"), ("1.5D", "2"),
    ("i", "l"), ("s", "i"), ("dc", "dw"), ("DATE'2030-01-01'", "'2030-01-02'"), ("ts", "da"),
)  # fmt: skip

NAMED = (
    "*", "st.*", "i", "I", "st.f", "ST.g", "st['f']", "st.nope", "nope", "nope.f", "i.f", "`a b`",
    "`x.y`", "x.y", "a b", "i AS q", "i q", "i AS `a b`", "(i)", "((i + 1)) * 2", "i + 1 - 2 * 3",
    "1", "-1", "- 1", "1L", "2Y", "3S", "1.5", "1.50", "1e3", "1.5D", "1.5F", "1BD", "1.5BD",
    "'x'", "'it''s'", "'it\\'s'", '"x"', "'a\\nb'", "r'a\\nb'", "'a' 'b'", "NULL", "true", "FALSE",
    "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "12345678901234567890123456789012345678", "0.001", ".5", "5.",
    "DATE'2030-01-05'", "TIMESTAMP'2030-01-05 10:00:00'", "DATE'nope'", "x'1F'",
    "TIMESTAMP_NTZ'2030-01-05 10:00:00'", "CAST(i + 1 AS STRING)", "CAST(CAST(i AS STRING) AS INT)",
    "i::STRING", "CAST(st.f AS STRING)", "CAST(NULL AS INT)", "CAST('1' AS INT) + 1", "int(s)",
    "string(i)", "try_cast(s AS INT) + 1", "CAST(1 AS DECIMAL(5,2))", "CAST(s AS ARRAY<INT>)",
    "NOT i = 1", "! i = 1", "!(i = 1)", "NOT i = 1 AND bo", "bo AND bo OR NOT bo", "i == 1",
    "i != 1",
    "i <> 1", "i <=> 1", "i IS NULL", "i IS NOT NULL", "i IS NULL AND bo", "NOT i IS NULL",
    "i = 1 = true", "i + 1 = 2", "i % 2 = 0", "- i + 1", "-(-i)", "+i", "i NOT IN (1, 2)",
    "i IN (1)", "i IN (NULL)", "s NOT LIKE 'a%'", "s LIKE 'a!%' ESCAPE '!'", "s LIKE i",
    "i BETWEEN 1 AND 2", "i NOT BETWEEN 1 AND 2", "contains(s, 'a')", "endswith(s, 'a')",
    "startswith(s, s)", "current_timestamp()", "current_timestamp", "now()", "input_file_name()",
    "i AS a + 1", "i, l", "i +", "", "i )", "SELECT 1", "i; l", "upper(s)", "i || s", "i & 1",
    "CASE WHEN bo THEN 1 END", "count(*)", "nofunction(i)", "st = st", "i = 1 -- note",
    "bo IS TRUE", "i div 2", "i % 2", "CAST(i AS nope)", "1 = 1L", "s > 1", "da > '2030'",
    "i > '1'",
)  # fmt: skip


def value_questions() -> list[Question]:
    """Give expressions whose values are asked."""
    casts = [
        Question(f"CAST(a AS {target})", (column,), zone)
        for column in ODD
        for target in TARGETS
        for zone in ZONES
        if zone == "UTC" or (column in _ZONED and target in _ZONED_TARGETS)
    ]
    return [
        *casts,
        *(Question(f"a {op} b", pair) for pair in _PAIRS for op in _ARITHMETIC),
        *(Question(f"a {op} b", pair) for pair in _COMPARED for op in _COMPARING),
        *(Question(f"a {op} b", ("bo", "bo")) for op in ("AND", "OR")),
        *(Question("- a", (one,)) for one in ("by", "sh", "i", "l", "f", "d", "dc", "dw")),
        *(Question("a IS NULL", (one,)) for one in ODD),
        *(Question(*one) for one in _SINGLE),
    ]


_SINGLE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("NOT a", ("bo",)), ("a IN (1, 7)", ("i",)), ("a IN (1, NULL)", ("i",)),
    ("a NOT IN (1, NULL)", ("i",)), ("a IN (1.5D, CAST('NaN' AS DOUBLE), 0)", ("d",)),
    ("a IN (1.5, 1)", ("dc",)), ("a IN ('1', 'abc')", ("s",)), ("a BETWEEN -1 AND 1.5", ("d",)),
    ("a IN ('2030-01-05')", ("da",)), ("a > '2000-01-01'", ("da",)),
    ("a > DATE'2000-01-01'", ("ts",)),
    ("a LIKE '1%'", ("s",)), ("a LIKE '%'", ("s",)), ("a LIKE '_'", ("s",)),
    ("a LIKE '1_'", ("s",)),
    ("a LIKE '%e%'", ("s",)), ("a LIKE '1!_%' ESCAPE '!'", ("s",)), ("a LIKE '1.5'", ("s",)),
    ("a LIKE '\\\\%'", ("s",)), ("a LIKE 'a!bc' ESCAPE '!'", ("s",)), ("a LIKE ''", ("s",)),
    ("startswith(a, '1')", ("s",)), ("endswith(a, '1')", ("s",)), ("contains(a, '.')", ("s",)),
    ("startswith(a, '')", ("s",)), ("a = '1'", ("s",)), ("a < 'A'", ("s",)), ("a = 1", ("i",)),
    ("a * 1.1", ("dc",)), ("a / 3", ("dc",)), ("a / 100", ("l",)), ("a % 3", ("l",)),
    ("a / 0", ("i",)), ("a % 0", ("i",)), ("a - 0.005", ("dw",)), ("a + '1'", ("i",)),
    ("a < NULL", ("i",)), ("a <=> NULL", ("i",)), ("NULL AND a", ("bo",)), ("a + NULL", ("i",)),
)  # fmt: skip


def rows_of(question: Question) -> list[tuple[Any, ...]]:
    """Give the rows that a question is about."""
    return list(itertools.product(*(ODD[name] for name in question.columns)))


def ddl_of(schema: pa.Schema) -> str:
    """Give the schema as DDL; Spark would take local times for instants."""
    return to_ddl(from_arrow_schema(schema))


def table_of(question: Question) -> pa.Table:
    """Give these rows as columns `id`, `a` (and `b`)."""
    rows = rows_of(question)
    arrays = [
        pa.array([row[place] for row in rows], COLUMNS[name])
        for place, name in enumerate(question.columns)
    ]
    ids = pa.array(range(len(rows)), pa.int32())
    return pa.table([ids, *arrays], names=["id", "a", "b"][: len(arrays) + 1])


@dataclass(frozen=True, slots=True)
class Recording:
    """Spark's answers: of expressions `[name, type]`, of values one each; or `{"error": …}`.

    `day` is the one on which they were given (for a time alone).
    """

    spark: str
    day: str
    names: dict[str, Json]
    values: list[tuple[Question, list[Json]]]


def write_recording(recording: Recording, path: Path = RECORDED) -> None:
    """Store a recording, compressed."""
    values = [
        [one.expression, list(one.columns), one.zone, answers] for one, answers in recording.values
    ]
    text = orjson.dumps(
        {
            "spark": recording.spark,
            "day": recording.day,
            "names": recording.names,
            "values": values,
        }
    )
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def read_recording(path: Path = RECORDED) -> Recording:
    """Read the recording."""
    value = orjson.loads(lzma.decompress(path.read_bytes()))
    values = [
        (Question(expression, tuple(columns), zone), answers)
        for expression, columns, zone, answers in value["values"]
    ]
    return Recording(value["spark"], value["day"], value["names"], values)
