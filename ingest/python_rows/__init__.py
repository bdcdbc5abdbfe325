"""Rows that a user has in Python, as columns: what `createDataFrame` takes."""
