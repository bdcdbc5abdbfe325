"""Values as a person wrote them in a scenario, checked one by one; what is wrong is told in words.

A `Written` knows where it stands, so that every error names file, step and key.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NoReturn


@dataclass(frozen=True, slots=True)
class Written:
    """A value of a scenario and its place: the file, the step's number, the key."""

    file: str
    step: int | None
    key: str | None
    value: Any

    def wrong(self, found: str, *, expected: str, remedy: str) -> NoReturn:
        """Raise the `ScenarioError` of this place."""
        raise ScenarioError(
            self.file,
            step=self.step,
            key=self.key,
            found=found,
            expected=expected,
            remedy=remedy,
        )

    def not_a(self, kind: str, *, example: str) -> NoReturn:
        """Raise the error of a value of another kind."""
        self.wrong(
            f"{self.value!r}, {_kind(self.value)}", expected=kind, remedy=f"Write {example}."
        )

    def at(self, key: str, value: object) -> Written:
        """Give a value of a key in this one."""
        return Written(
            self.file, self.step, key if self.key is None else f"{self.key}.{key}", value
        )

    def mapping(self, *, example: str) -> dict[str, Any]:
        """Give the members of a mapping, their keys as text."""
        if not isinstance(self.value, dict):
            self.not_a("a mapping", example=example)
        return {str(key): value for key, value in self.value.items()}

    def members(self, known: Sequence[str], *, example: str) -> Iterator[Written]:
        """Give the members of a mapping whose keys are known."""
        for key, value in self.mapping(example=example).items():
            if key not in known:
                self.at(key, value).unknown(known)
            yield self.at(key, value)

    def unknown(self, known: Sequence[str]) -> NoReturn:
        """Raise the error of a key that does not exist; `did you mean` if one is like it."""
        name = (self.key or "").rpartition(".")[2]
        close = difflib.get_close_matches(name, known, n=1)
        self.wrong(
            f"no such key: {name}",
            expected=f"one of {', '.join(known)}",
            remedy=f"Did you mean {close[0]}?" if close else "Correct the key or leave it out.",
        )

    def sequence(self, *, example: str) -> list[Any]:
        """Give the items of a list."""
        if not isinstance(self.value, list):
            self.not_a("a list", example=example)
        return self.value

    def texts(self, *, example: str) -> tuple[str, ...]:
        """Give one text or a list of texts; numbers are taken as they are written."""
        items: Iterable[Any] = self.value if isinstance(self.value, list) else [self.value]
        return tuple(self.at(str(i), item).text(example=example) for i, item in enumerate(items))

    def text(self, *, example: str) -> str:
        """Give a text; a number, such as the folder `1`, is one too."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            self.not_a("a text", example=example)
        return str(self.value)

    def number(self) -> int:
        """Give a number from 0 on."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < 0:
            self.not_a("a number from 0 on", example="e.g. 3")
        return self.value

    def flag(self) -> bool:
        """Give true or false."""
        if not isinstance(self.value, bool):
            self.not_a("true or false", example="true or false")
        return self.value


def _kind(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case _:
            return f"a {type(value).__name__}"
