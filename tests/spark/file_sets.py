"""Whole files: line ends, byte order marks, encodings, records over lines, modes, headers."""

from __future__ import annotations

import random

from tests.spark.questions import Kind, QuestionSet
from tests.spark.written import CORRUPT

TEXT = ("STRING",) * 4
KEPT = (*TEXT, f"{CORRUPT}: STRING")
TYPED = ("INT", "STRING", "DATE", "DECIMAL(4,1)")
TYPED_KEPT = (*TYPED, f"{CORRUPT}: STRING")

_ENDS = (
    "a,b\nc,d\n", "a,b\nc,d", "a,b\r\nc,d\r\n", "a,b\rc,d\r", "a,b\n\nc,d\n\n", "\n\na,b\n",
    "a,b\r\n\r\nc,d", "a,b\n \t \nc,d\n", "a,b\r\nc,d\ne,f\rg,h", "a,b\n\rc,d", "", "\n", "\r\n", " ",
    "a", "a\n", ",\n", ",,\n,\n", "a,b\n,\n\nc\n", '"a"\n', '"a\n', "a,b\0\nc,\0d\n", "a\x85b,c\n",
    "a\u2028b,c\u2029\n", "a\x0bb\x0c,c\n", "a,b\r\r\nc,d\n",
)  # fmt: skip
_SPANNING = (
    '"x\ny",2\n', '"x\r\ny",2\r\nz,3\r\n', '"x\ry",2\rz,3\r', '"x,2\ny,3\n', '"x\n\ny",2\nz,3\n',
    'a,"b\n', 'a,"b\nc"d,e\nf,g\n', '"a""\nb",c\n', '"a\\"\nb",c\n', 'a,b"c\nd",e\n', '"a"\n\n"b"\n',
    ' "a\nb" ,c\n', '"a\nb"x,c\nd\n', "a\n\n\nb\n", '"\n"\n', '"\n\n",""\n', '"a\r\nb","c\nd"\r\n',
    '"a\nb",1\r\nc,2\r\n', 'a,"b\n"\nc,d\n', '#a,"b\n",c\nd,e\n', '"#a\nb",c\n', '"a","b\nc","d\n\ne"\n',
)  # fmt: skip
_COMMENTS = (
    "#a\nb\n", " #a\nb\n", "a,#b\n", '"#a",b\n', "a\n#b\nc", "#", "#\n", "a#b,c\n", "\n#a\n\nb\n",
    "##a\nb\n", "#a,b\n#c\n", "\t#a\nb,c\n", "\ufeff#a\nb\n", "a,b\n#c,d", "#a\r\nb\r\n", "#é\nb\n",
)  # fmt: skip
_SEPARATED = (
    "a,b;c,d;", "a,b;c,d", "a,b\n;c,d\n;", ";;a,b;;", '"a;b",c;d', "a,b;\n;c", "a,b\r\n;c;", ";", "a",
    "a|b;c", "a,b||c,d||", "a|,b||\n||c", "a\tb;c", "a,b; ;c",
)  # fmt: skip
_TYPED_LINES = (
    "1,a,2020-01-01,1.5", "x,a,2020-01-01,1.5", "1,a,no,1.5", "1,a,2020-01-01,12345", "1,a", "1",
    "1,a,2020-01-01,1.5,more", "1,a,2020-01-01,1.5,", "1,a,2020-01-01,1.5,,", ",,,", "x", "x,y,z,w",
    " 1,a,2020-01-01,1.5", '"1","a","2020-01-01","1.5"', '"1",a,"2020-01-01T10:11:12",1.25',
    "1,,2020-1-1,", '1,"",,', '"",a,,', "1,a,2020-02-30,1", "NV,NV,NV,NV", '1,"a,2020-01-01,1.5',
    '1,a"b,2020-01-01,1.5', "9999999999,a,2020-01-01,1.5", "1.0,a,2020-01-01,1e2", "1,a,2020,1",
    "1;a;2020-01-01;1.5", "#1,a", "1,a,2020-01-01,.5", "true,a,,", "1,a,,x",
)  # fmt: skip
_HEADERS = (
    "a,b\n1,x\n", "a,a,A,b\n1,2,3,4\n", "a,,c\n1,2,3\n", " a , b \n1,2\n", "a,b\n", "a,b", "\n\na,b\n1,2\n",
    '"a","b c"\n1,2\n', '"a,b",c\n1,2\n', '"a""b",c\n1,2\n', "a,b,\n1,2,3\n", ",\n1,2\n", "a\n1,2\n", "a,b,c\n1\n",
    "A,a\n1,2\n", "a,_c1,\n1,2,3\n", "_c1,\n1,2\n", "a0,a,a\n1,2,3\n", "é,日\n1,2\n", "1,2\n3,4\n", "a.b,c`d\n1,2\n",
    "\ufeffa,b\n1,2\n", "\ufeff\na,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2\r", '"",b\n1,2\n', '"a,b\n1,2\n', "a,b\n\n1,2\n",
    "NV,b\n1,NV\n", "#a,b\n1,2\n", "a;b\n1;2\n", "a\tb\n1\t2\n", "x\n", "x", "", "\n", " \n", "a,b\n1,2,3\n4,5,6,7\n",
    "a,b\n,\n", "a,b\n1,\n,2\n", "İ,i\n1,2\n", "ß,SS\n1,2\n", "Σ,ς,σ\n1,2,3\n", "a, A\n1,2\n", "a,b,a\n1,2,3\n",
    "a\x00b,c\n1,2\n", "null,NULL\n1,2\n", "a,b\n1,2020-01-01\n2,x\n", 'a,b\n"1"," 2"\n',
)  # fmt: skip
_SCRIPTS = ("city,n\nMálaga,3\nKöln,4\n", "Å1,日本\n", "a,b\nc,d\n", '"é\nü",1\n', "😀,x\n", "")
_ENCODINGS = (
    "UTF-8", "ISO-8859-1", "US-ASCII", "windows-1252", "cp1252", "UTF-16", "UTF-16LE", "UTF-16BE",
    "UTF-32", "UTF-32LE", "ISO-8859-15", "Shift_JIS", "GBK", "IBM437", "KOI8-R",
)  # fmt: skip
_PYTHON_NAMES = {"IBM437": "cp437"}
_BYTES = (
    b"caf\xe9,1\n", b"\xff\xfe\n", b"a\xc3,b\n", b"a\xc3\x28,b\n", b"\xe2\x82,b\n", b"\xf0\x9f\x98,b\n",
    b"\xed\xa0\x80,b\n", b"\xc0\x80,b\n", b"\xf5\x80\x80\x80,b\n", b"\xef\xbb\xbfa,b\n",
    b"a,b\n\xef\xbb\xbfc,d\n", b"\xef\xbb\xbf\xef\xbb\xbfa\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n\xef\xbb\xbf1\n",
    b'\xef\xbb\xbf"a",b\n', b"\xef\xbba,b\n", b"a\x00b\n", b"\x80\n", b"a,\xbf\xbf\xbf\n",
    b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41,b\n", b"\xf4\x90\x80\x80,b\n", b"\xfe\xff\x00a\n",
)  # fmt: skip


