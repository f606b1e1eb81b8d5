"""What a turn leads to: everybody's replies in a sampled world, and how the seat stands then."""

from __future__ import annotations

from typing import Final

from qin.bots.evaluation import Judge
from qin.bots.replies import Replies
from qin.engine import Game, Position, Seat, View

_NEXT_TURN: Final = 0.5
"""What a pagoda is worth that could be taken on the next turn: it may still come to nothing."""


class Outlook:
    """The worth of turns, as the seat sees it that is to move in a view.

    All rivals answer with what brings them the largest lead at once. Then the position is judged,
    and with it what the seat could take on its next turn.
    """

    def __init__(self, view: View) -> None:
        players = len(view.hand_sizes)
        self._seat = view.turn
        self._judges = [Judge(Seat(seat), players, view.out) for seat in range(players)]
        self._known: dict[tuple[Position, Seat], Replies] = {}

    def worth(self, game: Game) -> float:
        """The worth of a game in which the seat has just moved, after everybody's replies."""
        while game.outcome is None and game.turn != self._seat:
            reply = self._replies(game).best(game.hands[game.turn])
            game, _ = game.place(reply.placement) if reply else game.pass_turn()
        position, judge = game.position, self._judges[self._seat]
        if game.outcome is not None:
            return judge.final(position)
        worth = judge.evaluate(position)
        follow_up = self._replies(game).best(game.hands[self._seat])
        return worth + _NEXT_TURN * (follow_up.lead - judge.lead(position)) if follow_up else worth

    def _replies(self, game: Game) -> Replies:
        """The replies of the seat to move; worlds that come to the same position share them."""
        key = game.position, game.turn
        if key not in self._known:
            self._known[key] = Replies(game.position, self._judges[game.turn])
        return self._known[key]
