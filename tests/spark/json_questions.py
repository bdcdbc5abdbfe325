"""What Spark is asked about JSON: 20,000 pairs of a text and a type, 5,000 nested records.

Every text stands under every type in one line of one file; every group of records is one column of
one file, so that few jobs answer everything. The same seed gives the same questions.
"""

from __future__ import annotations

import random

SEED = 20261130
TYPES = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10,2)",
    "DECIMAL(38,18)", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "STRING", "ARRAY<INT>",
    "STRUCT<a: INT, b: STRING>", "MAP<STRING,DOUBLE>", "ARRAY<STRUCT<a: BIGINT>>",
)  # fmt: skip
BINARY = ("BINARY",)
"""On its own: text that is no base64 can cost Spark the whole record."""
TEXTS = 1200
GROUPS = 1700
RECORDS = 3
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"prefersDecimal": "true"},
    {"inferTimestamp": "true"},
    {"primitivesAsString": "true"},
    {"dropFieldIfAllNull": "true"},
)
_FIXED = (
    "true", "false", "null", "0", "-0", "1", "127", "128", "255", "256", "-128", "-129", "32767",
    "32768", "2147483647", "2147483648", "-2147483648", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9" * 38, "9" * 39,
    "0.1", "1.0", "1e2", "1E5", "1e-5", "1e400", "-1e400", "1e-400", "-0.0", "0.0", "1.005",
    "1.995", "123456789.125",
    "99999999.994", "99999999.995", "16777217.0000001", "3.4028236e38", "NaN",
    "Infinity", "-Infinity", "+INF", "-INF", "+Infinity", '"NaN"', '"Infinity"', '"INF"', '"+INF"',
    '"-INF"', '"Inf"', '"nan"', '""', '" "', '"1"', '"+1"', '" 1"', '"1.5"', '"1,000"', '"1,5"',
    '"1e5"', '".5"', '"5."', '"007"', '"-0"', '"\\uff11\\uff12"', '"true"', '"TRUE"', '"2030"',
    '"2030-01"', '"2030-01-05"', '"2030-1-5"', '"2030-02-30"', '"20300105"', '"0001-01-01"',
    '"9999-12-31"', '"10000-01-01"', '"-0001-01-01"', '"2030-01-05T10:11:12"', '"2030-01-05 10"',
    '"2030-01-05T10:11:12.123456789Z"', '"2030-01-05T10:11:12+02:00"', '"2030-01-05T24:00:00"',
    '"2030-01-05 10:11:12 Europe/Paris"', '"2030-01-05abc"', '" 2030-01-05 "', '"12:34"', '"T1:2"',
    '"999"', '"-5"', '"YQ=="', '"YQ"', '"!!"', '"Y Q=="', "[]", "{}", "[1,2]", "[null]", '[1,"a"]',
    "[[1]]", '{"a":1}', '{"a":"x"}', '{"a":1,"b":{"c":1.50}}', '{"b":[1, 2.0]}', '[{"a":1}]',
    '[{"a":"x"},{"a":2}]', '[{"a":1,"z":2}]', '{"a":null}', '{"x":1,"y":2.5}', '{"x":"NaN"}',
    '"\\u00e9\\ud83d\\ude00"', '"\\ud800"', '"\\/\\b\\f\\n\\r\\t\\"\\\\"', "'single'", '"\\q"',
    '"a\tb"', "01", "+1", ".5", "1.", "0x1", "1e", "-", "nul", "tru", "[1,]", '{"a":1,}', "{a:1}",
    "1893456000", "-1", "1893456000.5", "99999999999", '{"a":1,"a":2}', '"\u2028"', '"\u00e9"',
)  # fmt: skip


def texts(seed: int = SEED) -> list[str]:
    """Give JSON texts, odd ones first."""
    pick = random.Random(seed)
    made = list(_FIXED)
    while len(made) < TEXTS:
        made.append(_scalar(pick))
    return made


def values_file(asked: list[str], types: tuple[str, ...]) -> str:
    """Put every text under every type, a line each."""
    return "".join(
        "{" + ",".join(f'"v{at}":{text}' for at in range(len(types))) + "}\n" for text in asked
    )


def values_ddl(types: tuple[str, ...]) -> str:
    """Give the schema of that file."""
    return ", ".join(f"v{at} {kind}" for at, kind in enumerate(types))


def groups(seed: int = SEED) -> list[tuple[str, ...]]:
    """Give groups of records that are inferred together."""
    pick = random.Random(seed + 1)
    return [tuple(_value(pick, depth=3) for _ in range(RECORDS)) for _ in range(GROUPS)]


def groups_file(asked: list[tuple[str, ...]]) -> str:
    """Put every group into a column of its own."""
    return "".join(
        "{" + ",".join(f'"c{at}":{group[line]}' for at, group in enumerate(asked)) + "}\n"
        for line in range(RECORDS)
    )


def _scalar(pick: random.Random) -> str:
    digits = "".join(pick.choice("0123456789") for _ in range(pick.choice((1, 2, 5, 9, 17, 30))))
    number = digits.lstrip("0") or "0"
    match pick.randrange(8):
        case 0:
            return pick.choice(("", "-")) + number
        case 1:
            return f"{pick.choice(('', '-'))}{number[:9]}.{digits}"
        case 2:
            return f"{number[:4]}.{digits[:3]}e{pick.randrange(-12, 12)}"
        case 3:
            return f'"{pick.choice(("", "-", "+", " "))}{digits}"'
        case 4:
            return f'"{number[:6]}.{digits}"'
        case 5:
            day = f"{pick.randrange(1, 9999):04}-{pick.randrange(1, 14)}-{pick.randrange(1, 33)}"
            return f'"{day}"'
        case 6:
            clock = ":".join(str(pick.randrange(0, 62)) for _ in range(pick.randrange(1, 4)))
            zone = pick.choice(("", "Z", "+01:00", " UTC", "-0130", " Mars"))
            return f'"20{digits[:2].zfill(2)}-01-05{pick.choice("T ")}{clock}{zone}"'
        case _:
            return pick.choice(("true", "false", "null", '"x"', '""'))


def _value(pick: random.Random, *, depth: int) -> str:
    kind = pick.randrange(7) if depth else 0
    if kind == 1:
        return "[" + ",".join(_value(pick, depth=depth - 1) for _ in range(pick.randrange(3))) + "]"
    if kind in {2, 3}:
        names = pick.sample(("a", "b", "c d", "é", "z.z"), pick.randrange(4))
        members = (f'"{name}":{_value(pick, depth=depth - 1)}' for name in names)
        return "{" + ",".join(members) + "}"
    return pick.choice(
        ("1", "2.50", "true", "null", '""', '"x"', '"1"', '"2030-01-05"', '"1,000"', "-7", "0.001",
         "12345678901234567890", "9" * 39, "1e-3", '"2030-01-05T10:00:00Z"', "{}", "[]", "1.5e1")
    )  # fmt: skip
