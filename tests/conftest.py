from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes depends on who else uses the machine; that is no property of ours.
settings.register_profile("mcptest", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mcptest")
