"""`greedy`: the most pagodas now; among equals any."""

from __future__ import annotations

from qin.bots.bot import Bot, Options
from qin.engine import LegalPlacement, View


class GreedyBot(Bot):
    """Takes what there is to take, and looks no further."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        gains = [(option.gain, option.placement) for option in options]
        most = max(gain for gain, _ in gains)
        best = [placement for gain, placement in gains if gain == most]
        return best[int(self.rng.random() * len(best))]
