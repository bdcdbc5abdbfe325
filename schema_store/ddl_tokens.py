"""DDL text as tokens, and a cursor over them that knows where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from schema_store.errors import DdlError


class TokenKind(Enum):
    """What a piece of DDL text is; the names are those of the groups in the pattern."""

    QUOTED = "quoted"
    WORD = "word"
    STRING = "string"
    MARK = "mark"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text and the position of its first character."""

    kind: TokenKind
    text: str
    position: int


_TOKEN = re.compile(
    r"""(?P<quoted>`(?:[^`]|``)*`)
      | (?P<word>\w+)
      | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<mark>[<>(),:.])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_SPACE = re.compile(r"(?:\s|--[^\n]*|/\*.*?\*/)*", re.DOTALL)  # comments as in Spark


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut the text into tokens, the last of which is the end.

    Raises `DdlError` at a character that begins no token.
    """
    tokens: list[Token] = []
    position = _skip_space(text, 0)
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            raise DdlError(text, position, _expected_instead_of(text[position]))
        tokens.append(Token(TokenKind(found.lastgroup), found.group(), position))
        position = _skip_space(text, found.end())
    return (*tokens, Token(TokenKind.END, "", len(text)))


def _skip_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _expected_instead_of(character: str) -> str:
    match character:
        case "`" | "'" | '"':
            return f"a closing {character}"
        case _:
            return f"no {character!r} (names with such characters need `backticks`)"


class Cursor:
    """A place in the tokens of a DDL text; `accept…` moves only over what it was asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokenize(text)
        self._index = 0

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self._tokens[self._index]

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.token.kind is TokenKind.END

    def take(self) -> Token:
        """Move over the next token."""
        token = self.token
        if not self.at_end:
            self._index += 1
        return token

    def accept(self, text: str) -> bool:
        """Move over this mark or keyword if it comes next."""
        token = self.token
        if token.kind not in {TokenKind.MARK, TokenKind.WORD} or token.text.upper() != text:
            return False
        self.take()
        return True

    def expect(self, text: str) -> None:
        """Move over this mark or keyword, which has to come next."""
        if not self.accept(text):
            raise self.error(repr(text))

    def followed_by(self, text: str) -> bool:
        """Tell whether this mark comes after the next token."""
        return not self.at_end and self._tokens[self._index + 1].text == text

    def error(self, expected: str, at: Token | None = None) -> DdlError:
        """Make the error that points at a token, the next one unless another is given."""
        token = self.token if at is None else at
        found = "the end of the text" if token.kind is TokenKind.END else repr(token.text)
        return DdlError(self._text, token.position, f"{expected}, found {found}")
