"""A game drawn for people: the board with its coordinates, and what everybody has."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click
from qin.engine import Game, Position, draw
from qin.engine.tiles import format_tiles

_TOKEN = re.compile(r"([RYBV~])[1-4]?")
_COLOURS = {"R": "red", "Y": "yellow", "B": "blue", "V": "magenta", "~": "cyan"}


def drawn(position: Position) -> str:
    """The board, in colours where the terminal has them; click takes them out elsewhere."""
    return _TOKEN.sub(
        lambda token: click.style(token[0], fg=_COLOURS[token[1]], bold=len(token[0]) > 1 or None),
        draw(position),
    )


def seats_and_piles(game: Game, names: Sequence[str]) -> str:
    """A line for each seat, the one to move marked, and the sizes of the piles."""
    width = max(len("player"), *map(len, names))
    lines = [f"     {'player':<{width}}  pagodas left  hand"]
    for seat, name in enumerate(names):
        mark = ">" if game.outcome is None and seat == game.turn else " "
        note = "  (out)" if seat in game.out else ""
        left = game.position.reserves[seat]
        hand = format_tiles(game.hands[seat]) or "-"
        lines.append(f"{mark} {seat + 1}  {name:<{width}}  {left:>12}  {hand}{note}")
    lines.append("Tiles in the piles: " + " ".join(str(len(pile)) for pile in game.piles))
    return "\n".join(lines)
