import pytest

from schema_store.errors import DuplicateFieldError, InvalidDecimalError
from schema_store.types import DecimalType, Field, IntegerType, StructType, fold_path


@pytest.mark.parametrize(("precision", "scale"), [(0, 0), (39, 0), (5, 6), (5, -1)])
def test_decimal_refuses_impossible_digits(precision: int, scale: int) -> None:
    with pytest.raises(InvalidDecimalError) as caught:
        DecimalType(precision, scale)
    assert (caught.value.precision, caught.value.scale) == (precision, scale)


def test_struct_refuses_names_that_differ_in_case_only() -> None:
    with pytest.raises(DuplicateFieldError) as caught:
        StructType((Field("Id", IntegerType()), Field("ID", IntegerType())))
    assert (caught.value.name, caught.value.other) == ("ID", "Id")


def test_struct_finds_a_field_by_name_and_ignoring_case() -> None:
    field = Field("Id", IntegerType())
    struct = StructType((field,))
    assert (struct.find("Id"), struct.find("id"), struct.find_ignoring_case("id")) == (
        field,
        None,
        field,
    )


def test_fold_path_ignores_case() -> None:
    assert fold_path(("User", "DOB")) == ("user", "dob")
