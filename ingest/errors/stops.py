"""What ends a query: new fields, or any error at all."""

from __future__ import annotations

from ingest.errors.root import IngestError


class UnknownFieldException(IngestError):  # noqa: N818 - the name users know from Spark
    """New fields or wider types stop the stream (contract 4.6).

    `names` are those of the fields of a file, or one text: the fields of a record as JSON, where
    the format knows records (JSON, XML).

    `condition` is `UNKNOWN_FIELD_EXCEPTION.<subclass>`, `sqlstate` KD003. `new_fields` are the new
    columns of the whole batch as DDL, `widened` the widened ones, `file` the URI of the
    lowest-numbered file that has some of them. `retryable` says whether starting again goes on.
    """

    sqlstate = "KD003"

    def __init__(
        self,
        *,
        new_fields: tuple[str, ...],
        widened: tuple[str, ...],
        names: tuple[str, ...] | str,
        file: str,
        retryable: bool,
    ) -> None:
        self.new_fields = new_fields
        self.widened = widened
        self.file = file
        self.retryable = retryable
        change, subclass, inside = _CHANGES[bool(new_fields), bool(widened)]
        of_record = isinstance(names, str)
        kind, place = ("record", "RECORD_WITH_FILE_PATH") if of_record else ("file", "FILE")
        self.condition = f"UNKNOWN_FIELD_EXCEPTION.{subclass}_IN_{place}"
        blob = names if isinstance(names, str) else f"[{', '.join(names)}]"
        lines = [
            (
                f"Encountered {change} during parsing: {blob},"
                f" which can be fixed by an automatic retry: {str(retryable).lower()}"
            ),
            f"{inside} inside file path: {file}",
        ]
        if new_fields:
            lines.append(f"Rescued {kind} schema: {', '.join(new_fields)}")
        if widened:
            lines.append(f"Schema of fields with widened types: {', '.join(widened)}")
        remedy = _RETRY if retryable else _REFUSED
        lines += [remedy, f"(UnknownFieldException, SQLSTATE: {self.sqlstate})"]
        super().__init__(
            file,
            found=f"{change}: {', '.join(new_fields + widened)}",
            expected="the fields and types of the stream's schema",
            remedy=remedy,
            message="\n".join(lines),
        )


_CHANGES = {
    (True, False): ("unknown fields", "NEW_FIELDS", "Unknown fields"),
    (False, True): ("type changes", "NEW_TYPE_FOR_FIELDS", "New type for fields"),
    (True, True): (
        "unknown fields and type changes",
        "NEW_FIELDS_AND_WIDENED_TYPES",
        "Unknown fields and type changes",
    ),
}


_RETRY = "The schema location is up to date: load and start the stream again and it goes on."


_REFUSED = (
    "The schema stays as it is (failOnNewColumns): remove the file, or add the column with"
    " cloudFiles.schemaHints or the schema, then start again."
)


class StreamingQueryException(IngestError):  # noqa: N818 - the name users know from Spark
    """The query ended with an error; `cause` is the error itself."""

    condition = "STREAM_FAILED"

    def __init__(self, query_id: str, run_id: str, cause: BaseException) -> None:
        self.query_id = query_id
        self.run_id = run_id
        self.cause = cause
        super().__init__(
            f"query {query_id}",
            found=str(cause),
            expected="every batch to be read and written",
            remedy=cause.remedy if isinstance(cause, IngestError) else "",
            message=f"Query [id = {query_id}, runId = {run_id}] terminated with exception:"
            f" {type(cause).__name__}: {cause}",
        )
