"""Text to typed values by Spark's rules: the exact scalar converter, and whole columns at once."""
