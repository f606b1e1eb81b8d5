"""A game: a position, hands and piles, whose turn it is, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qin.engine.board import Board
from qin.engine.deal import Deal
from qin.engine.events import Drawn, Ended, Ending, Event, Passed, Withdrew
from qin.engine.legal import Placements
from qin.engine.placement import LegalPlacement, Placement
from qin.engine.position import Position
from qin.engine.refusal import Reason, Refused
from qin.engine.tiles import PAGODAS, SEATS, Seat, Tile, format_tiles

Hand = tuple[Tile, ...]

_CLOCKWISE = {
    players: [
        [Seat((seat + step) % players) for step in range(1, players + 1)] for seat in range(players)
    ]
    for players in SEATS
}
"""By the number of players and a seat: the seats after it in order, itself as the last one."""


class Outcome(NamedTuple):
    """The end of a game; winners who tie share the victory."""

    ending: Ending
    winners: tuple[Seat, ...]


class Game:
    """A value: it never changes. Acting gives the next game and the events between the two."""

    __slots__ = ("_legal", "hands", "out", "outcome", "piles", "ply", "position", "turn")

    position: Position
    hands: tuple[Hand, ...]
    piles: tuple[Hand, ...]
    """The tiles still in each pile, the next one first."""
    turn: Seat
    """The seat to move; when the game is over, the seat that was to move last."""
    ply: int
    """How many placements and passes there have been."""
    out: frozenset[Seat]
    """The seats that resigned or forfeited (R13)."""
    outcome: Outcome | None

    def __init__(
        self,
        position: Position,
        hands: tuple[Hand, ...],
        piles: tuple[Hand, ...],
        turn: Seat,
        ply: int = 0,
        out: frozenset[Seat] = frozenset(),
        outcome: Outcome | None = None,
    ) -> None:
        self.position = position
        self.hands = hands
        self.piles = piles
        self.turn = turn
        self.ply = ply
        self.out = out
        self.outcome = outcome
        self._legal: Placements | None = None

    def _facts(self) -> tuple[object, ...]:
        return (
            self.position,
            self.hands,
            self.piles,
            self.turn,
            self.ply,
            self.out,
            self.outcome,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.position, self.hands, self.ply))

    def __repr__(self) -> str:
        return f"Game({', '.join(map(repr, self._facts()))})"

    @classmethod
    def start(cls, board: Board, deal: Deal, first: Seat = Seat(0)) -> Game:
        return cls(Position.start(board, len(deal.hands)), deal.hands, deal.piles, first)

    # ---- asking --------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that have neither resigned nor forfeited."""
        return [Seat(seat) for seat in range(self.players) if seat not in self.out]

    @property
    def legal(self) -> Placements:
        """The placements open to the seat to move. None of them: it must pass."""
        known = self._legal
        if known is None:
            known = self._legal = self.position.placements(
                () if self.outcome else self.hands[self.turn]
            )
        return known

    @property
    def must_pass(self) -> bool:
        """Whether the seat to move holds tiles but can place none (R10)."""
        return self.outcome is None and len(self.legal) == 0

    @property
    def pagodas_placed(self) -> tuple[int, ...]:
        """How many pagodas each seat has on the board."""
        total = PAGODAS[self.players]
        return tuple(total - left for left in self.position.reserves)

    @property
    def fullest_pile(self) -> int | None:
        """The pile with the most tiles, the first of equals; None when all are empty."""
        fullest, most = None, 0
        for number, tiles in enumerate(self.piles):
            if len(tiles) > most:
                fullest, most = number, len(tiles)
        return fullest

    def check(self, seat: Seat, placement: Placement, pile: int | None = None) -> LegalPlacement:
        """The placement, known to be legal now; or `Refused` with the first reason."""
        if self.outcome:
            raise Refused(Reason.GAME_OVER, "the game is over")
        if seat != self.turn:
            raise Refused(Reason.NOT_YOUR_TURN, f"it is seat {self.turn + 1}'s turn")
        legal = self.legal.find(placement)
        if legal is None:
            if placement.tile not in self.hands[seat]:
                hand = format_tiles(self.hands[seat])
                raise Refused(
                    Reason.NOT_IN_HAND, f"{placement.tile} is not in your hand; you hold {hand}"
                )
            legal = self.position.check(placement)  # which says what is wrong
        if pile is not None and not (0 <= pile < len(self.piles) and self.piles[pile]):
            left = [str(number + 1) for number, tiles in enumerate(self.piles) if tiles]
            hint = f"draw from {' or '.join(left)}" if left else "all piles are empty"
            raise Refused(Reason.EMPTY_PILE, f"there is no tile in pile {pile + 1}; {hint}")
        return legal

    # ---- acting --------------------------------------------------------------------------------

    def place(self, placement: LegalPlacement, pile: int | None = None) -> tuple[Game, list[Event]]:
        """Place a tile, settle it, draw. Cannot fail.

        Without a pile, or from an empty one, the fullest is drawn from.
        """
        seat = self.turn
        position, events = self.position.place(seat, placement)
        hands, piles = list(self.hands), list(self.piles)
        hand = list(hands[seat])
        hand.remove(placement.tile)
        last_pagoda = 0 in position.reserves
        if not last_pagoda:
            if pile is None or not piles[pile]:
                pile = self.fullest_pile
            if pile is not None:
                drawn = piles[pile][0]
                hand.append(drawn)
                piles[pile] = piles[pile][1:]
                events.append(Drawn(seat, pile, drawn))
        hands[seat] = tuple(hand)
        after = Game(position, tuple(hands), tuple(piles), seat, self.ply + 1, self.out)
        return after._end_by_last_pagoda(events) if last_pagoda else after._conclude(seat, events)

    def pass_turn(self) -> tuple[Game, list[Event]]:
        """Pass, which only a seat does that must."""
        if self.outcome:
            raise Refused(Reason.GAME_OVER, "the game is over")
        if not self.must_pass:
            raise Refused(Reason.MUST_PLACE, "only a seat that can place no tile passes")
        after = Game(self.position, self.hands, self.piles, self.turn, self.ply + 1, self.out)
        return after._conclude(self.turn, [Passed(self.turn)])

    def withdraw(self, seat: Seat, *, forfeit: bool = False) -> tuple[Game, list[Event]]:
        """A seat resigns or forfeits, in turn or out of turn (R13)."""
        if self.outcome:
            raise Refused(Reason.GAME_OVER, "the game is over")
        if not 0 <= seat < self.players or seat in self.out:
            raise Refused(Reason.OUT_OF_GAME, f"seat {seat + 1} is not in the game")
        left = Game(self.position, self.hands, self.piles, self.turn, self.ply, self.out | {seat})
        events: list[Event] = [Withdrew(seat, forfeit)]
        if len(left.remaining) == 1:
            ending = Ending.FORFEIT if forfeit else Ending.RESIGNED
            return left._end(ending, left.remaining, events)
        # Out of turn, the seat to move stays the next one after the one before it.
        last = self.turn if seat == self.turn else Seat((self.turn - 1) % self.players)
        return left._conclude(last, events)

    # ---- what follows a move: nobody has seen the new game yet, so it is completed in place ------

    def _conclude(self, last: Seat, events: list[Event]) -> tuple[Game, list[Event]]:
        """Hand the turn on from the seat that moved last, or end the game if it is over."""
        following = self._next_with_tiles(last)
        if following is None:
            return self._end(Ending.OUT_OF_TILES, self._leaders(), events)
        legal = self.position.placements(self.hands[following])
        if not legal:
            if self.position.full:
                return self._end(Ending.BOARD_FULL, self._leaders(), events)
            if not self._anyone_can_place():
                return self._end(Ending.NO_PLACEMENT, self._leaders(), events)
        self.turn = following
        self._legal = legal
        return self, events

    def _end_by_last_pagoda(self, events: list[Event]) -> tuple[Game, list[Event]]:
        finisher = self.position.finisher
        assert finisher is not None
        winners = self._leaders() if finisher in self.out else [finisher]
        return self._end(Ending.LAST_PAGODA, winners, events)

    def _end(
        self, ending: Ending, winners: Sequence[Seat], events: list[Event]
    ) -> tuple[Game, list[Event]]:
        self.outcome = Outcome(ending, tuple(winners))
        events.append(Ended(*self.outcome))
        return self, events

    def _next_with_tiles(self, last: Seat) -> Seat | None:
        """The next seat clockwise that is in and holds tiles (R11), maybe the last one itself."""
        hands, out = self.hands, self.out
        for seat in _CLOCKWISE[len(hands)][last]:
            if hands[seat] and seat not in out:
                return seat
        return None

    def _anyone_can_place(self) -> bool:
        return any(self.position.placements(self.hands[seat]) for seat in self.remaining)

    def _leaders(self) -> list[Seat]:
        """The seats still in that have placed the most pagodas."""
        reserves = self.position.reserves
        fewest = min(reserves[seat] for seat in self.remaining)
        return [seat for seat in self.remaining if reserves[seat] == fewest]