def file_sets(seed: int) -> list[QuestionSet]:
    """Give the sets of whole files."""
    return [*_line_ends(seed), *_modes(seed), *_headers(), *_encodings(), *_limits()]


def _line_ends(seed: int) -> list[QuestionSet]:
    multi, doubled = {"multiLine": "true"}, {"escape": '"'}
    trimmed = {"ignoreLeadingWhiteSpace": "true", "ignoreTrailingWhiteSpace": "true"}
    spanning = (*_ENDS, *_SPANNING, *_random_files(seed))
    headed = tuple("a,b,c,d\n" + one for one in _ENDS)
    return [
        _rows("lines-of-files", {}, spanning),
        _rows("lines-of-files-with-header", {"header": "true"}, headed),
        _rows("multi-line", multi, spanning),
        _rows("multi-line-escape-quote", multi | doubled, spanning),
        _rows("multi-line-trimmed", multi | trimmed, spanning),
        _rows("multi-line-empty-value", multi | {"emptyValue": "EV"}, _SPANNING),
        _rows("multi-line-comment", multi | {"comment": "#"}, (*_COMMENTS, *_SPANNING)),
        _rows("comment", {"comment": "#"}, (*_COMMENTS, *_SPANNING)),
        _rows("comment-trimmed", {"comment": "#"} | trimmed, _COMMENTS),
        _rows("line-sep-semicolon", {"lineSep": ";"}, _SEPARATED),
        _rows("line-sep-two-pipes", {"lineSep": "||"}, _SEPARATED),
        _rows("line-sep-newline", {"lineSep": "\n"}, (*_ENDS, *_SEPARATED)),
        _rows("line-sep-cr-lf", {"lineSep": "\r\n"}, _ENDS),
        _rows("multi-line-line-sep-semicolon", multi | {"lineSep": ";"}, _SEPARATED),
        _rows("multi-line-line-sep-newline", multi | {"lineSep": "\n"}, (*_ENDS, *_SPANNING)),
        _rows("unescaped-raise-error", {"unescapedQuoteHandling": "RAISE_ERROR"}, (*_ENDS, *_SPANNING)),
        _rows("multi-line-back-to-delimiter", multi | {"unescapedQuoteHandling": "BACK_TO_DELIMITER"}, _SPANNING),
        _rows("multi-line-stop-at-closing-quote", multi | {"unescapedQuoteHandling": "STOP_AT_CLOSING_QUOTE"}, spanning),
    ]  # fmt: skip


