"""`spark.conf`: the session's configuration, in the shape of PySpark's `RuntimeConfig`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors import ConfNotFoundError, OperationNotSupportedError
from ingest.options import CONF_DEFAULTS, conf_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

_NO_DEFAULT = object()


class RuntimeConf:
    """Keys and their values, which are text as in Spark."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values: dict[str, str] = {}
        for key, value in values.items():
            self.set(key, value)

    def set(self, key: str, value: object) -> None:
        """Set a value: text, a boolean or a number; raises `OptionValueError` for another."""
        self._values[key] = conf_text(key, value)

    def get(self, key: str, default: object = _NO_DEFAULT) -> str | None:
        """Give a value; `default` when it is not set.

        Without one, what the key stands at here; raises `ConfNotFoundError` when that is nothing.
        """
        if key in self._values:
            return self._values[key]
        if default is not _NO_DEFAULT:
            return None if default is None else conf_text(key, default)
        if key not in CONF_DEFAULTS:
            raise ConfNotFoundError(key)
        return CONF_DEFAULTS[key]

    @property
    def getAll(self) -> dict[str, str]:  # noqa: N802 - PySpark's name
        """All values that are set."""
        return dict(self._values)

    def unset(self, key: str) -> None:
        """Forget a value."""
        self._values.pop(key, None)

    def as_dict(self) -> dict[str, object]:
        """Give all values that are set, for whoever checks them."""
        return dict(self._values)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(
            name,
            of="spark.conf",
            supported="get, set, unset, getAll",
            remedy="Leave it out.",
        )
