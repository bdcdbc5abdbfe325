"""The README's tables: the options, from the code's table, and the comparison with Spark.

`python -m tests.readme_tables` writes them into the README; tests compare.
"""

from __future__ import annotations

from pathlib import Path

from ingest.options import READER_OPTIONS, WRITER_OPTIONS, Group, Option
from tests.spark.fidelity import fidelity

README = Path(__file__).parent.parent / "README.md"
BEGIN = "<!-- options: checked against ingest/options by tests/ingest/test_readme.py -->"
END = "<!-- end of options -->"
FIDELITY_BEGIN = "<!-- Spark's recorded answers: checked by tests/spark/test_recorded.py -->"
FIDELITY_END = "<!-- end of Spark's recorded answers -->"
IN_FULL = (Group.COMMON, Group.GENERIC, Group.CSV, Group.WRITER)


def option_table() -> str:
    """Give the table: a row for each option of what is here, a row for each group of the rest."""
    options = (*READER_OPTIONS, *WRITER_OPTIONS)
    lines = ["| Option | Default | Status | |", "|---|---|---|---|"]
    lines += [_row(option) for group in IN_FULL for option in options if option.group is group]
    lines += ["", "| Also known, for | Status | Options |", "|---|---|---|"]
    for group in Group:
        rest = [option for option in options if option.group is group and group not in IN_FULL]
        for status in dict.fromkeys(option.status for option in rest):
            names = ", ".join(f"`{o.name}`" for o in rest if o.status is status)
            lines.append(f"| {group.value} | {status.value} | {names} |")
    return "\n".join(lines)


def _row(option: Option) -> str:
    default = "" if option.default is None else f"`{_visible(option.default)}`"
    about = option.about.replace("|", "\\|")
    return f"| `{option.name}` | {default} | {option.status.value} | {about} |"


def _visible(text: str) -> str:
    escaped = text.replace("\0", "\\0").replace("|", "\\|")
    return escaped or '""'


def readme_block() -> str:
    """Give what the README says between the two marks."""
    return _between(BEGIN, END)


def fidelity_block() -> str:
    """Give what the README says of the comparison with Spark."""
    return _between(FIDELITY_BEGIN, FIDELITY_END)


def _between(begin: str, end: str) -> str:
    text = README.read_text(encoding="utf-8")
    return text.split(begin)[1].split(end)[0].strip()


def _replace(begin: str, block: str, end: str) -> None:
    text = README.read_text(encoding="utf-8")
    before, after = text.split(begin)[0], text.split(end)[1]
    README.write_text(f"{before}{begin}\n{block}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    _replace(BEGIN, option_table(), END)
    _replace(FIDELITY_BEGIN, fidelity(), FIDELITY_END)
