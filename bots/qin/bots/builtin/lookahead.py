"""`lookahead`: weighs the replies to its best placements over sampled hands."""

from __future__ import annotations

from random import Random

from qin.bots.bot import Bot, Options
from qin.bots.evaluation import Judge
from qin.bots.outlook import Outlook
from qin.bots.worlds import imagine
from qin.engine import LegalPlacement, View


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
        outlook = Outlook(view)
        weighed = [
            sum(outlook.worth(world.place(placement)[0]) for world in worlds)
            for placement in shortlist
        ]
        return shortlist[weighed.index(max(weighed))]
