"""A bot that takes memory at every decision and gives none back."""

from __future__ import annotations

from random import Random

from qin.bots import Bot, Options
from qin.engine import LegalPlacement, View


class HungryBot(Bot):
    def __init__(self, rng: Random, *, megabytes: int = 64) -> None:
        super().__init__(rng)
        self.megabytes = megabytes
        self.eaten: list[bytes] = []

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        self.eaten.append(b"\x01" * (self.megabytes << 20))
        return options.choice(self.rng)
