"""The guided first game."""

from __future__ import annotations

from qin.client.tui.stage import Stage
from qin.client.tui.tutorial_lessons import LESSONS
from qin.client.tui.tutorial_screen import TutorialScreen


async def run_tutorial(stage: Stage) -> None:
    """Teach the game on a real board, until the player has had enough."""
    await stage.show(TutorialScreen(stage, LESSONS))
