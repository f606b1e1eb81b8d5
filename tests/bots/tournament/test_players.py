"""The processes that sit at tables for bots."""

from __future__ import annotations

import asyncio
import signal
import sys

import pytest
from qin.bots.tournament.players import _kill


async def test_a_process_is_seen_to_end_even_if_its_keeper_is_told_twice_to_stop() -> None:
    """Ctrl-C printed `Loop … that handles pid … is closed` now and then."""
    waits = "import time; time.sleep(100)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", waits)
    killing = asyncio.create_task(_kill(process))
    for _ in range(2):
        await asyncio.sleep(0)
        killing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await killing
    assert process.returncode == -signal.SIGKILL
