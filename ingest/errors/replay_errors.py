"""What is wrong with a scenario, or with a folder that is to be replayed."""

from __future__ import annotations

from ingest.errors.option_errors import OptionError


class ScenarioError(OptionError):
    """A scenario that cannot be understood, or a step that cannot be done.

    `file` is the scenario's file, `step` the number of the step or None, `key` the key in it.
    """

    def __init__(  # noqa: PLR0913 - the facts of the message
        self,
        file: str,
        *,
        step: int | None,
        key: str | None,
        found: str,
        expected: str,
        remedy: str,
    ) -> None:
        self.file = file
        self.step = step
        self.key = key
        places = [file, "" if step is None else f"step {step}", key or ""]
        super().__init__(
            ", ".join(place for place in places if place),
            found=found,
            expected=expected,
            remedy=remedy,
        )


class NothingToReplayError(OptionError):
    """A folder without files to replay, or a format that cannot be told from their names."""

    def __init__(self, folder: str, *, found: str, expected: str, remedy: str) -> None:
        self.folder = folder
        super().__init__(folder, found=found, expected=expected, remedy=remedy)
