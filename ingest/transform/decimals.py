"""Decimals at another scale, rounded HALF_UP as Spark does; null where they do not fit."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from schema_store.types import DecimalType

_WIDE = 76
"""Digits that 256 bits hold."""


def wide(values: pa.Array) -> pa.Array:
    """Give decimals with room for digits."""
    return values.cast(pa.decimal256(_WIDE, values.type.scale))


def rescale(values: pa.Array, target: DecimalType) -> pa.Array:
    """Give decimals of this type; null where one is too large."""
    result = pa.decimal128(target.precision, target.scale)
    kind = values.type
    if kind.precision - kind.scale <= target.integer_digits and kind.scale <= target.scale:
        return values.cast(result)
    exact = wide(values)
    if kind.scale > target.scale:
        exact = pc.round(exact, ndigits=target.scale, round_mode="half_towards_infinity")
    fits = pc.less_equal(pc.abs(exact), _largest(target, kind.scale))
    return pc.if_else(fits, exact, pa.scalar(None, exact.type)).cast(result)


def _largest(target: DecimalType, scale: int) -> pa.Scalar:
    """Give the largest number of the type that can be written at this scale."""
    shared = min(target.scale, scale)
    digits = target.integer_digits + shared
    number = Decimal((0, (9,) * digits or (0,), -shared))
    return pa.scalar(number, pa.decimal256(_WIDE, scale))
