"""Playing line by line: when, and on what."""

from __future__ import annotations

import os

from qin.cli.terminal import lan_servers
from qin.client.address import Address
from qin.client.plain import play_plain, standard_console
from qin.client.tui.home import Home, Wishes
from qin.client.tui.keeping import SeatKeeper
from qin.client.tui.lobby_model import Tutorial


def is_dumb() -> bool:
    """Whether the terminal says that it cannot be drawn on."""
    return os.environ.get("TERM") == "dumb"


async def line_by_line(
    home: Home,
    keeper: SeatKeeper,
    wishes: Wishes,
    server: Address | None,
    *,
    tutorial: bool = False,
) -> bool:
    """Play on standard input and output; tells whether anything was typed at all."""
    with standard_console() as console:
        first = Tutorial() if tutorial else None
        await play_plain(console, home, keeper, lan_servers, wishes, server, first=first)
        return console.heard
