"""The guided first game."""

from __future__ import annotations

from qin.client.tui.stage import Stage
from qin.client.tui.text_screen import TextScreen

_PAGE = (
    ("", "The guided first game is not there yet. Until then: n starts a game, ? gives hints."),
)


async def run_tutorial(stage: Stage) -> None:
    """Teach the game on a real board, until the player has had enough."""
    await stage.show(TextScreen(stage, "Tutorial", _PAGE))
