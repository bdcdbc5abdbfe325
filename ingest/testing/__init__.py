"""What the pytest plugin is made of: a landing folder, a stream over it, and comparing values.

`ingest.pytest_plugin` is the way in; its docstring tells how tests are written.
"""
