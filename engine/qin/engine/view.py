"""What one seat, or a spectator, may see of a game. Made here and nowhere else.

A view holds no hidden tile: not another hand, not a pile, not even the order of what is unseen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qin.engine.events import Drawn, Event
from qin.engine.game import Game, Hand, Outcome
from qin.engine.legal import Placements
from qin.engine.position import Position
from qin.engine.tiles import Seat, count_tiles


class View(NamedTuple):
    """A game as one seat sees it."""

    seat: Seat | None
    """Whose view it is; None for a spectator."""
    position: Position
    hand: Hand
    """The seat's own tiles; none for a spectator."""
    hand_sizes: tuple[int, ...]
    pile_sizes: tuple[int, ...]
    unseen: tuple[int, ...]
    """How many tiles of each kind this viewer has not seen: in other hands, set aside, or in piles.
    Everybody can count them, from what has been laid."""
    turn: Seat
    ply: int
    out: frozenset[Seat]
    outcome: Outcome | None

    @property
    def legal(self) -> Placements:
        """What the seat may place: nothing unless it is its turn."""
        mine = self.outcome is None and self.turn == self.seat
        return self.position.placements(self.hand if mine else ())


def view_of(game: Game, seat: Seat | None) -> View:
    """The view of a seat, or of a spectator."""
    hand = () if seat is None else game.hands[seat]
    others = (tiles for other, tiles in enumerate(game.hands) if other != seat)
    return View(
        seat=seat,
        position=game.position,
        hand=hand,
        hand_sizes=tuple(map(len, game.hands)),
        pile_sizes=tuple(map(len, game.piles)),
        unseen=count_tiles(tile for tiles in (*others, *game.piles) for tile in tiles),
        turn=game.turn,
        ply=game.ply,
        out=game.out,
        outcome=game.outcome,
    )


def redact(events: Iterable[Event], seat: Seat | None) -> list[Event]:
    """The same events without what a viewer may not see; none is left out."""
    return [
        event._replace(tile=None) if isinstance(event, Drawn) and event.seat != seat else event
        for event in events
    ]
