"""Partition columns: what Hive-style folders say of the rows below them (contract 2.7).

`folders` finds keys and values in paths, `values` gives them types as Spark does, `finding` chooses
a stream's partition columns when it is loaded, and `partitioned_format` adds them to the rows that
any format reads, with `runs` (which rows are whose), `rescuing` and `losses`.
"""
