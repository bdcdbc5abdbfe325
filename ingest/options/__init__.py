"""Every option: spelling, type, default, check. The only place that knows option strings."""

from ingest.options.batch_reader import resolve_read_options
from ingest.options.batch_writer import parse_save_mode, resolve_batch_options
from ingest.options.console import resolve_console_options
from ingest.options.known import check_known
from ingest.options.option_table import READER_OPTIONS, WRITER_OPTIONS
from ingest.options.option_types import Group, Kind, Option, Status
from ingest.options.read_settings import session_zone
from ingest.options.resolve import resolve_options
from ingest.options.writer import resolve_writer_options

__all__ = [
    "READER_OPTIONS",
    "WRITER_OPTIONS",
    "Group",
    "Kind",
    "Option",
    "Status",
    "check_known",
    "parse_save_mode",
    "resolve_batch_options",
    "resolve_console_options",
    "resolve_options",
    "resolve_read_options",
    "resolve_writer_options",
    "session_zone",
]
