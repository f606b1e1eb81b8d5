"""`lookahead`: weighs the replies to its best placements over sampled hands."""

from __future__ import annotations

from random import Random

from qin.bots.bot import Bot, Options
from qin.bots.evaluation import Judge
from qin.bots.replies import Replies
from qin.bots.worlds import imagine
from qin.engine import Game, LegalPlacement, Position, Seat, View

_NEXT_TURN = 0.5
"""What a pagoda is worth that could be taken on the next turn: it may still come to nothing."""


class LookaheadBot(Bot):
    """Ranks its options by what they look like, and looks into the best of them.

    In each sampled world all rivals answer with what brings them the largest lead at once. Then
    the position is judged, and with it what the bot could take on its next turn.
    """

    def __init__(self, rng: Random, *, width: int = 10, samples: int = 4) -> None:
        super().__init__(rng)
        if width < 2:
            raise ValueError(f"width, the options to look into, is 2 or more, not {width}")
        if samples < 1:
            raise ValueError(f"samples, the worlds to draw, is 1 or more, not {samples}")
        self.width = width
        self.samples = samples

    def choose(self, view: View, options: Options) -> LegalPlacement:
        judge = Judge(view.turn, len(view.hand_sizes), view.out)
        # Chance decides between equals; the order of the options begins at the top of the board.
        ranked = sorted(
            (-judge.evaluate(option.after), self.rng.random(), option.placement)
            for option in options
        )
        # With more players each option takes longer to look into, so fewer of them are.
        width = max(2, 2 * self.width // len(view.hand_sizes))
        shortlist = [placement for _, _, placement in ranked[:width]]
        worlds = [imagine(view, self.rng) for _ in range(self.samples)]
        outlook = _Outlook(worlds[0])
        weighed = [
            sum(outlook.worth(world.place(placement)[0]) for world in worlds)
            for placement in shortlist
        ]
        return shortlist[weighed.index(max(weighed))]


class _Outlook:
    """What a turn leads to, as the seat sees it that is to move in a game."""

    def __init__(self, game: Game) -> None:
        self._seat = game.turn
        self._judges = [Judge(Seat(seat), game.players, game.out) for seat in range(game.players)]
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
