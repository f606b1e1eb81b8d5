"""A game as text, with open hands: for people who look how their agents play."""

from __future__ import annotations

from collections.abc import Sequence

from qin.engine import Game, Seat, draw
from qin.engine.tiles import format_tiles


def render_game(game: Game, names: Sequence[str]) -> str:
    """The board, and a line for each seat."""
    lines = [_line(game, Seat(seat), name) for seat, name in enumerate(names)]
    ending = [f"ended: {game.outcome.ending.value}"] if game.outcome else []
    return "\n".join([draw(game.position), "", *lines, *ending])


def _line(game: Game, seat: Seat, name: str) -> str:
    if game.outcome:
        mark = "won" if seat in game.outcome.winners else ""
    else:
        mark = "to move" if seat == game.turn else ""
    left, held = game.position.reserves[seat], format_tiles(game.hands[seat])
    return f"{seat + 1} {name}  {left:>2} pagodas left  {held:<8}  {mark}".rstrip()
