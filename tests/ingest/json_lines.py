"""Lines of JSON, most of them ordinary and some odd in every way that a line can be, by seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DDL = (
    "id BIGINT, small TINYINT, n INT, x DOUBLE, f FLOAT, d DECIMAL(10,2), name STRING, ok BOOLEAN,"
    " day DATE, at TIMESTAMP, local TIMESTAMP_NTZ, s STRUCT<a: BIGINT, b: STRING, x: DOUBLE>,"
    " tags ARRAY<STRING>, numbers ARRAY<BIGINT>, items ARRAY<STRUCT<q: INT, p: DECIMAL(6,2)>>,"
    " m MAP<STRING,INT>, bytes BINARY, when STRUCT<t: TIMESTAMP>"
)

ODD_VALUES = (
    '"x"', "1.0", "1e2", "-0", "-0.0", "128", "255", "256", "2147483648", "9223372036854775808",
    "-9223372036854775809", "99999999999999999999999999999999999999999", "1.005", "123456789.5",
    "999999999", "1.00000", "1e400", "NaN", "Infinity", "-Infinity", "+INF", '"NaN"', '"Infinity"',
    '"1"', '"+1"', '"1,000.5"', '""', '" 1"', "null", "true", '"true"', "{}", "[]", "[1]", "[null]",
    '{"a":1}', '{"a":"x"}', '{"a":1,"a":2}', '{"b": [ 1 , 2 ], "c":1}', '"2030-01-05"',
    '"2030-01-05T10:00:00Z"', '"2030-1-5 1:2:3"', '"12345"', '"1"', '"20200101"', "1893456000",
    "99999999999999", '"\\u00e9\\ud83d\\ude00"', '"\\ud800"', '"\\/"', '"a\\"b"', '"YQ=="', '"YQ"',
    '[{"q":1}]', '[{"q":"x","p":1.5}]', '[{"q":1,"z":2}]', '["a",1]', "[[1]]", '{"k":1,"j":"x"}',
    '{"t":"2030-01-05"}', '{"t":"x"}', "'single'", '"tab\there"', '{"x":-0}', "0.1", "1E5", "01",
)  # fmt: skip
ODD_LINES = (
    "", "   ", "null", "5", '"x"', "[]", "{}", '[{"id":1},{"id":2}]', '{"id":1}{"id":2}', "{", "}",
    '{"id":1} x', '{"id":1},', '{"id":1', '{"id":1}}', '{"id":1,}', '{"ID":1}', '{"id":1,"id":2}',
    '{"id":1,"\\u0069d":2}', '{"id":1} null}', '{"id":1}[1]}', '{"":1}', '{"new":1,"new":2}',
    '{"new":1,"n\\u0065w":2}', '{"_file_path":"p","_rescued_data":1}', '{"s":{"a":1}', '{"id":1}}{',
    ' {"id":1}', '{"id" : 1 , "name" : "x"}', '{"new":{"a": [1, 2]}, "id":3}', "{'id':1}", "{id:1}",
    '[{"id":"x"},{"id":2}]', '{"name":{"\\ud800":1}}',
    '{"name":{"\\uD83D\\ude00":1}}', '{"\\udc00":1}',
    '{"name":"Malm\u00f6"}', '{"a.b":1}', '{"id":1}\t', '[{"id":1}] 5', '[{"id":1},2]',
)  # fmt: skip


def ordinary(pick: random.Random, at: int) -> dict[str, str]:
    """Give the members of an ordinary line."""
    return {
        "id": str(at),
        "small": str(pick.randrange(-128, 128)),
        "n": str(pick.randrange(-(2**31), 2**31)),
        "x": repr(pick.uniform(-9, 9)),
        "f": f"{pick.uniform(-9, 9):.3f}",
        "d": f"{pick.uniform(-9, 9):.2f}",
        "name": f'"row {at}"',
        "ok": pick.choice(("true", "false")),
        "day": f'"20{pick.randrange(10, 30)}-0{pick.randrange(1, 10)}-1{pick.randrange(0, 10)}"',
        "at": f'"2030-01-05T1{pick.randrange(0, 10)}:00:00Z"',
        "local": '"2030-01-05 10:00:00"',
        "s": f'{{"a":{at},"b":"y","x":1.5}}',
        "tags": '["a","b"]',
        "numbers": f"[{at},null]",
        "items": '[{"q":1,"p":1.50},{"q":2}]',
    }


def lines(seed: int, count: int, *, odd: float = 0.02) -> Iterator[bytes]:
    """Give lines; `odd` is the part of them that something is wrong with."""
    pick = random.Random(seed)
    for at in range(count):
        members = ordinary(pick, at)
        if pick.random() < odd:
            if pick.random() < 0.3:
                yield pick.choice(ODD_LINES).encode()
                continue
            for _ in range(pick.randrange(1, 4)):
                name = pick.choice((*members, "m", "bytes", "when", "new", "other", "Id"))
                members[name] = pick.choice(ODD_VALUES)
            if pick.random() < 0.02:
                yield b'{"name":"\xff","id":1}'
                continue
        colon, comma = pick.choice(((":", ","), (": ", ", "))) if odd else (":", ",")
        inside = comma.join(f'"{name}"{colon}{value}' for name, value in members.items())
        yield f"{{{inside}}}".encode()


def short_lines(seed: int, count: int) -> Iterator[bytes]:
    """Give lines of two members, one in fifty of them odd."""
    pick = random.Random(seed)
    for at in range(count):
        if at % 50 == seed % 50:
            name, value = pick.choice(("id", "x", "name", "new")), pick.choice(ODD_VALUES)
            odd = f'{{"{name}":{value},"x":{at}}}', pick.choice(ODD_LINES)
            yield pick.choice(odd).encode()
        else:
            yield b'{"id":%d,"name":"n"}' % at
