"""How CSV text is cut into cells: the options of one file, resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.stream_options import UnescapedQuotes
from ingest.text.numbers import JAVA_BLANKS

if TYPE_CHECKING:
    from ingest.stream_options import CsvOptions

NO_CHARACTER = "\0"
"""Univocity's word for "no quote" and "no escape"."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Spark's CSV settings for Univocity, of one file.

    `escape` escapes quotes inside quoted cells; `"` itself makes it RFC 4180. Trimming is for cells
    without quotes. An unquoted empty cell is null, `""` is `empty_value`, and then what equals
    `null_value` is null. `special` is the user's `charToEscapeQuoteEscaping`. With `line_sep` other
    line breaks are ordinary characters.
    """

    sep: str
    quote: str
    escape: str
    null_value: str
    empty_value: str
    trim_leading: bool
    trim_trailing: bool
    special: str | None = None
    unescaped: UnescapedQuotes = UnescapedQuotes.STOP_AT_DELIMITER
    comment: str | None = None
    multi_line: bool = False
    line_sep: str | None = None
    max_columns: int = 20480
    max_chars: int | None = None

    @property
    def trims(self) -> bool:
        """Tell whether blanks are cut off at an end of the cells."""
        return self.trim_leading or self.trim_trailing

    @property
    def folds(self) -> bool:
        """Tell whether records can have line breaks, written as marks (`csv_marks`)."""
        return self.multi_line or self.line_sep is not None

    @property
    def doubles_quotes(self) -> bool:
        """Tell whether a quote is escaped by doubling it."""
        return self.escape == self.quote

    @property
    def escape_of_escape(self) -> str:
        """What escapes the escape (Univocity's default of `charToEscapeQuoteEscaping`)."""
        if self.special is not None:
            return self.special
        return NO_CHARACTER if self.doubles_quotes else self.escape

    @property
    def stops_at_separator(self) -> bool:
        """Tell whether an unescaped quote ends quoting (Univocity's `...UntilDelimiter`)."""
        return self.unescaped in {
            UnescapedQuotes.STOP_AT_DELIMITER,
            UnescapedQuotes.BACK_TO_DELIMITER,
            UnescapedQuotes.SKIP_VALUE,
        }


def find_dialect(options: CsvOptions, *, comma_space: bool) -> Dialect:
    """Resolve the options for one file; `comma_space` when its header says so (contract 2.4)."""
    leading = options.ignore_leading_white_space
    return Dialect(
        sep=options.sep,
        quote=options.quote or NO_CHARACTER,
        escape=options.escape or NO_CHARACTER,
        null_value=options.null_value,
        empty_value=options.empty_value,
        trim_leading=comma_space if leading is None else leading,
        trim_trailing=bool(options.ignore_trailing_white_space),
        special=options.escape_of_escape,
        unescaped=options.unescaped,
        comment=options.comment,
        multi_line=options.multi_line,
        line_sep=options.line_sep,
        max_columns=options.max_columns,
        max_chars=options.max_chars,
    )


def is_comma_space(line: str, options: CsvOptions) -> bool:
    """Tell whether every name of the header after the first begins with a blank (contract 2.4)."""
    whitespace = (options.ignore_leading_white_space, options.ignore_trailing_white_space)
    if whitespace != (None, None):
        return False
    rest = line.split(options.sep)[1:]
    return bool(rest) and all(name[:1] in {" ", "\t"} for name in rest)


def is_blank(line: str) -> bool:
    """Tell whether Spark skips the line (`CSVExprUtils.filterCommentAndEmpty`)."""
    return not line.strip(JAVA_BLANKS)
