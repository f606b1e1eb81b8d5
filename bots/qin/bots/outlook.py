"""What a turn leads to: everybody's replies in a sampled world, and how the seat stands then."""

from __future__ import annotations

import math
from typing import Final

from qin.bots.evaluation import WON, Judge
from qin.bots.replies import Replies, Reply
from qin.engine import Game, Position, Seat, View

_NEXT_TURN: Final = 0.5
"""What a pagoda is worth that could be taken on the next turn: it may still come to nothing."""

_MINE: Final = 0.62
"""The same where a chance to win is asked for."""
_THEIRS: Final = 0.47
"""And what a pagoda is worth to a rival who could take it on his turn after that."""
_MOST: Final = 8.0
"""More pagodas than anybody takes in a turn; what seems to bring more would end the game."""


class Outlook:
    """The worth of turns in pagodas, as the seat sees it that is to move in a view.

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
        game = self._answered(game)
        judge = self._judges[self._seat]
        if game.outcome is not None:
            return judge.final(game.position)
        return judge.evaluate(game.position) + _NEXT_TURN * self._gain(game, self._seat)

    def _answered(self, game: Game) -> Game:
        """The game when it is the seat's turn again, or over."""
        while game.outcome is None and game.turn != self._seat:
            reply = self._reply(game)
            game, _ = game.place(reply.placement) if reply else game.pass_turn()
        return game

    def _reply(self, game: Game) -> Reply | None:
        """What the seat to move does; None if it must pass."""
        return self._replies(game, game.turn).most(game.hands[game.turn])

    def _gain(self, game: Game, seat: Seat) -> float:
        """By how much a seat could grow its lead at once, if it were its turn."""
        most = self._replies(game, seat).most(game.hands[seat])
        return most.worth - self._judges[seat].lead(game.position) if most else 0.0

    def _replies(self, game: Game, seat: Seat) -> Replies:
        """What a seat may do; worlds that come to the same position share it."""
        key = game.position, seat
        if key not in self._known:
            self._known[key] = Replies(game.position, self._judges[seat])
        return self._known[key]


class Chances(Outlook):
    """The worth of turns as the chance to win.

    It is also asked what the rivals could take after their replies. A single rival is thought to
    reply as a good player does; with more of them there is no time to look at each so closely.

    The weights are from a logistic regression over games of a noisy `lookahead`: who won, by how
    the seat to move stood. docs/champion.md tells how well they predict.
    """

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._evaluated: dict[Position, float] = {}

    def worth(self, game: Game) -> float:
        game = self._answered(game)
        if game.outcome is not None:
            final = self._judges[self._seat].final(game.position)
            return 0.5 if abs(final) < WON / 2 else float(final > 0)
        weight = _weight(min(game.position.reserves))
        return 1 / (1 + math.exp(-weight * self._standing(game)))

    def _reply(self, game: Game) -> Reply | None:
        replies, hand = self._replies(game, game.turn), game.hands[game.turn]
        return replies.choice(hand) if game.players == 2 else replies.most(hand)

    def _standing(self, game: Game) -> float:
        """How the seat stands, in pagodas: the position, and what everybody could take next."""
        standing = self._evaluation(game.position)
        for seat, share in enumerate(self._judges[self._seat].share):
            if share:
                gain = min(self._gain(game, Seat(seat)), _MOST)
                standing += share * gain * (_MINE if seat == self._seat else _THEIRS)
        return standing

    def _evaluation(self, position: Position) -> float:
        known = self._evaluated.get(position)
        if known is None:
            known = self._evaluated[position] = self._judges[self._seat].evaluate(position)
        return known


def _weight(left: int) -> float:
    """How much a pagoda of lead tells, by the pagodas that the first one has left to place."""
    return 0.56 - 0.0167 * left + 1.07 / (left + 1)
