"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# shared machines are slow at times: pytest's own time limit is what ends a test that hangs
settings.register_profile(
    "project", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("project")
