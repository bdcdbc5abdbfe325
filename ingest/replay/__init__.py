"""Replay: what a landing folder would do to a stream, step by step, in scratch folders.

`trial` runs a stream once and tells everything that happened; `scenario` is a story of steps,
`replay` plays it, `compare` plays it in the five modes side by side. Nothing here prints.
"""
