"""A path as the user gives it: by the argument of a call or by the option `path`."""

from __future__ import annotations

import os

from ingest.errors import MissingOptionError, OptionConflictError, OptionValueError


def one_path(argument: object, option: object, *, call: str, folder: str) -> str:
    """Choose between a call's argument and the option `path`; there has to be exactly one.

    Raises an `OptionError` for none, for both (Spark refuses `path` beside an argument) and for
    what is not a path.
    """
    if argument is not None and option is not None:
        raise OptionConflictError(
            ("option path", f"{call}(path)"),
            found=f"{option} and {argument}",
            expected="one path",
            remedy="Leave the option out.",
        )
    path = option if argument is None else argument
    match path:
        case None:
            example = f'.{call}("<folder>")'
            raise MissingOptionError("path", needed_for=folder, example=example)
        case str() | os.PathLike() if os.fspath(path).strip():
            return os.fsdecode(path)
        case _:
            raise OptionValueError("path", path, allowed=f"{folder} as text or Path, not blank")
