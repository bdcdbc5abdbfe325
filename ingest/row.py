"""A row: a tuple whose values have names, as PySpark's `Row`."""

from __future__ import annotations

from typing import Any, Self

from schema_store.types import ArrayType, DataType, MapType, StructType


class Row(tuple[Any, ...]):  # noqa: SLOT001 - a tuple cannot have slots
    """A row: a tuple whose values can be asked for by name.

    >>> row = Row(id=1, name="John")
    >>> row.name, row["id"], row.asDict()
    ('John', 1, {'id': 1, 'name': 'John'})
    """

    __fields__: tuple[str, ...]

    def __new__(
        cls,
        fields: tuple[str, ...] = (),
        values: tuple[Any, ...] = (),
        /,
        **named: Any,  # noqa: ANN401 - values of any column
    ) -> Self:
        row = super().__new__(cls, (*values, *named.values()))
        row.__fields__ = (*fields, *named)
        return row

    def __getnewargs__(self) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        return self.__fields__, tuple(self)

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401 - as tuple's, and a name
        if isinstance(key, str):
            try:
                return super().__getitem__(self.__fields__.index(key))
            except ValueError:
                raise KeyError(key) from None
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a value of any column
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        pairs = zip(self.__fields__, self, strict=True)
        return f"Row({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a column of that name, as PySpark's rows do."""
        return name in self.__fields__

    def asDict(self, recursive: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002, N802 - PySpark's
        """Give the row as a dictionary, the rows inside it too when `recursive` is true."""
        values = (_plain(value) for value in self) if recursive else self
        return dict(zip(self.__fields__, values, strict=True))


def _plain(value: Any) -> Any:  # noqa: ANN401 - a value of any column
    match value:
        case Row():
            return value.asDict(recursive=True)
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case _:
            return value


def collected(value: Any, data_type: DataType) -> Any:  # noqa: ANN401 - a value of any column
    """Give a value as PySpark collects it."""
    if value is None:
        return None
    match data_type:
        case StructType(fields):
            values = (collected(value[field.name], field.data_type) for field in fields)
            return Row(data_type.names, tuple(values))
        case ArrayType(element):
            return [collected(item, element) for item in value]
        case MapType(key, item):
            return {_key(collected(k, key)): collected(v, item) for k, v in value}
        case _:
            return value


def _key(value: object) -> object:
    """Give a map's key as something that a dictionary takes; arrays become tuples."""
    return tuple(value) if isinstance(value, list) else value
