"""The tokens of a statement, read one after the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sqlglot import Token, TokenType
from sqlglot.dialects.databricks import Databricks
from sqlglot.errors import TokenError

from ingest.errors import SqlNotSupportedError, SqlSyntaxError

if TYPE_CHECKING:
    from typing import NoReturn

SUPPORTED = (
    "SELECT * FROM table [VERSION AS OF n] [LIMIT n], SELECT * FROM"
    " cloud_files_state('checkpoint'), ALTER TABLE … SET | UNSET TBLPROPERTIES,"
    " SHOW TBLPROPERTIES, DESCRIBE [TABLE | DETAIL | HISTORY], CREATE TABLE with columns,"
    " DROP TABLE, SET key = value"
)


class TokenReader:
    """A statement's tokens and the place that reading has reached."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = _tokens(text)
        self._at = 0

    @property
    def first(self) -> str:
        """The statement's first word, in upper case; empty when there is none."""
        return self._tokens[0].text.upper() if self._tokens else ""

    def peek(self) -> Token | None:
        """Give the next token, or None at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def take(self) -> Token:
        """Give the next token and go on; raises `SqlSyntaxError` at the end."""
        token = self.peek()
        if token is None:
            raise SqlSyntaxError(self.text, "Syntax error at or near end of input")
        self._at += 1
        return token

    def have(self, *words: str) -> bool:
        """Go past these words if they come next, and tell whether they did.

        A token may be several words: `PARTITIONED BY` is one.
        """
        at = self._at
        found: list[str] = []
        while len(found) < len(words) and at < len(self._tokens):
            token = self._tokens[at]
            found += ["'"] if token.token_type in _QUOTED else token.text.upper().split()
            at += 1
        if tuple(found) != words:
            return False
        self._at = at
        return True

    def need(self, *words: str) -> None:
        """Go past these words; raises `SqlSyntaxError` when others come."""
        for word in words:
            if not self.have(word):
                self.fail()

    def fail(self) -> NoReturn:
        """Raise `SqlSyntaxError` at the next token."""
        token = self.peek()
        near = "end of input" if token is None else f"'{token.text}'"
        raise SqlSyntaxError(self.text, f"Syntax error at or near {near}")

    def refuse(self, statement: str) -> NoReturn:
        """Raise `SqlNotSupportedError` for a statement of this name."""
        raise SqlNotSupportedError(statement, supported=SUPPORTED)

    def end(self) -> None:
        """Expect nothing more; raises `SqlSyntaxError`."""
        if self.peek() is not None:
            self.fail()

    def string(self) -> str:
        """Read a text in quotes."""
        token = self.take()
        if token.token_type is not TokenType.STRING:
            self._at -= 1
            self.fail()
        return token.text

    def count(self) -> int:
        """Read a whole number."""
        token = self.take()
        if not token.text.isdecimal():
            self._at -= 1
            self.fail()
        return int(token.text)

    def name_parts(self) -> list[Token]:
        """Read names with dots between them."""
        parts = [self._name()]
        while self.have("."):
            parts.append(self._name())
        return parts

    def _name(self) -> Token:
        token = self.take()
        is_word = token.token_type is not TokenType.STRING and _WORD.fullmatch(token.text)
        if token.token_type is not TokenType.IDENTIFIER and not is_word:
            self._at -= 1
            self.fail()
        return token

    def inside_brackets(self) -> str:
        """Read up to the bracket that closes this one; give the source text between them."""
        self.need("(")
        start, depth = self._tokens[self._at - 1].end + 1, 1
        while depth:
            token = self.take()
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        return self.text[start : self._tokens[self._at - 1].start]


_WORD = re.compile(r"\w+")


class _Tokenizer(Databricks.Tokenizer):
    """Databricks' tokens, with no statement left whole (sqlglot does that to SHOW)."""

    COMMANDS: ClassVar[set[TokenType]] = set()


_QUOTED = (TokenType.STRING, TokenType.IDENTIFIER)


def _tokens(text: str) -> list[Token]:
    try:
        tokens = _Tokenizer(dialect=Databricks()).tokenize(text)
    except TokenError as error:
        raise SqlSyntaxError(text, f"text that cannot be read ({error})") from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    if any(token.token_type is TokenType.SEMICOLON for token in tokens):
        raise SqlSyntaxError(text, "Syntax error at or near ';': one statement at a time")
    return tokens
