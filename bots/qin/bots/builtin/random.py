"""`random`: any placement, each as likely as any other."""

from __future__ import annotations

from qin.bots.bot import Bot, Options
from qin.engine import LegalPlacement, View


class RandomBot(Bot):
    """Places at random."""

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        return options.choice(self.rng)
