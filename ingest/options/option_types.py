"""What the option table says of an option."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Group(Enum):
    """Where an option is documented (Databricks, "Auto Loader options")."""

    COMMON = "cloudFiles"
    CLOUD = "cloud only"
    GENERIC = "all formats"
    CSV = "csv"
    JSON = "json"
    XML = "xml"
    PARQUET = "parquet"
    AVRO = "avro"
    ORC = "orc"
    TEXT = "text"
    BINARY_FILE = "binaryFile"
    WRITER = "writeStream"


class Status(Enum):
    """What this version makes of an option."""

    WORKS = "works"
    NO_EFFECT = "no effect"
    """Accepted; there is nothing that it could change here. Named once."""
    LATER = "later"
    """Refused by name when it is set to anything but its default."""
    CLOUD_ONLY = "ignored"
    """Accepted; it speaks of a cloud that is not there (contract 1.4). Named once, at INFO."""


class Kind(Enum):
    """The documented type of an option's value."""

    TEXT = "string"
    FLAG = "boolean"
    COUNT = "integer"
    NUMBER = "number"
    BYTES = "byte string"
    CHARACTER = "character"
    INTERVAL = "interval string"
    TIMESTAMP = "timestamp string"


@dataclass(frozen=True, slots=True)
class Option:
    """One row of the option table.

    * `default`: as documented; None when there is none.
    * `neutral`: the values that say the same as leaving the option out.
    * `about`: what it does, or what to do instead while its status is `LATER`.
    """

    name: str
    group: Group
    kind: Kind
    default: str | None
    status: Status
    neutral: tuple[str, ...]
    about: str

    @property
    def key(self) -> str:
        """The name as it is compared: option names ignore case (contract 1.2)."""
        return self.name.lower()

    def is_neutral(self, text: str) -> bool:
        """Tell whether this value says the same as leaving the option out."""
        return (text.lower() if self.kind is Kind.FLAG else text) in self.neutral
