"""Insight: why a schema is as it is, what was rescued and why, why a stream stopped.

Reads and tells, never changes anything. `inferring` tells which file, row and value decided each
type (`csv_origins`, `json_origins`, `parquet_origins`), and `surprises` what to do about it;
`rescued` why values are in the rescued column; `stopped` what a restart does.
"""
