"""The README's option table, made from the option table of the code.

`python -m tests.readme_tables` writes it into the README; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from ingest.options import READER_OPTIONS, WRITER_OPTIONS, Group, Option

README = Path(__file__).parent.parent / "README.md"
BEGIN = "<!-- options: checked against ingest/options by tests/ingest/test_readme.py -->"
END = "<!-- end of options -->"
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
    text = README.read_text(encoding="utf-8")
    return text.split(BEGIN)[1].split(END)[0].strip()


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    README.write_text(f"{before}{BEGIN}\n{option_table()}\n{END}{after}", encoding="utf-8")
