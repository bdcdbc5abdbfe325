"""Every option: spelling, type, default, check. The only place that knows option strings."""

from ingest.options.batch_reader import resolve_read_options
from ingest.options.batch_writer import parse_save_mode, resolve_batch_options
from ingest.options.console import resolve_console_options
from ingest.options.given import conf_text
from ingest.options.known import CONF_DEFAULTS, check_known, misplaced_options
from ingest.options.option_table import READER_OPTIONS, WRITER_OPTIONS
from ingest.options.option_types import Group, Kind, Option, Status
from ingest.options.pacing import resolve_pacing
from ingest.options.read_settings import session_zone
from ingest.options.resolve import resolve_options
from ingest.options.writer import resolve_writer_options, told_properties

__all__ = [
    "CONF_DEFAULTS",
    "READER_OPTIONS",
    "WRITER_OPTIONS",
    "Group",
    "Kind",
    "Option",
    "Status",
    "check_known",
    "conf_text",
    "misplaced_options",
    "parse_save_mode",
    "resolve_batch_options",
    "resolve_console_options",
    "resolve_options",
    "resolve_pacing",
    "resolve_read_options",
    "resolve_writer_options",
    "session_zone",
    "told_properties",
]
