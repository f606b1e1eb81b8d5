"""What holds for all tests: how much hypothesis tries, that Ctrl-C works, that bytecode is kept,
and how many run at once.

It tries a little and always the same, or much with HYPOTHESIS_PROFILE=deep.
"""

from __future__ import annotations

import os
import signal
import sys

from hypothesis import HealthCheck, settings

# A random game takes as long as it takes, and building random boards throws some away.
_PATIENT = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
settings.register_profile("default", _PATIENT, derandomize=True, max_examples=100)
settings.register_profile("deep", _PATIENT, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A script that starts the tests in the background has Ctrl-C ignored, and what they start would
# inherit that: then no test of Ctrl-C could pass.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The tests start some thousand processes. Where Python is told to write no bytecode (as in many a
# container), each of them would compile all of Qin anew, which takes longer than it lives.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: many tests wait for what they started."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2