def _modes(seed: int) -> list[QuestionSet]:
    rng = random.Random(seed)
    lines = [f"{line}\n" for line in _TYPED_LINES]
    several = ["".join(rng.choices(lines, k=rng.randint(2, 5))) for _ in range(60)]
    files, null_value = (*lines, *several), {"nullValue": "NV"}
    drop, fail = {"mode": "DROPMALFORMED"}, {"mode": "FAILFAST"}
    return [
        _rows("mode-permissive", null_value, files, TYPED),
        _rows("mode-permissive-corrupt-record", null_value, files, TYPED_KEPT),
        _rows("mode-drop-malformed", null_value | drop, files, TYPED),
        _rows("mode-drop-malformed-corrupt-record", null_value | drop, files, TYPED_KEPT),
        _rows("mode-fail-fast", null_value | fail, tuple(files[:50]), TYPED),
        _rows("corrupt-record-name", {"columnNameOfCorruptRecord": "bad"}, files[:40], (*TYPED, "bad: STRING")),
        _rows("corrupt-record-first", {}, files[:40], (f"{CORRUPT}: STRING", *TYPED)),
        _rows("multi-line-typed", {"multiLine": "true"}, files, TYPED_KEPT),
        _rows("mode-multi-line-drop-malformed", {"multiLine": "true"} | drop, files, TYPED),
    ]  # fmt: skip


def _headers() -> list[QuestionSet]:
    plain = {"header": "true", "inferSchema": "true"}
    more: dict[str, dict[str, str]] = {
        "": {},
        "-escape-quote": {"escape": '"'},
        "-trimmed": {"ignoreLeadingWhiteSpace": "true", "ignoreTrailingWhiteSpace": "true"},
        "-null-value": {"nullValue": "NV"},
        "-comment": {"comment": "#"},
        "-none": {"header": "false"},
        "-multi-line": {"multiLine": "true"},
    }
    items = tuple(text.encode().decode("latin-1") for text in (*_HEADERS, *_SPANNING[:8]))
    return [
        QuestionSet(f"headers{name}", Kind.SCHEMA, plain | options, items)
        for name, options in more.items()
    ]


def _encodings() -> list[QuestionSet]:
    raw = tuple(content.decode("latin-1") for content in _BYTES)
    multi = {"multiLine": "true"}
    sets = [
        QuestionSet("bytes", Kind.ROWS, {}, raw, KEPT),
        QuestionSet("bytes-multi-line", Kind.ROWS, multi, raw, KEPT),
        QuestionSet("bytes-ascii", Kind.ROWS, {"encoding": "US-ASCII"}, raw, KEPT),
        QuestionSet("bytes-windows-1252", Kind.ROWS, {"encoding": "windows-1252"}, raw, KEPT),
    ]
    for name in _ENCODINGS[1:]:
        files = tuple(dict.fromkeys(_encoded(text, name) for text in _SCRIPTS))
        given, label = {"encoding": name}, name.lower().replace("_", "-")
        sets.append(QuestionSet(f"encoding-{label}", Kind.ROWS, given, files, TEXT))
        sets.append(
            QuestionSet(f"encoding-{label}-multi-line", Kind.ROWS, given | multi, files, TEXT)
        )
    return sets


def _limits() -> list[QuestionSet]:
    wide = ("a,b,c\n", "a,b,c,d\n", "a\n", ",,,\n", "a,b,c,d,e,f\n")
    long = (
        "abc,d\n",
        "abcd,e\n",
        "abcde,f\n",
        '"abcd",e\n',
        '"abcde",e\n',
        "a,bcdefgh\n",
        '"a""bcd",e\n',
    )
    return [
        _rows("max-columns-3", {"maxColumns": "3"}, wide),
        _rows("max-chars-per-column-4", {"maxCharsPerColumn": "4"}, long),
    ]


def _rows(
    name: str, options: dict[str, str], files: tuple[str, ...], types: tuple[str, ...] = KEPT
) -> QuestionSet:
    named = types
    if options.get("header") == "true":
        named = ("a: STRING", "b: STRING", "c: STRING", "d: STRING", f"{CORRUPT}: STRING")
    items = tuple(dict.fromkeys(text.encode().decode("latin-1") for text in files))
    return QuestionSet(name, Kind.ROWS, options, items, named)


def _encoded(text: str, encoding: str) -> str:
    python = _PYTHON_NAMES.get(encoding, encoding)
    return text.encode(python, "replace").decode("latin-1")


def _random_files(seed: int) -> list[str]:
    rng = random.Random(seed)
    tokens, weights = (",", '"', "\\", "\n", "a", " ", "\r\n", "\r"), (6, 8, 3, 7, 6, 2, 2, 0.5)
    return ["".join(rng.choices(tokens, weights, k=rng.randint(2, 16))) for _ in range(150)]
