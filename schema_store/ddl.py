"""DDL text such as `id BIGINT, s STRUCT<a: INT>` and schemas, both ways (Spark `AstBuilder`)."""

from __future__ import annotations

import re
import sys

import orjson

from schema_store.ddl_tokens import Cursor, TokenKind
from schema_store.errors import InvalidDecimalError
from schema_store.type_names import (
    PLAIN_TYPES,
    column_suffix,
    quote_name,
    type_to_simple_string,
    type_to_sql,
)
from schema_store.types import (
    ArrayType,
    CharType,
    DataType,
    DayTimeIntervalType,
    DecimalType,
    Field,
    FieldPath,
    MapType,
    Schema,
    StructType,
    VarcharType,
    YearMonthIntervalType,
)

__all__ = [
    "parse_data_type",
    "parse_ddl",
    "parse_dotted_columns",
    "to_ddl",
    "type_to_simple_string",
    "type_to_sql",
]

_SYNONYMS = {
    "BYTE": "TINYINT",
    "SHORT": "SMALLINT",
    "INTEGER": "INT",
    "LONG": "BIGINT",
    "REAL": "FLOAT",
    "TIMESTAMP_LTZ": "TIMESTAMP",
}
_NAMED_TYPES = {sql: data_type for data_type, (sql, _) in PLAIN_TYPES.items()}
_ESCAPE = re.compile(r"(?s)\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[01][0-7]{2}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "0": "\0", "Z": "\x1a"}
_ESCAPES |= {"%": "\\%", "_": "\\_"}
_SURROGATES = range(0xD800, 0xE000)
_A_TYPE = "a data type such as INT, STRING, DECIMAL(10,2), ARRAY<…>, MAP<…> or STRUCT<…>"


def parse_ddl(text: str) -> Schema:
    """Parse a list of columns; a `STRUCT<…>` counts as its fields (Spark `StructType.fromDDL`).

    Raises `DdlError`, and `DuplicateFieldError` when two columns have one name.

    >>> to_ddl(parse_ddl("id bigint, s struct<a: int>"))
    'id BIGINT, s STRUCT<a: INT>'
    """
    cursor = Cursor(text)
    if cursor.at_end:
        return StructType(())
    if cursor.token.text.upper() == "STRUCT" and cursor.followed_by("<"):
        cursor.take()
        struct = _struct(cursor)
        _expect_end(cursor)
        return struct
    fields = [_field(cursor)]
    while cursor.accept(","):
        fields.append(_field(cursor))
    _expect_end(cursor)
    return StructType(tuple(fields))


def parse_data_type(text: str) -> DataType:
    """Parse one type (Spark `CatalystSqlParser.parseDataType`).

    >>> parse_data_type("decimal")
    DecimalType(precision=10, scale=0)
    """
    cursor = Cursor(text)
    data_type = _data_type(cursor)
    _expect_end(cursor)
    return data_type


def parse_dotted_columns(text: str) -> tuple[tuple[FieldPath, Field], ...]:
    """Parse a list of columns whose names may be dotted paths, as in schema hints."""
    cursor = Cursor(text)
    columns: list[tuple[FieldPath, Field]] = []
    while not cursor.at_end:
        path = [_step(cursor)]
        while cursor.accept("."):
            path.append(_step(cursor))
        columns.append((tuple(path), _field_after_name(cursor, path[-1])))
        if not cursor.at_end:
            cursor.expect(",")
            if cursor.at_end:
                raise cursor.error("a column after ','")
    return tuple(columns)


def to_ddl(schema: Schema) -> str:
    """Write a schema as a list of columns (Spark `StructType.toDDL`).

    DDL has no words for arrays and maps whose parts are never null, nor for metadata other than
    a comment; these are left out.
    """
    return ", ".join(
        f"{quote_name(field.name)} {type_to_sql(field.data_type)}{column_suffix(field)}"
        for field in schema
    )


def _expect_end(cursor: Cursor) -> None:
    if not cursor.at_end:
        raise cursor.error("',' or the end of the text")


def _name(cursor: Cursor) -> str:
    token = cursor.token
    if token.kind is TokenKind.WORD:
        return cursor.take().text
    if token.kind is TokenKind.QUOTED:
        return cursor.take().text[1:-1].replace("``", "`")
    raise cursor.error("a column name")


def _step(cursor: Cursor) -> str:
    token = cursor.token
    name = _name(cursor)
    if not name:
        raise cursor.error("a name that is not empty", at=token)
    return name


def _field(cursor: Cursor) -> Field:
    return _field_after_name(cursor, _name(cursor))


def _field_after_name(cursor: Cursor, name: str) -> Field:
    cursor.accept(":")
    data_type = _data_type(cursor)
    nullable = True
    if cursor.accept("NOT"):
        cursor.expect("NULL")
        nullable = False
    metadata = "{}"
    if cursor.accept("COMMENT"):
        metadata = orjson.dumps({"comment": _string(cursor)}).decode()
    return Field(name, data_type, nullable, metadata)


def _string(cursor: Cursor) -> str:
    if cursor.token.kind is not TokenKind.STRING:
        raise cursor.error("a text in quotes")
    quoted = cursor.take().text[1:-1]
    return _ESCAPE.sub(_unescape, quoted)


def _unescape(found: re.Match[str]) -> str:
    """Give what an escape stands for (Spark `SparkParserUtils.unescapeSQLString`)."""
    code = found[1]
    if len(code) == 1:
        return _ESCAPES.get(code, code)
    number = int(code, 8) if code.isdigit() else int(code[1:], 16)
    is_character = number <= sys.maxunicode and number not in _SURROGATES
    return chr(number) if is_character else code


def _data_type(cursor: Cursor) -> DataType:
    token = cursor.token
    if token.kind is not TokenKind.WORD:
        raise cursor.error(_A_TYPE)
    name = token.text.upper()
    plain = _NAMED_TYPES.get(_SYNONYMS.get(name, name))
    cursor.take()
    if plain is not None:
        return plain
    match name:
        case "DECIMAL" | "DEC" | "NUMERIC":
            return _decimal(cursor)
        case "CHAR" | "CHARACTER":
            return CharType(_length(cursor))
        case "VARCHAR":
            return VarcharType(_length(cursor))
        case "ARRAY":
            return _array(cursor)
        case "MAP":
            return _map(cursor)
        case "STRUCT":
            return _struct(cursor)
        case "INTERVAL":
            return _interval(cursor)
        case _:
            raise cursor.error(_A_TYPE, at=token)


def _decimal(cursor: Cursor) -> DecimalType:
    if not cursor.accept("("):
        return DecimalType(10, 0)
    at = cursor.token
    precision = _number(cursor)
    scale = _number(cursor) if cursor.accept(",") else 0
    cursor.expect(")")
    try:
        return DecimalType(precision, scale)
    except InvalidDecimalError as error:
        raise cursor.error("a precision of 1 to 38 and a scale of 0 to it", at=at) from error


def _length(cursor: Cursor) -> int:
    cursor.expect("(")
    length = _number(cursor)
    cursor.expect(")")
    return length


def _number(cursor: Cursor) -> int:
    token = cursor.token
    if not (token.kind is TokenKind.WORD and token.text.isascii() and token.text.isdigit()):
        raise cursor.error("a number")
    return int(cursor.take().text)


def _array(cursor: Cursor) -> ArrayType:
    cursor.expect("<")
    element = _data_type(cursor)
    cursor.expect(">")
    return ArrayType(element)


def _map(cursor: Cursor) -> MapType:
    cursor.expect("<")
    key = _data_type(cursor)
    cursor.expect(",")
    value = _data_type(cursor)
    cursor.expect(">")
    return MapType(key, value)


def _struct(cursor: Cursor) -> StructType:
    cursor.expect("<")
    fields: list[Field] = []
    if not cursor.accept(">"):
        fields.append(_field(cursor))
        while cursor.accept(","):
            fields.append(_field(cursor))
        cursor.expect(">")
    return StructType(tuple(fields))


def _interval(cursor: Cursor) -> YearMonthIntervalType | DayTimeIntervalType:
    token = cursor.token
    unit = token.text.lower()
    for interval in (YearMonthIntervalType, DayTimeIntervalType):
        if unit in interval.NAMES:
            cursor.take()
            start = interval.NAMES.index(unit)
            end = _interval_end(cursor, interval.NAMES, start) if cursor.accept("TO") else start
            return interval(start, end)
    raise cursor.error("YEAR, MONTH, DAY, HOUR, MINUTE or SECOND")


def _interval_end(cursor: Cursor, names: tuple[str, ...], start: int) -> int:
    smaller = names[start + 1 :]
    if cursor.token.text.lower() not in smaller:
        raise cursor.error(" or ".join(smaller).upper() or "a single unit")
    return names.index(cursor.take().text.lower())
