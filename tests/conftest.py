"""How Hypothesis runs here: without a deadline, for the first use of a kernel compiles it; in CI
with the same examples every time, so that a change fails for what it changed.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "here", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("ci", settings.get_profile("here"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")
