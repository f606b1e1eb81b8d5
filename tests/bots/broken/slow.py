"""A bot that answers, but too late where a decision may take less than its `seconds`."""

from __future__ import annotations

import time
from random import Random

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class SlowBot(Bot):
    def __init__(self, rng: Random, *, seconds: float = 0.6) -> None:
        super().__init__(rng)
        self.seconds = seconds

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        time.sleep(self.seconds)
        return options.choice(self.rng)
